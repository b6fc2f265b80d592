"""Running tests in the sandbox. What they say is the program's own word, but for those that can be
compared outside."""

import asyncio
from dataclasses import asdict, dataclass
from typing import Any

from pipeline import sandbox
from pipeline.analysis.languages import title
from pipeline.run import Run
from pipeline.sandbox.test_files import LOADING, ReportedTest, run_test_files
from pipeline.testcases.outside_comparison import CaseOutcome, compared

_PROGRAM, _TESTS = "solution.py", "tests.py"
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What came of a program's tests. `problem`: why they were not all run, or "". `given`: they
    are the caller's. `whole`: they ran to their end."""

    done: tuple[CaseOutcome, ...] = ()
    problem: str = ""
    given: bool = False
    whole: bool = True

    @property
    def passed(self) -> int:
        return sum(check.status == "passed" for check in self.done)

    @property
    def failed(self) -> tuple[CaseOutcome, ...]:
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
        if self.problem:
            lines.append(self.problem)
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        return {
            "done": [asdict(check) for check in self.done],
            "problem": self.problem or None,
            "given": self.given,
        }


async def run_tests(
    run: Run, code: str, tests: str, *, language: str | None = "python", given: bool = False
) -> SuiteRun:
    """Runs the tests of a program; a step of the record. Where nothing can be run (no sandbox,
    another language than Python), `problem` says so."""
    if language != "python":
        spoken = title(language) if language else "a language that is not known"
        return SuiteRun(problem=f"Tests in {spoken} are not run here.", given=given)
    files = {_PROGRAM: code, _TESTS: tests}
    with run.step("sandbox", "tests") as step:
        try:
            limits = sandbox.Limits.of(run.settings)
            async with asyncio.timeout_at(run.deadline):
                rows, outcome = await run_test_files(files, [_TESTS], limits, program=_PROGRAM)
                said = tuple(filter(None, (_outcome_of(row, tests, outcome) for row in rows)))
                loaded = all(row.test != LOADING for row in rows)
                done = await compared(code, tests, said, limits) if loaded else said
        except TimeoutError:
            return SuiteRun(
                problem="The run's time was used up before its tests ended.", given=given
            )
        except sandbox.SandboxUnavailable as error:
            step.note = error.message
            return SuiteRun(problem="There is no sandbox here to run tests in.", given=given)
        checks = SuiteRun(done, _problem(outcome, done), given, _is_whole(outcome))
        step.note = f"{checks.passed} of {checks.ran} tests pass"
    return checks


def _outcome_of(row: ReportedTest, tests: str, outcome: sandbox.Outcome) -> CaseOutcome | None:
    """None for a file whose loading reached a limit: that proves nothing."""
    loading = row.test == LOADING
    if row.status == "unfinished":
        if loading and outcome.ended not in ("exited", "signal"):
            return None
        said = f"it ended the process (status {outcome.exit})" if loading else "it did not end"
        return CaseOutcome(_name(row), "failed", said)
    if row.status == "passed":
        return CaseOutcome(_name(row), "passed")
    if row.status == "skipped" and _of_program(row):
        return CaseOutcome(_name(row), "failed", "the program skips its test")
    if row.status in ("skipped", "absent"):
        return CaseOutcome("" if loading else _name(row), "not run", row.error)
    return CaseOutcome(_name(row), "failed", f"{row.error}{_where(row, tests)}"[:300])


def _of_program(row: ReportedTest) -> bool:
    """Whether what was raised passed through the program: only tests may skip themselves."""
    return row.file == _PROGRAM or any(name == _PROGRAM for name, _ in row.frames)


def _is_whole(outcome: sandbox.Outcome) -> bool:
    return outcome.ended == "exited" and outcome.exit == 0


def _name(row: ReportedTest) -> str:
    if row.test == LOADING:
        return "the program" if row.file == _PROGRAM else "the tests"
    return row.test.removeprefix("tests.")


def _where(row: ReportedTest, tests: str) -> str:
    """The line of the tests that failed."""
    line = next((line for name, line in reversed(row.frames) if name == _TESTS), 0)
    lines = tests.splitlines()
    return f" (line {line}: {lines[line - 1].strip()})" if 0 < line <= len(lines) else ""


def _problem(outcome: sandbox.Outcome, done: tuple[CaseOutcome, ...]) -> str:
    left_out = [check for check in done if check.status == "not run"]
    if outcome.ended != "exited" and outcome.ended != "signal":
        return f"The tests were ended for their {outcome.ended} limit."
    if outcome.exit:
        said = (outcome.stderr.strip().splitlines() or [""])[-1][:300]
        return f"The tests ended with status {outcome.exit}: {said}"
    if left_out:
        return f"{len(left_out)} tests could not be run here: {left_out[0].message}"
    return "" if done else "There are no tests that can be run here."
