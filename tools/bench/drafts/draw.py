"""Draws the drafts of problems with hidden tests, and executes each."""

from collections.abc import Sequence
from typing import Any

from config import Settings
from history.bench_results import ResultFile, key_of
from history.record import PASSING
from pipeline.analysis.draft import Draft, read_draft
from pipeline.errors import LaiosError
from pipeline.review.coder import run_coder
from pipeline.review.draft_evidence import examine
from pipeline.review.drawing import Drawn
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED
from pipeline.task import Task
from pipeline.testcases.case_runner import require_sandbox
from server.benchmark.measurement import Bench
from server.benchmark.problems import Problem
from server.terminal.counting import counting
from tools.bench.drafts.executed import Executed, conditions, run_of


async def draw(
    settings: Settings, problems: Sequence[Problem], varied: int, file: ResultFile
) -> None:
    """Of each problem the greedy draft and `varied` others, each asked for by itself as the default
    mode asks for its first one; what is in the file is not drawn again. Raises SandboxUnavailable,
    and what keeps the model from being asked at all."""
    await require_sandbox(settings)
    there = {key_of(row) for row in file}
    async with Bench(settings) as bench:
        common = conditions("coder", bench.names()["coder"], settings)
        with counting(len(problems) * (varied + 1)) as advance:
            for problem in problems:
                for number in range(1, varied + 2):
                    arm = f"draft {number}"
                    key = common | {"problem": problem.id, "arm": arm}
                    if key_of(key) not in there:
                        file.append(key | await _row(bench, problem, number))
                    advance(f"{problem.id} {arm}")


async def _row(bench: Bench, problem: Problem, number: int) -> dict[str, Any]:
    """A failure of the model that could pass is raised, any other is a draft without code."""
    temperature, task = VARIED if number > 1 else GREEDY, Task(problem.prompt)
    with run_of(problem.prompt, bench.settings, bench.models) as run:
        draft, error = await _draft(run, task, temperature)
        calls = [step for step in run.steps if step.model]
        seconds = sum(step.duration_ms or 0 for step in calls) / 1000
        tokens = sum(step.output_tokens or 0 for step in calls)
        examined = await examine(run, task, draft, "coder")
    drawn = Drawn(number, examined, temperature, seconds, tokens)
    right = await bench.passes(problem, draft.text)
    executed = Executed("", problem.id, problem.prompt, drawn, right)
    return executed.as_json() | {"error": error}


async def _draft(run: Run, task: Task, temperature: float) -> tuple[Draft, str | None]:
    """With the error's code, where there is one."""
    run.plan_window(task)
    try:
        return await run_coder(run, task, temperature=temperature, complete=True), None
    except LaiosError as error:
        if error.code in PASSING:
            raise
        return read_draft("coder", "", task.prompt), error.code
