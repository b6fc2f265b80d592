"""Evidence from the tests that a draft brings: of its own code, or of the code in its request."""

import ast
import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline import sandbox
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.failing_assertions import Place, without_failing
from pipeline.analysis.python_syntax import Function, top_level
from pipeline.analysis.test_definitions import has_tests
from pipeline.given_code import split_code
from pipeline.run import Run
from pipeline.sandbox.test_files import ReportedTest, run_test_files

_TESTS, _PROGRAM = "tests.py", "program.py"
_SHOWN = 2  # failing tests
_ROUNDS = 5  # of leaving out what fails: a test ends with the first assertion that does
_ROW = re.compile(r"\[(\d{1,9})\]$")  # of a parametrized test
_SHALL_FAIL = re.compile(
    r"\b(?:reproduc|demonstrat|expos|show)\w*\b[^.\n]{0,40}\b(?:bug|fault|error)"
    r"|\bfailing tests? (?:for|that|which)\b|\btests? (?:that|which) fails?\b",
    re.IGNORECASE,
)
_MOST_READ = 20_000  # characters of a request


async def with_own_tests(run: Run, request: str, draft: Draft, source: DraftSource) -> Draft:
    """The draft, which has tests, with those as findings that fail. Of tests that were asked for of
    the request's code a few wrong assertions become comments instead, with their errors: another
    draft mostly has others. What else is raised may come of what the sandbox lacks, and where a bug
    is to be shown they may fail. Raises SandboxUnavailable."""
    if _SHALL_FAIL.search(request[:_MOST_READ]):
        return draft
    given = await asyncio.to_thread(split_code, request)
    program = given.code if given.language == "python" else ""
    rows = await _ran(run, draft.text, program)
    failed = _failed(rows)
    are_of_it = bool(failed) and await asyncio.to_thread(_are_of, program, draft.text)
    mended = await _without_failing(run, draft.text, program, rows) if are_of_it else ""
    if mended:
        said = "assertions left out that fail on the code of the request"
        return replace(draft, text=mended, as_said="", mended=(*draft.mended, said))
    if not failed:
        return draft
    named = (f"{row.test.rpartition('.')[2]} ({row.error})" for row in failed[:_SHOWN])
    detail = f"its own tests fail: {', '.join(named)}"
    return replace(draft, findings=(Finding(source, "crash", detail),))


def _are_of(program: str, tests: str) -> bool:
    """Whether the tests are of this program as it is: they have no changed part of it, nor tests
    that it has itself."""
    if not program or has_tests("python", program):
        return False
    given, own = _definitions(program), _definitions(tests)
    return all(given[name] == own[name] for name in given.keys() & own.keys())


def _definitions(code: str) -> dict[str, str]:
    """The functions and classes that stand at the top, as text by their names."""
    lines = code.splitlines()
    nodes = [node for node in top_level(code) if isinstance(node, Function | ast.ClassDef)]
    return {node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in nodes}


def _failed(rows: Sequence[ReportedTest]) -> list[ReportedTest]:
    """The tests with an assertion that does not hold."""
    return [row for row in rows if row.status == "failed"]


async def _ran(run: Run, text: str, program: str) -> list[ReportedTest]:
    """What came of the tests; one step of the record. Nothing where the run's time is used up."""
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
        passed = sum(row.status == "passed" for row in rows)
        step.note = f"{passed} of {passed + len(_failed(rows))} tests pass"
    return rows


async def _without_failing(run: Run, text: str, program: str, rows: Sequence[ReportedTest]) -> str:
    """The tests without what fails; "" where too little would be left, or where it is not known
    that the others do what they did."""
    others = _others(rows)
    for _ in range(_ROUNDS):
        failing = {_place_of(row): row.error for row in _failed(rows)}
        text = await asyncio.to_thread(without_failing, text, failing)
        rows = await _ran(run, text, program) if text else []
        if not rows or _others(rows) - others:
            return ""
        if not _failed(rows):
            return text
    return ""


def _place_of(row: ReportedTest) -> Place:
    """Of its assertion in the tests; line 0 where it is in none of theirs."""
    line = next((line for file, line in reversed(row.frames) if file == _TESTS), 0)
    number = _ROW.search(row.test)
    return line, int(number[1]) if number else 0


def _others(rows: Sequence[ReportedTest]) -> set[str]:
    """Those that neither passed nor failed: they did not load, raised something else, were skipped
    or never ended."""
    return {row.test for row in rows if row.status not in ("passed", "failed")}
