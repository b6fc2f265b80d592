"""What came of a program's tests. Pure."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from pipeline.sandbox import Outcome

_SHOWN = 10
IDLE = "the tests pass whatever the program does"


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One test and what came of it. `compared`: its values were, where no code of the program
    runs; else it is the program's own word."""

    test: str
    status: Literal["passed", "failed", "not run"]
    message: str = ""
    compared: bool = False


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What came of a program's tests. `problem`: why they were not all run, or "". `given`: they
    are the caller's. `whole`: they ran to their end. `idle`: they pass whatever the program
    does."""

    done: tuple[TestOutcome, ...] = ()
    problem: str = ""
    given: bool = False
    whole: bool = True
    idle: bool = False

    @classmethod
    def reported(
        cls, done: list[TestOutcome], outcome: Outcome, why: str, *, whole: bool, checks: str
    ) -> "SuiteRun":
        """Of tests that report themselves: where they did not run to their end and none failed,
        all failed, for a limit or by `why`; where there is none, the `checks` passed."""
        if not whole and not any(each.status == "failed" for each in done):
            if outcome.ended not in ("exited", "signal"):
                why = f"they reached the {outcome.ended} limit"
            done = [*done, TestOutcome("the tests", "failed", why)]
        return cls(tuple(done) or (TestOutcome(checks, "passed"),), whole=whole)

    @property
    def passed(self) -> int:
        return sum(check.status == "passed" for check in self.done)

    @property
    def failed(self) -> tuple[TestOutcome, ...]:
        return tuple(check for check in self.done if check.status == "failed")

    @property
    def ran(self) -> int:
        return self.passed + len(self.failed)

    @property
    def compared(self) -> bool:
        """Whether one of them at least is more than the program's own word."""
        return any(check.compared for check in self.done)

    @property
    def facts(self) -> str:
        """For a judge or a coder; "" where nothing was run."""
        if not self.ran:
            return ""
        lines = [f"{self.passed} of {self.ran} tests pass."]
        lines += [f"- {check.test}: {check.message}" for check in self.failed[:_SHOWN]]
        lines += [self.problem] if self.problem else []
        lines += [f"{IDLE[0].upper()}{IDLE[1:]}."] if self.idle else []
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        return {
            "done": [asdict(check) for check in self.done],
            "problem": self.problem or None,
            "given": self.given,
            "idle": self.idle,
        }
