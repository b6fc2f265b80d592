"""Evidence from the tests that a draft brings: of its own code, or of the code in its request."""

import asyncio
import re
from dataclasses import replace

from pipeline import sandbox
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.failing_assertions import without_failing
from pipeline.given_code import split_code
from pipeline.run import Run
from pipeline.sandbox.test_files import ReportedTest, run_test_files

_TESTS, _PROGRAM = "tests.py", "program.py"
_SHOWN = 2  # failing tests
_ROUNDS = 5  # of leaving out what fails: a test ends with the first assertion that does
_SHALL_FAIL = re.compile(
    r"\b(?:reproduc|demonstrat|expos|show)\w*\b[^.\n]{0,40}\b(?:bug|fault|error)"
    r"|\bfailing tests? (?:for|that|which)\b|\btests? (?:that|which) fails?\b",
    re.IGNORECASE,
)
_MOST_READ = 20_000  # characters of a request


async def with_own_tests(run: Run, request: str, draft: Draft, source: DraftSource) -> Draft:
    """The draft, which has tests, with those as findings that fail. Of tests that were asked for of
    the request's code a few wrong assertions become comments instead, which say what came: another
    draft mostly has others. What else is raised may come of what the sandbox lacks, and where a bug
    is to be shown they may fail. Raises SandboxUnavailable."""
    if _SHALL_FAIL.search(request[:_MOST_READ]):
        return draft
    given = await asyncio.to_thread(split_code, request)
    program = given.code if given.language == "python" else ""
    failed = await _failed(run, draft.text, program)
    mended = await _without_failing(run, draft.text, program, failed) if program and failed else ""
    if mended:
        said = "assertions left out that fail on the code of the request"
        return replace(draft, text=mended, as_said="", mended=(*draft.mended, said))
    if not failed:
        return draft
    named = (f"{row.test.rpartition('.')[2]} ({row.error})" for row in failed[:_SHOWN])
    detail = f"its own tests fail: {', '.join(named)}"
    return replace(draft, findings=(Finding(source, "crash", detail),))


async def _failed(run: Run, text: str, program: str) -> list[ReportedTest]:
    """The tests with an assertion that does not hold; one step of the record. None where the run's
    time is used up."""
    files = {_TESTS: text} | ({_PROGRAM: program} if program else {})
    with run.step("sandbox", "own tests") as step:
        try:
            async with asyncio.timeout_at(run.deadline):
                limits = sandbox.Limits.of(run.settings)
                rows, _ = await run_test_files(
                    files, [_TESTS], limits, program=_PROGRAM if program else ""
                )
        except TimeoutError:
            return []
        ran = [row for row in rows if row.status in ("passed", "failed")]
        failed = [row for row in ran if row.status == "failed"]
        step.note = f"{len(ran) - len(failed)} of {len(ran)} tests pass"
    return failed


async def _without_failing(run: Run, text: str, program: str, failed: list[ReportedTest]) -> str:
    """The tests without what fails; "" where too little would be left."""
    for _ in range(_ROUNDS):
        lines = {
            next((line for file, line in reversed(row.frames) if file == _TESTS), 0): row.error
            for row in failed
        }
        text = await asyncio.to_thread(without_failing, text, lines)
        if not text or not (failed := await _failed(run, text, program)):
            return text
    return ""
