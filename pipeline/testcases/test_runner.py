"""Run tests in the sandbox. The program reports them itself, but for those that can be compared
outside."""

import ast
import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from pipeline import sandbox
from pipeline.analysis.emptied_functions import emptied
from pipeline.analysis.languages import title
from pipeline.analysis.python_syntax import top_level
from pipeline.run import Run
from pipeline.sandbox.test_files import LOADING, ReportedTest, run_test_files
from pipeline.testcases.bash_tests import run_bash_tests
from pipeline.testcases.case_runner import can_run
from pipeline.testcases.outside_comparison import compared
from pipeline.testcases.program_mutants import mutants
from pipeline.testcases.script_tests import run_script_tests, run_typescript_tests
from pipeline.testcases.suite_run import SuiteRun, TestOutcome

_PROGRAM, _TESTS = "solution.py", "tests.py"
_NO_TIME = "The run's time was used up before its tests ended."
_NO_SANDBOX = "There is no sandbox here to run tests in."
_SCRIPTS: dict[str, Callable[[str, str, sandbox.Limits], Awaitable[SuiteRun]]] = {
    "javascript": run_script_tests,
    "typescript": run_typescript_tests,
    "bash": run_bash_tests,
    "shell": run_bash_tests,
}


async def run_tests(
    run: Run, code: str, tests: str, *, language: str | None = "python", given: bool = False
) -> SuiteRun:
    """Runs the tests of a program; a step of the record. Where nothing can be run (no sandbox,
    another language than Python, JavaScript, TypeScript and Bash), `problem` says so."""
    if language not in ("python", *_SCRIPTS) or not can_run(language, programs=True):
        spoken = title(language) if language else "a language that is not known"
        return SuiteRun(problem=f"Tests in {spoken} are not run here.", given=given)
    with run.step("sandbox", "tests") as step:
        try:
            limits = sandbox.Limits.of(run.settings)
            async with asyncio.timeout_at(run.deadline):
                checks = replace(await _run(language, code, tests, limits), given=given)
        except TimeoutError:
            return SuiteRun(problem=_NO_TIME, given=given)
        except sandbox.SandboxUnavailable as error:
            step.note = error.message
            return SuiteRun(problem=_NO_SANDBOX, given=given)
        if not given and checks.ran and not checks.failed:
            idle = await _notice_nothing(run, language, code, tests, limits)
            checks = replace(checks, idle=idle)
        step.note = f"{checks.passed} of {checks.ran} tests pass"
    return checks


async def _run(language: str, code: str, tests: str, limits: sandbox.Limits) -> SuiteRun:
    if language in _SCRIPTS:
        return await _SCRIPTS[language](code, tests, limits)
    rows, outcome = await _run_python(code, tests, limits)
    done = await asyncio.to_thread(outcomes_of, rows, tests, outcome)
    if all(row.test != LOADING for row in rows):
        done = await compared(code, tests, done, limits)
    if not done and outcome.exit == 0 and await asyncio.to_thread(_asserts, tests):
        done = (TestOutcome("the asserts", "passed"),)
    return SuiteRun(done, _problem(outcome, done), whole=outcome.exit == 0)


async def _run_python(
    code: str, tests: str, limits: sandbox.Limits
) -> tuple[list[ReportedTest], sandbox.Outcome]:
    files = {_PROGRAM: code, _TESTS: tests}
    return await run_test_files(files, [_TESTS], limits, program=_PROGRAM)


async def _notice_nothing(
    run: Run, language: str, code: str, tests: str, limits: sandbox.Limits
) -> bool:
    """Whether the tests fail on no changed program: then they prove nothing. No where there is none
    to change, no time, or no sandbox any more."""
    changed = await asyncio.to_thread(_changed, language, code)
    for each in changed:
        try:
            async with asyncio.timeout_at(run.deadline):
                if not await _passes(language, each, tests, limits):
                    return False
        except (TimeoutError, sandbox.SandboxUnavailable):
            return False
    return bool(changed)


def _changed(language: str, code: str) -> list[str]:
    """Programs with something changed in them."""
    if language == "python":
        return mutants(code)
    changed = emptied(language, code)
    return [changed] if changed else []


async def _passes(language: str, changed: str, tests: str, limits: sandbox.Limits) -> bool:
    if language in _SCRIPTS:
        found = await _SCRIPTS[language](changed, tests, limits)
        return found.whole and all(each.status == "passed" for each in found.done)
    rows, outcome = await _run_python(changed, tests, limits)
    said = await asyncio.to_thread(outcomes_of, rows, tests, outcome)
    return outcome.exit == 0 and not any(row.status == "failed" for row in said)


def _asserts(tests: str) -> bool:
    """Whether they are checks without a function around them, which hold if they are passed."""
    return any(isinstance(node, ast.Assert) for node in top_level(tests))


def outcomes_of(
    rows: Sequence[ReportedTest], tests: str, outcome: sandbox.Outcome
) -> tuple[TestOutcome, ...]:
    """What came of the tests by their report, which the program may have written. Pure."""
    lines = tests.splitlines()
    return tuple(filter(None, (_outcome_of(row, lines, outcome) for row in rows)))


def _outcome_of(
    row: ReportedTest, lines: Sequence[str], outcome: sandbox.Outcome
) -> TestOutcome | None:
    """None for a file whose loading reached a limit: that proves nothing."""
    loading = row.test == LOADING
    if row.status == "unfinished":
        if loading and outcome.ended not in ("exited", "signal"):
            return None
        said = f"it ended the process (status {outcome.exit})" if loading else "it did not end"
        return TestOutcome(_name(row), "failed", said)
    if row.status == "passed":
        return TestOutcome(_name(row), "passed")
    if row.status == "skipped" and _of_program(row):
        return TestOutcome(_name(row), "failed", "the program skips its test")
    if row.status in ("skipped", "absent"):
        return TestOutcome("" if loading else _name(row), "not run", row.error)
    return TestOutcome(_name(row), "failed", f"{row.error}{_where(row, lines)}"[:300])


def _of_program(row: ReportedTest) -> bool:
    """Whether what was raised passed through the program: only tests may skip themselves."""
    return row.file == _PROGRAM or any(name == _PROGRAM for name, _ in row.frames)


def _name(row: ReportedTest) -> str:
    if row.test == LOADING:
        return "the program" if row.file == _PROGRAM else "the tests"
    return row.test.removeprefix("tests.")


def _where(row: ReportedTest, lines: Sequence[str]) -> str:
    """The line of the tests that failed."""
    line = next((line for name, line in reversed(row.frames) if name == _TESTS), 0)
    return f" (line {line}: {lines[line - 1].strip()})" if 0 < line <= len(lines) else ""


def _problem(outcome: sandbox.Outcome, done: tuple[TestOutcome, ...]) -> str:
    left_out = [check for check in done if check.status == "not run"]
    if outcome.ended not in ("exited", "signal"):
        return f"The tests were ended for their {outcome.ended} limit."
    if outcome.exit:
        return f"The tests ended with status {outcome.exit}: {outcome.last_words}"
    if left_out:
        return f"{len(left_out)} tests could not be run here: {left_out[0].message}"
    return "" if done else "There are no tests that can be run here."
