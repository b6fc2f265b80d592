"""Running tests in the sandbox. What they say is the program's own word: a hint, no proof."""

import asyncio
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pipeline import sandbox
from pipeline.run import Run

_INSIDE = Path(__file__).parent / "inside"
_FILES = ("checks.py", "pytest.py")
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One test and what came of it."""

    test: str
    status: Literal["passed", "failed", "not run"]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Checks:
    """What came of a program's tests. `problem`: why they were not all run, or "". `given`: they
    are the caller's."""

    done: tuple[Check, ...] = ()
    problem: str = ""
    given: bool = False

    @property
    def passed(self) -> int:
        return sum(check.status == "passed" for check in self.done)

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.done if check.status == "failed")

    @property
    def ran(self) -> int:
        return self.passed + len(self.failed)

    @property
    def facts(self) -> str:
        """For a judge or a coder; "" where nothing was run."""
        if not self.ran:
            return ""
        lines = [f"{self.passed} of {self.ran} tests pass."]
        lines += [f"- {check.test}: {check.message}" for check in self.failed[:_SHOWN]]
        if self.problem:
            lines.append(self.problem)
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        return {
            "done": [asdict(check) for check in self.done],
            "problem": self.problem or None,
            "given": self.given,
        }


async def run_checks(run: Run, code: str, tests: str, *, given: bool = False) -> Checks:
    """Runs the tests of a Python program; a step of the record. Where there is no sandbox, nothing
    is run, and `problem` says so."""
    files: dict[str, str | bytes] = {"solution.py": code, "tests.py": tests}
    files |= {name: (_INSIDE / name).read_bytes() for name in _FILES}
    with run.step("sandbox", "tests") as step:
        try:
            limits = sandbox.Limits.of(run.settings)
            async with asyncio.timeout_at(run.deadline):
                outcome = await sandbox.run(files, ("python", "-S", "checks.py"), limits)
        except TimeoutError:
            return Checks(problem="The run's time was used up before its tests ended.", given=given)
        except sandbox.SandboxUnavailable as error:
            step.note = error.message
            return Checks(problem="There is no sandbox here to run tests in.", given=given)
        checks = read_checks(outcome, given=given)
        step.note = f"{checks.passed} of {checks.ran} tests pass"
    return checks


def read_checks(outcome: sandbox.Outcome, *, given: bool) -> Checks:
    """The report as far as it goes; what the program wrote into it may be anything. A test that
    began and did not end has failed."""
    found: dict[str, Check] = {}
    for line in outcome.report.decode("utf-8", "replace").splitlines():
        try:
            value = json.loads(line)
            test, status, said = str(value["test"]), value["status"], str(value["message"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        if status == "began":
            found[test] = Check(test, "failed", "it did not end")
        elif status in ("passed", "failed", "not run"):
            found[test] = Check(test, status, said[:300])
    done = tuple(found.values())
    return Checks(done, _problem(outcome, done), given)


def _problem(outcome: sandbox.Outcome, done: tuple[Check, ...]) -> str:
    left_out = [check for check in done if check.status == "not run"]
    if outcome.ended != "exited" and outcome.ended != "signal":
        return f"The tests were ended for their {outcome.ended} limit."
    if outcome.exit:
        said = (outcome.stderr.strip().splitlines() or [""])[-1][:300]
        return f"The tests ended with status {outcome.exit}: {said}"
    if left_out:
        return f"{len(left_out)} tests could not be run here: {left_out[0].message}"
    return "" if done else "There are no tests that can be run here."
