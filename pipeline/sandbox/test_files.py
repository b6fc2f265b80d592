"""Run files of Python tests in the sandbox and read the report of them. The program reports itself:
a hint, no proof."""

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import run
from pipeline.sandbox.venv_packages import need_packages

_SCRIPTS = Path(__file__).parent / "sandbox_scripts"
_DIRECTORY = ".laios-tests"  # no file of a project can have this name
_RUNNER = "run_test_files.py"
_BESIDE = ("laios_fixtures.py", "laios_pytest_fixtures.py", "laios_report.py", "pytest.py")
_SHOWN = 300
_MOST_LINES = 20_000  # a test writes two

Status = Literal["passed", "failed", "broken", "skipped", "absent", "unfinished"]
LOADING = "import"  # the name under which the loading of a file is reported


@dataclass(frozen=True, slots=True)
class ReportedTest:
    """One test and what came of it. `failed`: an assertion; `broken`: another exception; `absent`:
    it needs what is not in the sandbox; `unfinished`: it began and did not end. `frames` are those
    of the exception, the innermost last."""

    test: str
    file: str
    status: Status
    error: str = ""
    frames: tuple[tuple[str, int], ...] = ()


async def run_test_files(
    files: Mapping[str, str],
    tests: Sequence[str],
    limits: Limits,
    *,
    program: str = "",
    directories: Sequence[str] = (),
) -> tuple[list[ReportedTest], Outcome]:
    """Runs those of the files that are `tests`. Modules are looked for in `directories` besides;
    `program` is a file that is found under any name. Raises as `run` does."""
    scripts = {
        f"{_DIRECTORY}/{name}": (_SCRIPTS / name).read_bytes() for name in (_RUNNER, *_BESIDE)
    }
    runner = f"{_DIRECTORY}/{_RUNNER}"
    finds_packages = limits.venv is not None and need_packages(files)
    options = ["-B"] if finds_packages else ["-S", "-B"]
    command = ["python", *options, runner, program, *directories, "--", *tests]
    outcome = await run({**files, **scripts}, command, limits)
    return await asyncio.to_thread(read_report, outcome.report, {program, *tests}), outcome


def read_report(report: bytes, files: Collection[str]) -> list[ReportedTest]:
    """The report as far as it goes; the program may have written anything into it. Of more lines
    than any tests report nothing is believed."""
    found: dict[tuple[str, str], ReportedTest] = {}
    lines = report.split(b"\n", _MOST_LINES)
    for line in lines if len(lines) <= _MOST_LINES else ():
        try:
            row = json.loads(line.decode("utf-8", "replace"))
            key, status = (str(row["file"]), str(row["test"])), row["status"]
            if key[0] not in files:
                continue
            if status == "began":
                found[key] = ReportedTest(key[1], key[0], "unfinished")
            elif status == "ended" and key in found and found[key].status == "unfinished":
                del found[key]
            elif status in get_args(Status):
                found[key] = _read(row, key[1], key[0])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
    return list(found.values())


def _read(row: Mapping[str, Any], test: str, file: str) -> ReportedTest:
    frames = tuple((str(name), int(line)) for name, line in row["frames"])
    status = cast(Status, row["status"])
    return ReportedTest(test, file, status, str(row["error"])[:_SHOWN], frames)
