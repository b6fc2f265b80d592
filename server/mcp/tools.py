"""The table of tools: what each one does, with the daemon's client. Their docstrings are what the
calling model reads."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from laios import AsyncClient
from laios.errors import LaiosError
from laios.safe_paths import BadPath, check_paths
from laios.types import Answer, Judgement, ProgramOutcome, ProjectFiles
from pipeline.analysis.unified_diff import unified
from server.mcp.run_progress import Progress, run
from server.mcp.tool_input import (
    GivenCode,
    HistoryFilter,
    JudgedCode,
    Program,
    ProjectRequest,
    Question,
    RequestedCode,
    ToolInput,
)
from server.mcp.tool_results import (
    CodeResult,
    FoundPiece,
    FoundPieces,
    FoundRun,
    FoundRuns,
    ProjectResult,
    ReviewResult,
    TestedResult,
)

Work = Callable[[AsyncClient, Any, Progress], Awaitable[BaseModel]]


@dataclass(frozen=True, slots=True)
class Tool:
    """`reads_only`: nothing is changed anywhere; the others add a record to the history, or run a
    program. None destroys anything."""

    title: str
    work: Work
    takes: type[ToolInput]
    gives: type[BaseModel]
    reads_only: bool = False

    @property
    def name(self) -> str:
        return self.work.__name__

    @property
    def description(self) -> str:
        return " ".join((self.work.__doc__ or "").split())


async def generate_code(laios: AsyncClient, asked: RequestedCode, progress: Progress) -> CodeResult:
    """Have a local model write code: drafted, checked (syntax, names, a trial run, the request's
    examples), judged, and reviewed when that is needed. For a function or a file that can be
    described in a few sentences. `warnings` says what is known to be wrong with it,
    `open_questions` what an example would decide."""
    answer = await _run(laios, progress, asked, "code_reviewed")
    return CodeResult.of(
        answer,
        code=answer.output,
        reviewed=answer.details.final_source == "reviewer",
        verdict=answer.details.verdict,
        open_questions=answer.details.open_questions,
    )


async def test_code(laios: AsyncClient, asked: RequestedCode, progress: Progress) -> TestedResult:
    """Have a local model write tests first and then code, run in a sandbox and revised until the
    tests pass. Python. Use it when `passed` matters more than time: it is slower than
    generate_code."""
    answer = await _run(laios, progress, asked, "code_tested")
    return TestedResult.of(
        answer,
        code=answer.output,
        passed=answer.passed and answer.details.tests is not None,
        tests=answer.details.tests,
    )


async def review_code(laios: AsyncClient, asked: GivenCode, progress: Progress) -> ReviewResult:
    """Have a local model review code: faults are mended, the rest stays. Gives the whole code and
    the difference."""
    answer = await run(laios, progress, asked.code, mode="review_only")
    diff = await asyncio.to_thread(unified, asked.code, answer.output)
    return ReviewResult.of(
        answer,
        code=answer.output,
        changed=bool(diff),
        diff=diff,
        evidence=answer.details.evidence,
    )


async def judge_code(laios: AsyncClient, asked: JudgedCode, progress: Progress) -> Judgement:
    """Have code judged against what it is to do: facts (syntax, names, the request's examples, your
    tests, run in a sandbox) and a local model's opinion. Nothing is changed. `valid` is true where
    it was judged and nothing speaks against it."""
    more = asked.model_dump(exclude={"request", "code"}, exclude_none=True)
    async with progress.beating():
        await progress.stage("judging")
        return await laios.judge(asked.request, asked.code, **more)


async def make_project(
    laios: AsyncClient, asked: ProjectRequest, progress: Progress
) -> ProjectResult:
    """Have a local model plan and write a small project of several files, checked together. The
    files come back as text; nothing is written anywhere."""
    answer = await run(laios, progress, asked.request, mode="code_files", format="json")
    project = ProjectFiles.model_validate(json.loads(answer.output))
    try:
        check_paths(file.path for file in project.files)
    except BadPath as error:
        raise LaiosError(f"The project cannot be used: {error}. Ask again.") from None
    return ProjectResult.of(
        answer,
        **project.model_dump(),
        findings=answer.details.findings,
    )


async def run_code(laios: AsyncClient, asked: Program, progress: Progress) -> ProgramOutcome:
    """Run a program in laios' sandbox, compiled where its language is: no network, no files of the
    user, no packages beside the standard library, a few seconds and some hundred megabytes. Gives
    exit status and output, or the compiler's errors (`ended` is `compile_error`). No model is
    asked."""
    async with progress.beating():
        await progress.stage("running")
        return await laios.run_code(asked.code, asked.language, asked.stdin)


async def search_docs(laios: AsyncClient, asked: Question, progress: Progress) -> FoundPieces:
    """Search the documentation of libraries and folders that the user has indexed (laios docs add).
    Gives whole pieces, the best first. No model is asked."""
    found = await laios.docs.search(asked.query, asked.limit)
    return FoundPieces(pieces=[*map(FoundPiece.of, found)])


async def search_history(laios: AsyncClient, asked: HistoryFilter, progress: Progress) -> FoundRuns:
    """Search earlier requests and answers of laios, newest first, or list the newest. Texts are
    cut: read the resource `run` for all of a run."""
    given = asked.model_dump(exclude={"words"}, exclude_none=True)
    filters = {
        name: value for name, value in given.items() if value != ""
    }  # as many models fill in
    found = await laios.history.search(asked.words, **filters)
    return FoundRuns(runs=[*map(FoundRun.of, found)])


async def _run(laios: AsyncClient, progress: Progress, asked: RequestedCode, mode: str) -> Answer:
    """What was said before in the session is context; without one its field is left out."""
    in_session = {"mode": f"{mode}_ctx", "session": asked.session}
    options = in_session if asked.session else {"mode": mode}
    return await run(laios, progress, asked.request, **options)


TOOLS = {
    tool.name: tool
    for tool in (
        Tool("Generate code", generate_code, RequestedCode, CodeResult),
        Tool("Review code", review_code, GivenCode, ReviewResult),
        Tool("Judge code", judge_code, JudgedCode, Judgement),
        Tool("Write tests, then code", test_code, RequestedCode, TestedResult),
        Tool("Run a program in the sandbox", run_code, Program, ProgramOutcome),
        Tool("Write a small project", make_project, ProjectRequest, ProjectResult),
        Tool("Search documentation", search_docs, Question, FoundPieces, reads_only=True),
        Tool("Search earlier runs", search_history, HistoryFilter, FoundRuns, reads_only=True),
    )
}
