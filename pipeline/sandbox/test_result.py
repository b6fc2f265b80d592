"""A test's result, compared with what is expected. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.shown_table import ShownTable
from pipeline.sandbox.shown_text import ShownText
from pipeline.sandbox.testcase import ANY_VALUE, Case, Raises
from pipeline.sandbox.value_comparison import in_one_order, rounded, same, same_text, shown, written

_UNCAUGHT = re.compile(r"status 1: [A-Z]\w*(?:Error|Exception)\b")

Ending = Literal["raised", "unusable", "timeout", "cpu", "memory", "output", "died", "not run"]
Came = Literal["returned", "printed"] | Ending
Status = Literal["passed", "wrong"] | Ending


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case and what came of it. It is compared when that is asked for: an expectation may change.

    `raised`: the call raised an exception. `unusable`: the program cannot be imported or lacks the
    function. `died`: it ended without a result. The others are the limit that was reached.
    `value` is the returned value, or what was printed. `error` says in one line what happened
    instead; `raised` are the names of the exception's class and of those above it, none where a
    value could not be carried: it is nested too deep, or too long. Of a Python function that gave
    None: the beginning of what it `printed`, and its arguments as it `left` them. Of a case with
    files: those that it `wrote`, None for one that is gone; of a program in `run_calls` what it
    `ended` with, where that is not as usual.
    """

    case: Case
    came: Came
    value: Any = None
    error: str = ""
    raised: tuple[str, ...] = ()
    duration_ms: float | None = None
    printed: str = ""
    left: tuple[Any, ...] = ()
    wrote: Mapping[str, str | None] = field(default_factory=dict)
    ended: str = ""

    def of(self, case: Case) -> "CaseResult":
        """The same for a case that expects something else."""
        return replace(self, case=case)

    @property
    def gave(self) -> bool:
        """Whether there is a value."""
        return self.came in ("returned", "printed")

    @property
    def passed(self) -> bool:
        expected = self.case.expected
        if expected is ANY_VALUE:
            return self.gave
        if isinstance(expected, Raises):
            if self.case.stdin is not None:
                return self._has_failed
            return self.came == "raised" and expected.name in self.raised
        if isinstance(expected, ShownTable):
            return self.came == "returned" and expected.is_shown_by(self.value)
        if self.came == "printed":
            if isinstance(expected, ShownText):
                return expected.is_shown_by(self.value)
            return self.case.stdin is not None and same_text(self.value, str(expected))
        if self.came != "returned" or self.case.stdin is not None:
            return False
        value = bool(self.value) if self.case.truth else self.value
        if self.case.digits:
            value = rounded(value, self.case.digits)
        if self.case.unordered:
            value, expected = in_one_order(value), in_one_order(expected)
        return same(value, expected)

    @property
    def _has_failed(self) -> bool:
        """Whether a program ended as one that says what is wrong, not by an exception of Python's
        that it did not catch."""
        if self.came == "died":
            return _UNCAUGHT.match(self.error) is None
        return self.came == "printed" and bool(self.ended)

    @property
    def status(self) -> Status:
        if self.passed:
            return "passed"
        return "wrong" if self.gave else cast(Ending, self.came)

    @property
    def said(self) -> str:
        """What happened, for models and people: `it gave 4`."""
        if not self.gave:
            return shown(self.error)
        printed = f"printed {shown(written(self.printed))}" if self.printed else ""
        left = f"left {shown(written(self.left))}" if self.has_changed else ""
        return ", and ".join(filter(None, (f"it gave {shown(written(self.value))}", printed, left)))

    @property
    def has_changed(self) -> bool:
        """Whether a call that gave None changed its arguments."""
        return bool(self.left) and not same(self.left, self.case.arguments.args)

    def as_json(self) -> dict[str, Any]:
        """The result as a round of the record keeps it."""
        return {
            "name": self.case.name,
            "status": self.status,
            "got": shown(written(self.value)) if self.gave else None,
            "error": None if self.gave or self.passed else shown(self.error),
            "duration_ms": self.duration_ms,
        }


_LIMITS = {
    "cpu": "used up its processor time",
    "memory": "took too much memory",
    "output": "printed without end",
}


def without_result(case: Case, outcome: Outcome) -> CaseResult:
    """Of a program that ended before it said what came of the case."""
    took = outcome.duration_ms
    if outcome.ended == "timeout":
        error = f"not done after {outcome.duration_s:.1f} s"
        return CaseResult(case, "timeout", error=error, duration_ms=took)
    if outcome.ended == "exited" or outcome.ended == "signal":
        error = f"ended with status {outcome.exit} and without a result: {outcome.last_words}"
        return CaseResult(case, "died", error=error.rstrip(": "), duration_ms=took)
    return CaseResult(case, outcome.ended, error=_LIMITS[outcome.ended], duration_ms=took)
