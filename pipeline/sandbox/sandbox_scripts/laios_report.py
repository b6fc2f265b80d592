"""What came of tests, told as they end. For `run_test_files.py`, in the sandbox, which says how a
line looks."""

import json
import os
import sys
import traceback
import types
import unittest
from collections.abc import Sequence
from pathlib import Path

Error = tuple[type[BaseException], BaseException, types.TracebackType] | tuple[None, None, None]
Frames = Sequence[tuple[str, int]]
SHOWN = 300
_HERE = str(Path.cwd())  # a program may change it


class Absent(Exception):
    """The tests need something that is not here."""


class Missing(Exception):
    """The tests use what the program does not have."""


class Report(unittest.TestResult):
    """Tells what comes of each test of a file, with the frames of what it raised."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file

    def tell(self, test: str, status: str, error: str = "", frames: Frames = ()) -> None:
        row = {"test": test, "file": self._file, "status": status, "error": error}
        line = (json.dumps(row | {"frames": frames}) + "\n").encode("ascii")
        while line:
            line = line[os.write(int(os.environ["REPORT_FD"]), line) :]

    def _raised(self, test: unittest.TestCase, status: str, error: BaseException | None) -> None:
        self.tell(_name(test), status, *((said(error), frames(error)) if error else ()))

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self.tell(_name(test), "began")

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.tell(_name(test), "ended")

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.tell(_name(test), "passed")

    def addFailure(self, test: unittest.TestCase, err: Error) -> None:
        self._raised(test, "failed", err[1])

    def addError(self, test: unittest.TestCase, err: Error) -> None:
        self._raised(test, "broken", err[1])

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        error = sys.exc_info()[1]  # None where a mark says so
        self.tell(_name(test), "skipped", reason[:SHOWN], frames(error) if error else ())

    def addExpectedFailure(self, test: unittest.TestCase, err: Error) -> None:
        self.tell(_name(test), "passed")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self.tell(_name(test), "failed", "it was expected to fail")

    def addSubTest(
        self, test: unittest.TestCase, subtest: unittest.TestCase, err: Error | None
    ) -> None:
        if err is not None:
            status = "failed" if isinstance(err[1], AssertionError) else "broken"
            self._raised(subtest, status, err[1])


def _name(test: unittest.TestCase) -> str:
    plain = isinstance(test, unittest.FunctionTestCase)
    return test.shortDescription() or test.id() if plain else test.id()


def said(error: BaseException) -> str:
    own = isinstance(error, Absent | Missing | unittest.SkipTest)
    try:
        text = str(error) if own else f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    return " ".join(text.split())[:SHOWN].rstrip(": ")


def frames(error: BaseException) -> Frames:
    """The frames in files of the directory, the innermost last, each once."""
    here = f"{_HERE}/"
    walked = traceback.walk_tb(error.__traceback__)
    frames = [(frame.f_code.co_filename, line) for frame, line in walked]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno or 1))
    ours = [(name.removeprefix(here), line) for name, line in frames if name.startswith(here)]
    return list(dict.fromkeys(ours))
