"""The problems that ship with laios (`server/benchmark/problems.jsonl`) and their hidden tests."""

import ast
import asyncio
import json
import shutil
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from config import Settings
from pipeline.testcases.examples.example_search import find_examples
from server.benchmark.measurement import Bench
from server.benchmark.problems import Problem, read_problems

ROOT = Path(__file__).parent.parent
KEYS = ["task_id", "area", "examples", "prompt", "entry_point", "test", "canonical_solution"]
AREAS = {"strings", "collections", "parsing", "dates"}
AREAS |= {"classes", "machines", "numbers", "algorithms"}

# Reads jobs [program, test, name of the test's function, name of what it is given] and writes what
# each came to. A job has half a second of processor time.
RUNNER = """
import contextlib, io, json, signal, sys

class TooSlow(BaseException):
    pass

def stop(*_):
    raise TooSlow

def result(program, test, function, entry_point):
    mine, theirs = {"__name__": "test"}, {"__name__": "program"}
    exec(test, mine)
    try:
        exec(program, theirs)
        given = theirs[entry_point]
    except Exception as error:
        return f"does not run: {error!r}"
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
    try:
        mine[function](given)
    except TooSlow:
        return "too slow"
    except Exception as error:
        return f"fails: {error!r}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return "passes"

signal.signal(signal.SIGVTALRM, stop)
jobs = json.load(sys.stdin)
with contextlib.redirect_stdout(io.StringIO()):  # programs may print
    results = [result(*job) for job in jobs]
json.dump(results, sys.stdout)
"""


def read(path: str) -> list[dict]:
    """The objects of a file with one a line."""
    return [json.loads(line) for line in (ROOT / path).read_text(encoding="utf-8").splitlines()]


PROBLEMS = read("server/benchmark/problems.jsonl")
OBJECTS = read("tools/bench/objects.jsonl")  # decorators, classes, nodes: beside those that ship
DATA_FRAMES = read("tools/bench/data_frames.jsonl")  # with numpy and pandas
SHOWN = read("tools/bench/shown_tables.jsonl")  # with the result that is wanted; also of SQL
SCRIPTS = [row for row in DATA_FRAMES + SHOWN if "subprocess.run" in row["test"]]  # slow
FUNCTIONS = [row for row in DATA_FRAMES + SHOWN if row not in SCRIPTS]
# Files, coroutines, input, arguments; queries in SQL; linked nodes; scripts in Bash: too.
RUN = tuple(
    f"tools/bench/{name}.jsonl"
    for name in ("surroundings", "queries", "linked_python", "shell_scripts")
)


def called(rows: list[dict]) -> str:
    """The only one's id, or what they are."""
    return rows[0]["task_id"] if len(rows) == 1 else "functions"


def run(jobs: list[tuple[str, str, str, str]]) -> list[str]:
    """What each job came to, all of them in one process of its own."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert done.returncode == 0, done.stderr
    results: list[str] = json.loads(done.stdout)
    return results


def test_there_are_enough_problems_of_every_area_and_half_have_examples():
    """At least 60 with ids of their own, as many in each area as in the others."""
    assert len(PROBLEMS) >= 60
    assert len({problem["task_id"] for problem in PROBLEMS}) == len(PROBLEMS)
    assert len({problem["entry_point"] for problem in PROBLEMS}) == len(PROBLEMS)
    areas = Counter(problem["area"] for problem in PROBLEMS)
    assert areas.keys() == AREAS and len(set(areas.values())) == 1
    assert sum(problem["examples"] for problem in PROBLEMS) * 2 == len(PROBLEMS)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem["task_id"])
def test_a_problem_is_complete(problem):
    """Its prompt names what is wanted, and has examples if it says so; its solution and its hidden
    test are Python with the standard library only."""
    assert list(problem) == KEYS
    assert problem["task_id"].startswith(f"laios/{problem['area']}-")
    assert problem["entry_point"] in problem["prompt"]
    if not problem["examples"]:
        assert not find_examples(problem["prompt"]).cases
    assert "def check(candidate):" in problem["test"]
    for source in (problem["test"], problem["canonical_solution"]):
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


def test_every_canonical_solution_passes_its_hidden_test():
    """In half a second of processor time each."""
    problems = PROBLEMS + OBJECTS
    jobs = [(p["canonical_solution"], p["test"], "check", p["entry_point"]) for p in problems]
    results = zip(problems, run(jobs), strict=True)
    assert not [(p["task_id"], result) for p, result in results if result != "passes"]


@pytest.mark.parametrize(("name", "count"), [("data_frames", 48), ("shown_tables", 24)])
def test_the_problems_for_numpy_and_pandas_are_complete_and_asked_only_once(name, count):
    """Each has a prompt that no other set has, which names the function if the hidden test is given
    one by its name; without a name the test is given the program's text."""
    problems = read_problems(ROOT / f"tools/bench/{name}.jsonl")
    assert len({problem.id for problem in problems}) == len(problems) == count
    files = [*ROOT.glob("tools/bench/*.jsonl"), ROOT / "server/benchmark/problems.jsonl"]
    asked = Counter(row.get("prompt") for file in files for row in read(str(file)))
    for row, problem in zip(read(f"tools/bench/{name}.jsonl"), problems, strict=True):
        assert list(row) == KEYS and row["area"] in {"numpy", "pandas", "mixed", "SQL"}
        assert problem.prompt.endswith(row["prompt"]) and asked[row["prompt"]] == 1
        assert problem.entry_point in problem.prompt
        assert row["area"] == "SQL" or ast.parse(row["canonical_solution"])
        [*_, check] = ast.parse(problem.test).body
        assert isinstance(check, ast.FunctionDef) and check.name == "check"


