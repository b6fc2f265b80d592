"""Calls of functions in Bash: what a function prints is its value, and a truth is its status.

What comes back is compared outside, as with Python. Bash has nothing but texts, so what is printed
is read as one of the kind that is expected. What is raised has no class to compare.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Any

from pipeline.sandbox.limits import Limits
from pipeline.sandbox.runner import run
from pipeline.sandbox.test_result import CaseResult, without_result
from pipeline.sandbox.testcase import Case, Raises

_NAME = re.compile(r"[A-Za-z_][\w-]{0,99}")
# A program that ends while it is read has called nothing, whatever its status is, and what it
# prints meanwhile, to show what its functions do, is no part of what the call gives.
_CALL = '. ./program.sh >/dev/null\nprintf called >&"$REPORT_FD"\n{call}\n'


async def call_bash(program: str, case: Case, limits: Limits, name: str) -> CaseResult:
    """Raises as `run` does."""
    if not _NAME.fullmatch(name) or case.arguments.kwargs:
        return CaseResult(case, "unusable", error="its arguments have to be given by their places")
    words = shlex.join(word for each in case.arguments.args for word in _words(each))
    files = {"program.sh": program, "call.sh": _CALL.format(call=f"{name} {words}")}
    outcome = await run(files, ["bash", "call.sh"], limits)
    printed, took = outcome.stdout.rstrip("\n"), outcome.duration_ms
    if outcome.ended != "exited" or outcome.exit == 127 or not outcome.report:
        return without_result(case, outcome)
    if isinstance(case.expected, bool) and not printed:
        return CaseResult(case, "returned", outcome.exit == 0, duration_ms=took)
    if outcome.exit:  # an exception that was expected has the name that was expected
        wanted = (case.expected.name,) if isinstance(case.expected, Raises) else ()
        error = f"status {outcome.exit}"
        return CaseResult(case, "raised", error=error, raised=wanted, duration_ms=took)
    return CaseResult(case, "returned", _read(printed, case.expected), duration_ms=took)


def _read(printed: str, expected: Any) -> Any:
    """What Bash printed as the kind that is expected."""
    if isinstance(expected, bool):
        return {"true": True, "false": False}.get(printed.strip().lower(), printed)
    if isinstance(expected, int | float):
        try:
            return type(expected)(printed)
        except ValueError:
            return printed
    if isinstance(expected, list | tuple):
        parts = _items(printed, len(expected))
        kinds = [*expected, *[""] * len(parts)]
        return type(expected)(_read(each, kind) for each, kind in zip(parts, kinds, strict=False))
    return None if expected is None and not printed else printed


def _items(printed: str, wanted: int) -> list[str]:
    """Lines, or else words; one alone may have blanks in it."""
    if "\n" in printed:
        return printed.splitlines()
    return [printed.strip()] if wanted == 1 else printed.split()


def _words(value: Any) -> Iterator[str]:
    """A value as arguments; the items of a list are one each."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)
    elif isinstance(value, bool):
        yield str(value).lower()
    else:
        yield "" if value is None else str(value)
