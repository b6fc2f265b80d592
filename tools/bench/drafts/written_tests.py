"""Has a model write the tests by which the default mode tells drafts apart that differ."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from config import Settings
from history.bench_results import ResultFile, key_of
from history.bench_summary import latest
from pipeline.review.agreement import results_of
from pipeline.review.draft_comparison import tests_of_function
from pipeline.task import Task
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.examples.example_search import find_examples
from server.benchmark.measurement import Bench
from server.terminal.counting import counting
from tools.bench.drafts.executed import Executed, conditions, run_of


async def ask_tests(
    settings: Settings, problems: Sequence[list[Executed]], file: ResultFile
) -> None:
    """Once a problem, and runs them with each of its drafts that no evidence speaks against; what
    is in the file is not asked again. Raises SandboxUnavailable, and what keeps the model from
    being asked at all."""
    there = {key_of(row) for row in file}
    async with Bench(settings) as bench:
        common = conditions("coder", bench.names()["coder"], settings)
        with counting(len(problems)) as advance:
            for drafts in problems:
                key = common | {"problem": drafts[0].problem, "arm": "tests"}
                if key_of(key) not in there:
                    file.append(key | await _row(bench, drafts))
                advance(drafts[0].problem)


async def _row(bench: Bench, drafts: Sequence[Executed]) -> dict[str, Any]:
    """`held`: by the draft's number, which of the tests hold."""
    prompt = drafts[0].prompt
    sound = {each.drawn.number: each.draft for each in drafts if not each.draft.fault}
    if not sound:
        return {"tests": [], "held": {}, "tokens": 0, "seconds": 0.0}
    with run_of(prompt, bench.settings, bench.models) as run:
        task, first = Task(prompt), next(iter(sound.values()))
        run.plan_window(task)
        function = entry_of(first.text, find_examples(prompt).function)
        suite = await tests_of_function(run, task, function, first.text)
        asked = [step for step in run.steps if step.model]
        held = {
            str(number): [each.passed for each in came]
            for number, draft in sound.items()
            if (came := await results_of(run, draft.text, suite.cases, function))
        }
    return {
        "tests": [suite.described(case) for case in suite.cases],
        "held": held,
        "tokens": sum(step.output_tokens or 0 for step in asked),
        "seconds": round(sum(step.duration_ms or 0 for step in asked) / 1000, 3),
    }


def read_held(path: Path) -> dict[str, Mapping[int, Sequence[bool]]]:
    """By the problem's id: which tests the drafts hold, by their places. Of the newest revision.
    Raises OSError, KeyError and ValueError."""
    return {
        row["problem"]: {int(number) - 1: held for number, held in row["held"].items()}
        for row in latest([*ResultFile(path)])
    }
