"""Evidence from the tests that a draft brings: of its own code, or of the code in its request."""

import asyncio
import re

from pipeline import sandbox
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.given_code import split_code
from pipeline.run import Run
from pipeline.sandbox.test_files import run_test_files

_TESTS, _PROGRAM = "tests.py", "program.py"
_SHOWN = 2  # failing tests
_SHALL_FAIL = re.compile(
    r"\b(?:reproduc|demonstrat|expos|show)\w*\b[^.\n]{0,40}\b(?:bug|fault|error)"
    r"|\bfailing tests? (?:for|that|which)\b|\btests? (?:that|which) fails?\b",
    re.IGNORECASE,
)
_MOST_READ = 20_000  # characters of a request


async def failing_tests(
    run: Run, request: str, draft: Draft, source: DraftSource
) -> tuple[Finding, ...]:
    """The assertions in its own test functions, of which it has some, that do not hold; one step of
    the record. What else is raised may come of what the sandbox lacks, and where a bug is to be
    shown they may fail. Raises SandboxUnavailable."""
    if _SHALL_FAIL.search(request[:_MOST_READ]):
        return ()
    given = await asyncio.to_thread(split_code, request)
    program = _PROGRAM if given.language == "python" else ""
    files = {_TESTS: draft.text} | ({program: given.code} if program else {})
    with run.step("sandbox", "own tests") as step:
        try:
            async with asyncio.timeout_at(run.deadline):
                limits = sandbox.Limits.of(run.settings)
                rows, _ = await run_test_files(files, [_TESTS], limits, program=program)
        except TimeoutError:
            return ()
        ran = [row for row in rows if row.status in ("passed", "failed")]
        failed = [row for row in ran if row.status == "failed"]
        step.note = f"{len(ran) - len(failed)} of {len(ran)} tests pass"
    said = (f"{row.test.rpartition('.')[2]} ({row.error})" for row in failed[:_SHOWN])
    detail = f"tests of its own fail: {', '.join(said)}"
    return (Finding(source, "crash", detail),) if failed else ()
