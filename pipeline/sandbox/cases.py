"""`run_tests`: a program's functions against what is expected of them.

Each case has a process and a sandbox of its own. What is expected stays outside; only the arguments
go in and the value comes back, as plain data, and is compared here. A program that fakes its report
has to fake the right value, which is the same as computing it.
"""

import asyncio
import json
import marshal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pipeline.sandbox.compare import same, same_text, written
from pipeline.sandbox.inside.values import decode
from pipeline.sandbox.languages import LANGUAGES
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import run

Status = Literal[
    "passed", "wrong", "raised", "unusable", "timeout", "cpu", "memory", "output", "died"
]
_INSIDE = Path(__file__).parent / "inside"
_INSIDE_FILES = ("call.py", "values.py")
_SHOWN = 300
_REPORT_BYTES = 1 << 18  # to read 1 MB would hold up the event loop for 0.2 s


@dataclass(frozen=True, slots=True)
class Raises:
    """An expectation: the call raises an exception of this name, or one derived from it."""

    name: str


@dataclass(frozen=True, slots=True)
class Case:
    """One test. `args`, `kwargs` and `expected` are plain data. Without a `function` the program
    is run as a whole, with `stdin`, and `expected` is the text that it prints."""

    name: str
    expected: Any
    function: str | None = None
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    stdin: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a case. `message` says in one line what went wrong, for a person or a model.

    `wrong`: another value or text than expected. `raised`: an exception that was not. `unusable`:
    the program cannot be imported or lacks the function. `died`: it ended without a result.
    The others are the limit that was reached. `actual` is the value, the printed text, or
    Raises(name); None where there is none.
    """

    case: Case
    status: Status
    message: str
    actual: Any
    outcome: Outcome

    @property
    def passed(self) -> bool:
        return self.status == "passed"


async def run_tests(
    program: str,
    cases: Sequence[Case],
    limits: Limits,
    *,
    environment: Path | None = None,
    done: Callable[[Result], None] = lambda _: None,
) -> list[Result]:
    """Runs every case of a Python program, in parallel; the results in the cases' order. `done`
    hears each as it comes. Raises as `run` does, and ValueError for arguments that are no plain
    data."""

    async def one(case: Case) -> Result:
        result = await _result(program, case, limits, environment)
        done(result)
        return result

    tasks: list[asyncio.Task[Result]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(one(case)) for case in cases]
    except* Exception as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


async def _result(program: str, case: Case, limits: Limits, environment: Path | None) -> Result:
    language = LANGUAGES["python"]
    files: dict[str, str | bytes] = {language.file: program}
    command = language.command
    if case.function is not None:
        call = {"function": case.function, "args": [*case.args], "kwargs": {**case.kwargs}}
        files[".laios/call.data"] = marshal.dumps(call, 2)
        files |= {f".laios/{name}": (_INSIDE / name).read_bytes() for name in _INSIDE_FILES}
        # Without packages there is nothing that `site` could find, and it takes its time.
        command = ("python", "-I", *(() if environment else ("-S",)), ".laios/call.py")
    stdin = case.stdin.encode("utf-8", "surrogatepass")
    outcome = await run(files, command, limits, stdin=stdin, environment=environment)
    if case.function is None:
        status, message, actual = _printed(case.expected, outcome)
    else:
        status, message, actual = _reported(case.expected, outcome)
    return Result(case, status, message, actual, outcome)


_Told = tuple[Status, str, Any]


def _printed(expected: Any, outcome: Outcome) -> _Told:
    if outcome.ended != "exited" or outcome.exit:
        return _ended(outcome)
    if same_text(outcome.stdout, str(expected)):
        return "passed", "", outcome.stdout
    return "wrong", _difference(expected, outcome.stdout), outcome.stdout


def _reported(expected: Any, outcome: Outcome) -> _Told:
    if len(outcome.report) > _REPORT_BYTES:
        return _ended(outcome)
    try:
        report = json.loads(outcome.report)
        if "value" in report:
            return _value(expected, decode(report["value"]))
        return _raised(expected, report)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return _ended(outcome)


def _value(expected: Any, actual: Any) -> _Told:
    if not isinstance(expected, Raises) and same(actual, expected):
        return "passed", "", actual
    return "wrong", _difference(expected, actual), actual


def _raised(expected: Any, report: Mapping[str, Any]) -> _Told:
    names, line = [str(name) for name in report["error"]], report["line"]
    raised = Raises(names[0])
    if report["stage"] == "call" and isinstance(expected, Raises) and expected.name in names:
        return "passed", "", raised
    where = f" (line {line:d})" if line is not None else ""
    message = f"{names[0]}: {report['message']!s}"[:_SHOWN] + where
    return ("raised" if report["stage"] == "call" else "unusable"), message, raised


def _ended(outcome: Outcome) -> _Told:
    """There is no result."""
    if outcome.ended == "timeout":
        return "timeout", f"not done after {outcome.duration_s:.1f} s", None
    if outcome.ended == "exited" or outcome.ended == "signal":
        said = outcome.stderr.strip().splitlines()[-1:] or [""]
        message = f"ended with status {outcome.exit} and without a result: {said[0][:_SHOWN]}"
        return "died", message.rstrip(": "), None
    words = {
        "cpu": "used up its processor time",
        "memory": "took too much memory",
        "output": "printed without end",
    }
    return outcome.ended, words[outcome.ended], None


def _difference(expected: Any, actual: Any) -> str:
    wanted = f"an exception {expected.name}" if isinstance(expected, Raises) else _shown(expected)
    return f"expected {wanted}, got {_shown(actual)}"


def _shown(value: Any) -> str:
    text = written(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