@pytest.mark.only_when("tools/bench/", "server/benchmark/")
@pytest.mark.skipif(find_spec("pandas") is None, reason="the programs need pandas")
@pytest.mark.parametrize("rows", [FUNCTIONS, *([row] for row in SCRIPTS)], ids=called)
def test_solutions_with_numpy_and_pandas_pass_and_what_does_nothing_fails(rows):
    """Functions by their name, or found in the program's text; scripts are run on files."""

    def job(row: dict, program: str) -> tuple[str, str, str, str]:
        if row["entry_point"]:
            return program, row["test"], "check", row["entry_point"]
        return f"text = {program!r}", row["test"], "check", "text"

    idle = [f"def {row['entry_point'] or 'main'}(*given):\n    pass\n" for row in rows]
    jobs = [job(row, row["canonical_solution"]) for row in rows]
    results = run(jobs + [job(row, program) for row, program in zip(rows, idle, strict=True)])
    passed = [result == "passes" for result in results]
    assert passed == [True] * len(rows) + [False] * len(rows), results


@pytest.mark.only_when("tools/bench/", "server/benchmark/", "pipeline/sandbox/")
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
@pytest.mark.parametrize("path", RUN)
async def test_solutions_that_work_on_files_or_read_input_pass_in_the_sandbox(path):
    """Of functions, of whole programs and queries, whose text the hidden test is given; what does
    nothing fails."""
    bench = Bench(Settings(_env_file=None))
    problems = read_problems(ROOT / path)
    solutions = [row["canonical_solution"] for row in read(path)]
    idle = [f"def {problem.entry_point or 'main'}(*given):\n    pass\n" for problem in problems]
    at_a_time = asyncio.Semaphore(2)

    async def passes(problem: Problem, code: str) -> bool:
        async with at_a_time:
            return await bench.passes(problem, code)

    pairs = [*zip(problems, solutions, strict=True), *zip(problems, idle, strict=True)]
    passed = await asyncio.gather(*(passes(problem, code) for problem, code in pairs))
    named = [problem.id for problem, _ in pairs]
    assert [n for n, it in zip(named, passed, strict=True) if it] == named[: len(problems)]


@pytest.fixture(scope="module")
def wrong() -> dict[str, dict]:
    """For each problem the mistakes that a small model makes, and the examples of its prompt."""
    rows = read("tests/fixtures/wrong_solutions.jsonl")
    assert [row["task_id"] for row in rows] == [problem["task_id"] for problem in PROBLEMS]
    return {row["task_id"]: row for row in rows}


def test_every_hidden_test_fails_at_least_three_plausible_wrong_solutions(wrong):
    """Each of them runs; it is the hidden test that it fails."""
    jobs = [
        (problem["task_id"], (program, problem["test"], "check", problem["entry_point"]))
        for problem in PROBLEMS
        for program in wrong[problem["task_id"]]["wrong"]
    ]
    assert min(len(set(row["wrong"])) for row in wrong.values()) >= 3
    results = zip(jobs, run([job for _, job in jobs]), strict=True)
    assert not [
        (task_id, program, result)
        for (task_id, (program, *_)), result in results
        if not result.startswith("fails")
    ]


def test_a_hidden_test_decides_more_than_the_prompt_s_examples(wrong):
    """The solution passes the examples, and so does one of the wrong ones at least."""
    for problem in PROBLEMS:
        row = wrong[problem["task_id"]]
        assert ("examples" in row) is problem["examples"]
    shown = [problem for problem in PROBLEMS if problem["examples"]]
    jobs = [
        (problem["task_id"], (program, row["examples"], "examples", problem["entry_point"]))
        for problem in shown
        for row in [wrong[problem["task_id"]]]
        for program in [problem["canonical_solution"], *row["wrong"]]
    ]
    passed: dict[str, list[bool]] = {}
    for (task_id, _), result in zip(jobs, run([job for _, job in jobs]), strict=True):
        passed.setdefault(task_id, []).append(result == "passes")
    for task_id, [canonical, *wrong_ones] in passed.items():
        assert canonical and any(wrong_ones), task_id
