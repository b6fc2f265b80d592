"""The bench of the modes (`tools/bench/tested.py`) and its problems."""

import asyncio
import json
import shutil

import pytest

from config import load_settings
from pipeline.sandbox import Arguments, Case, Limits, Raises, run_case
from pipeline.testcases.example_search import find_examples
from tests.conftest import ROLES_IN_CAPITALS
from tools.bench.tested import PROBLEMS, Problem, measure, passes, read_problems, table

pytestmark = [
    pytest.mark.only_when("tools/"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"),
]

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

    async def check(line, problem):
        suite = find_examples(problem.prompt)
        assert suite.anchors and suite.function == problem.entry_point, problem.task_id
        arguments = [case.arguments.args for case in suite.cases]
        values = [str(e) if isinstance(e := case.expected, Raises) else e for case in suite.cases]
        code = line["canonical_solution"] + problem.test
        code += EXAMPLES.format(name=problem.entry_point, arguments=arguments)
        async with turn:
            case = Case(Arguments(), values, "laios_examples")
            result = await run_case(code, case, Limits.of(settings))
            assert result.passed, (problem.task_id, result.said)
            assert not await passes(problem, f"def {problem.entry_point}(*a): return 0", settings)

    problems = read_problems(PROBLEMS)
    assert len(problems) >= 30
    await asyncio.gather(*(check(*each) for each in zip(LINES, problems, strict=True)))


async def test_the_modes_are_compared(script, tmp_path, capsys):
    """A wrong draft stays wrong in raw, and is mended where its example is run."""
    wrong, right = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
    model = script(
        {"role": "tester", "reply": '{"kind":"nothing","function":"","signature":"","tests":[]}'},
        {"role": "coder", "reply": wrong},
        {"role": "reviewer", "reply": right},
        {"role": "judge", "verdict": [9, 1, ""]},
    )
    problem = {
        "task_id": "HumanEval/x",
        "prompt": 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n',
        "entry_point": "add",
        "test": "def check(candidate):\n    assert candidate(2, 2) == 4\n",
    }
    (tmp_path / "problems").mkdir()
    (tmp_path / "problems" / "a.jsonl").write_text(json.dumps(problem) + "\n")
    problems = read_problems(tmp_path / "problems")
    assert problems == [Problem(**problem)]
    roles = {f"{role}_MODEL_NAME": model for role in ROLES_IN_CAPITALS}
    outcomes = await measure(problems, ["raw", "reviewed", "tested"], load_settings(**roles))
    assert [outcome.passed for outcome in outcomes] == [False, True, True]
    rows = table(outcomes).splitlines()
    assert rows[2].startswith("| raw | 0.0% | 0 of 1 | 0 | 0 | 0 | 0.0 |")
    assert rows[4].startswith("| tested | 100.0% | 1 of 1 | 0 | 1 | 0 | 2.0 |")
    assert "HumanEval/x tested: pass" in capsys.readouterr().err
