"""The problems that the starter is measured on (`tools/bench/problems.jsonl`)."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from config import load_settings
from pipeline.sandbox import Arguments, Case, Limits, Raises, run_case
from pipeline.testcases.examples.example_search import find_examples
from server.benchmark.measurement import Bench
from server.benchmark.problems import read_problems

pytestmark = [
    pytest.mark.only_when("tools/", "server/benchmark/"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"),
]

PROBLEMS = Path(__file__).parent.parent / "tools" / "bench" / "problems.jsonl"
LINES = [json.loads(line) for line in PROBLEMS.read_text().splitlines()]


EXAMPLES = """

def laios_examples():
    check({name})
    values = []
    for args in {arguments}:
        try:
            values.append({name}(*args))
        except Exception as error:
            values.append("raises " + type(error).__name__)
    return values
"""


async def test_every_problem_can_be_solved_and_its_examples_hold():
    """The reference solution passes the hidden tests and gives what the prompt's examples say; a
    function that always gives 0 does not pass."""
    settings, turn = load_settings(), asyncio.Semaphore(4)
    bench = Bench(settings)

    async def check(line, problem):
        suite = find_examples(problem.prompt)
        assert suite.anchors and suite.function == problem.entry_point, problem.id
        arguments = [case.arguments.args for case in suite.cases]
        values = [str(e) if isinstance(e := case.expected, Raises) else e for case in suite.cases]
        code = line["canonical_solution"] + problem.test
        code += EXAMPLES.format(name=problem.entry_point, arguments=arguments)
        async with turn:
            case = Case(Arguments(), values, "laios_examples")
            result = await run_case(code, case, Limits.of(settings))
            assert result.passed, (problem.id, result.said)
            assert not await bench.passes(problem, f"def {problem.entry_point}(*a): return 0")

    problems = read_problems(PROBLEMS)
    assert len(problems) >= 30
    await asyncio.gather(*(check(*each) for each in zip(LINES, problems, strict=True)))
