"""Runs in the sandbox: a project's own tests, by `unittest`; plain functions `test_…` without
parameters count too.

`python -B .laios-tests.py DIRECTORY… -- FILE…`, in the project's directory: where modules are
looked for besides there, then the test files. The report, in JSON: `{"tests": [{"name", "file",
"status": "passed" | "failed" | "broken" | "skipped", "error": str, "frames": [[file, line]]}]}`.
"""

import asyncio
import importlib
import inspect
import json
import os
import sys
import traceback
import unittest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType, TracebackType
    from typing import Any

    Error = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]

_ERROR = 300  # characters


class _Result(unittest.TestResult):
    """Keeps what came of each test, with the project's own frames of what it raised."""

    def __init__(self, file: str, rows: "list[dict[str, Any]]") -> None:
        super().__init__()
        self._file, self._rows = file, rows

    def keep(self, name: str, status: str, error: "BaseException | None" = None) -> None:
        self._rows.append(
            {
                "name": name,
                "file": self._file,
                "status": status,
                "error": _said(error) if error else "",
                "frames": _frames(error) if error else [],
            }
        )

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.keep(_name(test), "passed")

    def addFailure(self, test: unittest.TestCase, err: "Error") -> None:
        self.keep(_name(test), "failed", err[1])

    def addError(self, test: unittest.TestCase, err: "Error") -> None:
        self.keep(_name(test), "broken", err[1])

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.keep(_name(test), "skipped")

    def addExpectedFailure(self, test: unittest.TestCase, err: "Error") -> None:
        self.keep(_name(test), "passed")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self.keep(_name(test), "failed")

    def addSubTest(
        self, test: unittest.TestCase, subtest: unittest.TestCase, err: "Error | None"
    ) -> None:
        if err is not None:
            kind = "failed" if isinstance(err[1], AssertionError) else "broken"
            self.keep(_name(subtest), kind, err[1])


def main() -> None:
    words = sys.argv[1:]
    cut = words.index("--")
    here = os.getcwd()  # noqa: PTH109
    sys.path[:0] = [here, *(f"{here}/{name}" for name in words[:cut])]
    rows: list[dict[str, Any]] = []
    for file in words[cut + 1 :]:
        result = _Result(file, rows)
        try:
            module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
        except BaseException as error:
            result.keep("import", "broken", error)
            continue
        _suite(module).run(result)
    _send(json.dumps({"tests": rows}).encode("ascii"))


def _suite(module: "ModuleType") -> unittest.TestSuite:
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    for name, value in vars(module).items():
        own = inspect.isfunction(value) and value.__module__ == module.__name__
        if own and name.startswith("test") and not inspect.signature(value).parameters:
            suite.addTest(unittest.FunctionTestCase(_called(value), description=name))
    return suite


def _called(test: "Callable[[], Any]") -> "Callable[[], None]":
    """The test as a call that does all of it: a coroutine is awaited, a generator used up."""

    def run() -> None:
        result = test()
        if inspect.iscoroutine(result):
            asyncio.run(result)
        elif inspect.isgenerator(result):
            for _ in result:
                pass

    return run


def _name(test: unittest.TestCase) -> str:
    return test.shortDescription() or test.id() if _is_plain(test) else test.id()


def _is_plain(test: unittest.TestCase) -> bool:
    return isinstance(test, unittest.FunctionTestCase)


def _said(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__
    return " ".join(text.split())[:_ERROR]


def _frames(error: BaseException) -> "list[tuple[str, int]]":
    """The frames in files of the project, the innermost last."""
    here = os.getcwd() + "/"  # noqa: PTH109
    frames = [
        (each.filename, each.lineno or 1) for each in traceback.extract_tb(error.__traceback__)
    ]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno or 1))
    return [(name.removeprefix(here), line) for name, line in frames if name.startswith(here)]


def _send(report: bytes) -> None:
    """What the tests have left running is not waited for."""
    descriptor = int(os.environ["REPORT_FD"])
    while report:
        report = report[os.write(descriptor, report) :]
    os._exit(0)


if __name__ == "__main__":
    main()
