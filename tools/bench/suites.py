"""What the tests that `///test` keeps are worth: `python -m tools.bench.suites --history DIRECTORY
--problems FILE [--json]`.

Reads the records of `laios bench --modes tested --keep-runs` and holds the generated tests of each
run against the problem's reference solution (HumanEval's `canonical_solution` behind its prompt,
MBPP's `code`) in the sandbox: those that the run kept, and those that no two drafts passed and
were left out. A suite is right if all that is kept of it is. The seconds and tokens are those of
the tester's own steps. Asks no model.
"""

import argparse
import asyncio
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import load_settings
from history.reader import Reader
from history.record import Record
from history.statistics import wilson
from pipeline.sandbox import Limits, run_calls
from pipeline.testcases.examples.example_search import find_examples
from server.benchmark.problems import read_problems

TESTED, TESTER = "code_tested", "tester"


@dataclass(frozen=True, slots=True)
class Held:
    """One run: of its generated tests, whether each holds for the reference."""

    kept: Sequence[bool]
    left_out: Sequence[bool]
    seconds: float
    tokens: int


def references(path: Path) -> dict[str, tuple[str, str]]:
    """By the prompt: the function's name and the reference solution. Raises ProblemsError."""
    text = path.read_text("utf-8")
    rows = json.loads(text) if text.lstrip().startswith("[") else map(json.loads, text.splitlines())
    solutions = [_solution(row) for row in rows]
    problems = read_problems(path)
    return {
        problem.prompt.strip(): (problem.entry_point, solution)
        for problem, solution in zip(problems, solutions, strict=True)
        if solution
    }


def _solution(row: Mapping[str, Any]) -> str:
    body = str(row.get("canonical_solution", ""))
    whole = body.lstrip("\n").startswith(("def ", "class ", "import ", "from "))
    return str(row.get("code", "")) or (body if whole else f"{row['prompt']}{body}")


async def held(record: Record, function: str, solution: str, limits: Limits) -> Held:
    """Raises SandboxUnavailable."""
    artefact = record["artefact"] or {}
    generated = [test for test in artefact["tests"] if not test["anchor"]]
    steps = [step for step in record["steps"] if step["stage"] == TESTER]
    return Held(
        await _right(generated, function, solution, limits),
        await _right(artefact["left_out"], function, solution, limits),
        sum(step["duration_ms"] or 0 for step in steps) / 1000,
        sum(step["output_tokens"] or 0 for step in steps),
    )


async def _right(
    tests: Sequence[Mapping[str, Any]], function: str, solution: str, limits: Limits
) -> list[bool]:
    lines = "\n".join(f"assert {function}({t['input']}) == {t['expected']}" for t in tests)
    cases = find_examples(lines).cases
    if not cases:
        return [False] * len(tests)
    results = await run_calls(solution, cases, limits, entry=function)
    passed = {(result.case.input, result.case.output): result.passed for result in results}
    return [passed.get((test["input"], test["expected"]), False) for test in tests]


def _tested(history: Path) -> Iterator[Record]:
    for record in Reader(history):
        if record.get("mode") == TESTED and "tests" in (record.get("artefact") or {}):
            yield record


async def every(history: Path, problems: Path) -> list[Held]:
    """Of each problem its last run."""
    known = references(problems)
    last = {(record["original_prompt"] or "").strip(): record for record in _tested(history)}
    limits = Limits.of_calls(load_settings())
    return [
        await held(record, *known[prompt], limits)
        for prompt, record in last.items()
        if prompt in known
    ]


def summary(runs: Sequence[Held]) -> dict[str, Any]:
    kept = [right for run in runs for right in run.kept]
    left = [right for run in runs for right in run.left_out]
    with_tests = [run for run in runs if run.kept]
    return {
        "runs": len(runs),
        "kept": len(kept),
        "kept_right": sum(kept),
        "kept_interval": wilson(sum(kept), len(kept)),
        "left_out": len(left),
        "left_out_right": sum(left),
        "suites": len(with_tests),
        "suites_right": sum(all(run.kept) for run in with_tests),
        "seconds": statistics.mean(run.seconds for run in runs),
        "tokens": statistics.mean(run.tokens for run in runs),
    }


def told(row: Mapping[str, Any]) -> str:
    low, high = row["kept_interval"]
    return (
        f"{row['runs']} runs of ///test. Generated tests kept: {row['kept']}, right "
        f"{row['kept_right']} ({low:.0%}–{high:.0%}); left out: {row['left_out']}, right "
        f"{row['left_out_right']}. Suites with tests kept: {row['suites']}, right altogether "
        f"{row['suites_right']}. The tester: {row['seconds']:.1f} s and {row['tokens']:.0f} "
        "tokens a run."
    )


def main(words: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--history", type=Path, required=True, metavar="DIRECTORY")
    options.add_argument("--problems", type=Path, required=True, metavar="FILE")
    options.add_argument("--json", action="store_true")
    given = options.parse_args(words)
    runs = asyncio.run(every(given.history, given.problems))
    if not runs:
        raise SystemExit("No run of ///test for these problems: `laios bench --keep-runs` first.")
    row = summary(runs)
    print(json.dumps(row) if given.json else told(row))


if __name__ == "__main__":
    main()
