"""EVIDENCE_RUN: drafts of the reviewed modes are run before the judge is asked."""

import asyncio
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from pipeline.testcases.examples import doctest_examples
from pipeline.testcases.examples.example_search import find_examples
from tools.walk import floor, walk

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)

PROMPT = "Write add in Python. add(1, 2) == 3"
RIGHT = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
GOOD = {"role": "judge", "verdict": [9, 1, "It is right."]}
BAD = {"role": "judge", "verdict": [2, 9, "It is slow."]}
ALWAYS = {"EVIDENCE_RUN": True, "JUDGE_WHEN": "always"}


def rules(draft, *more, review=RIGHT, judge=GOOD):
    return [
        *more,
        {"role": "coder", "reply": draft},
        {"role": "reviewer", "reply": review},
        judge,
    ]


def details(record):
    return [finding["detail"] for finding in record["evidence"]]


async def test_it_is_off_by_default(pipeline_with):
    """Nothing is run that nobody asked for."""
    async with pipeline_with(*rules(WRONG)) as run:
        assert await run(PROMPT) == WRONG
    assert [step["stage"] for step in run.record["steps"]] == ["coder", "judge"]


async def test_an_example_that_fails_escalates(pipeline_with):
    """The judge is not asked about the draft; the review holds, and is judged with the facts."""
    facts = {**GOOD, "prompt": r"(?s)FACTS.*1 of 1 tests pass"}
    async with pipeline_with(*rules(WRONG, judge=facts), **ALWAYS) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert record["escalation_reason"] == "evidence: the example add(1, 2) → 3 fails"
    assert record["judge"] is None
    assert record["reviewer_judge"]["confidence_score"] == 9


async def test_a_draft_that_holds_goes_to_the_judge(pipeline_with):
    """With what came of running it."""
    facts = {**GOOD, "prompt": "1 of 1 examples of the user's pass"}
    async with pipeline_with(*rules(RIGHT, judge=facts), **ALWAYS) as run:
        assert await run(PROMPT) == RIGHT
    assert not run.record["escalated"] and run.record["evidence"] == []
    assert run.record["steps"][1]["note"] == "1 of 1 tests pass"


@pytest.mark.parametrize(
    ("draft", "detail"),
    [
        ("x = y\n" + RIGHT, "it does not import: NameError: name 'y' is not defined"),
        ("import re\nre.compile('(')\n" + RIGHT, "it does not import: error: missing )"),
        ("def plus(a, b):\n    return a + b\n", "it does not define add"),
    ],
)
async def test_a_draft_that_does_not_import_or_define_escalates(pipeline_with, draft, detail):
    """What can be known is not asked for."""
    prompt = "Write a Python function called add that adds two numbers."
    async with pipeline_with(*rules(draft), EVIDENCE_RUN=True) as run:
        assert await run(prompt) == RIGHT
    assert detail in run.record["escalation_reason"]


@pytest.mark.parametrize(
    "head",
    [
        "import numpy_that_is_not_here\n",
        "open('/data/input.csv')\n",
        "input()\n",
        "exit(0)\n",
        "import locale\nlocale.setlocale(locale.LC_ALL, 'xx_XX')\n",
        "import sqlite3\nsqlite3.connect(':memory:').execute('select * from users')\n",
        "import glob\nprint(max(glob.glob('*.csv')))\n",
        "import configparser\nc = configparser.ConfigParser()\nc.read('app.ini')\nc['db']\n",
    ],
)
async def test_what_the_sandbox_lacks_is_no_evidence(pipeline_with, head):
    """Packages, files and a terminal may be there where the code will run."""
    async with pipeline_with(*rules(head + WRONG), EVIDENCE_RUN=True) as run:
        assert await run(PROMPT) == head + WRONG
    assert run.record["evidence"] == []


@pytest.mark.parametrize(
    ("line", "is_fault"),
    [
        ("n = int(sys.stdin.readline())", False),
        ("items = json.load(sys.stdin)", False),
        ("a, b = sys.argv[1:]", False),
        ("print(sum(map(int, sys.argv[1:])) / len(sys.argv[1:]))", False),
        ("port = int(os.environ.get('SERVICE_PORT'))", False),
        ("key = os.environ['SERVICE_KEY']", False),
        ("n = int(sys.stdin.readlin())", True),
        ("n = int(open_the_file_named_in(sys.argv))", True),
        ("n = int('four')", True),
    ],
)
async def test_a_program_that_was_given_nothing_may_fail_over_it(pipeline_with, line, is_fault):
    """Input, arguments and the environment are empty in the sandbox, at its head and in its main
    block; what is wrong whatever it is given stays evidence."""
    head = "import json\nimport os\nimport sys\n\n\n"
    for draft in (f"{head}{line}\n", f"{head}if __name__ == '__main__':\n    {line}\n"):
        async with pipeline_with(*rules(draft, review=draft), EVIDENCE_RUN=True) as run:
            await run("a Python script that counts what it is given")
        assert bool(run.record["evidence"]) is is_fault


async def test_what_a_program_asks_for_is_no_part_of_what_it_prints(pipeline_with):
    """A program with a prompt before its input holds where its other output does."""
    request = "A Python script that doubles a number from the keyboard.\nInput: 4\nOutput: 8"
    draft = "n = int(input('A number: '))\nprint(n * {0})\n"
    later = f'"""Doubles."""\n\nfrom __future__ import annotations\n\n{draft}'
    for text, times, details_of in ((draft, 2, 0), (draft, 3, 1), (later, 2, 0)):
        rule = rules(text.format(times), review=text.format(times))
        async with pipeline_with(*rule, EVIDENCE_RUN=True) as run:
            await run(request)
        assert len({*details(run.record)}) == details_of


@pytest.mark.parametrize(
    "rest",
    [
        "def main():\n    print(double(3))\n\n\nif __name__ == '__main__':\n    main()\n",
        "def test_double():\n    assert double(1) == 2\n",
        "def demo(n):\n    print(double(n))\n",
        "",
    ],
)
async def test_an_example_without_a_name_is_of_what_does_the_work(pipeline_with, rest):
    """Not of the functions behind it that show it, test it or start it."""
    request = "Python, double a number.\nInput: 4\nOutput: 8"
    for times, is_fault in ((2, False), (3, True)):
        draft = f"def double(n):\n    return n * {times}\n\n\n{rest}"
        async with pipeline_with(*rules(draft, review=draft), EVIDENCE_RUN=True) as run:
            await run(request)
        assert bool(run.record["evidence"]) is is_fault


async def test_a_program_that_asks_for_its_input_is_given_no_arguments(pipeline_with):
    """An example of a function says nothing of it."""
    draft = "def main():\n    print(int(input()) * 2)\n\n\nif __name__ == '__main__':\n    main()\n"
    async with pipeline_with(*rules(draft), EVIDENCE_RUN=True) as run:
        assert await run("Python, double a number.\nInput: 4\nOutput: 8") == draft
    assert run.record["evidence"] == []


async def test_a_method_is_not_called_as_a_function(pipeline_with):
    """What is said of one in a sentence on a class is no example of a function."""
    request = "Write a class Pile with push(x). list(p) after push(1), push(2) is [1, 2]."
    draft = "class Pile(list):\n    def push(self, x):\n        self.append(x)\n"
    async with pipeline_with(*rules(draft), EVIDENCE_RUN=True) as run:
        assert await run(request) == draft
    assert run.record["evidence"] == []


async def test_a_program_that_never_ends_is_no_evidence(pipeline_with):
    """A server does not end either."""
    draft = "while True:\n    pass\n" + WRONG
    async with pipeline_with(*rules(draft), EVIDENCE_RUN=True, SANDBOX_WALL_S=0.3) as run:
        assert await run(PROMPT) == draft


async def test_a_review_that_breaks_an_example_is_not_taken(pipeline_with):
    """The draft keeps it."""
    made = rules(RIGHT, review=WRONG, judge=BAD)
    async with pipeline_with(*made, **ALWAYS) as run:
        assert await run(PROMPT) == RIGHT
    assert "the example add(1, 2) → 3 fails" in run.record["final_reason"]
    assert details(run.record) == ["the example add(1, 2) → 3 fails"]


async def test_other_languages_and_a_missing_sandbox_are_passed_over(
    pipeline_with, monkeypatch, tmp_path
):
    """The mode works as it does without the setting."""
    kotlin = "fun add(a: Int, b: Int) = a - b"
    async with pipeline_with(*rules(kotlin), EVIDENCE_RUN=True) as run:
        assert await run("Write add in Kotlin. add(1, 2) == 3") == kotlin
    monkeypatch.setenv("PATH", str(tmp_path))
    async with pipeline_with(*rules(WRONG), EVIDENCE_RUN=True) as run:
        assert await run(PROMPT) == WRONG


@pytest.mark.parametrize(
    ("tag", "settings"),
    [("", {}), ("", ALWAYS), ("", {"GENERATED_TESTS": True}), ("///test ", {}), ("///best ", {})],
)
async def test_examples_are_looked_for_beside_the_event_loop(
    pipeline_with, monkeypatch, tag, settings
):
    """A long request takes a while: other runs go on."""
    loops, search = [], doctest_examples.find

    def find(text):
        loops.append(asyncio._get_running_loop())
        return search(text)

    monkeypatch.setattr(doctest_examples, "find", find)
    find_examples.cache_clear()
    async with pipeline_with(*rules(RIGHT), **settings) as run:
        await run(f"{tag}{PROMPT}")
    assert set(loops) == {None}


async def test_where_nothing_is_run_nothing_of_it_is_entered(monkeypatch):
    """A reader of the default path meets neither cases nor a sandbox."""
    monkeypatch.setenv("LAIOS_EVIDENCE_RUN", "off")
    way, _ = (await walk("write add(a, b)")).product()
    assert "pipeline/review/flow.py" in way
    assert not [
        file for file in way if file.startswith(("pipeline/testcases/", "pipeline/sandbox/"))
    ]


def test_the_walk_of_a_prompt_is_as_long_as_contributing_says():
    """The files of capabilities, of the route and the core; of all of them within a twentieth,
    because the paths of threads differ. Each prompt has an event loop of its own: the threads of
    one that has walked before look through another walk's eyes."""
    seen = [
        Counter(map(floor, asyncio.run(walk(prompt)).product()[0]))
        for prompt in ("///test add two numbers", "add two numbers")
    ]
    text = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text()
    said = re.search(r"(\d+) and (\d+) of capabilities, (\d+) of the route and the core", text)
    assert said
    assert [counts["capabilities"] for counts in seen] == [int(said[1]), int(said[2])]
    assert [counts["route and core"] for counts in seen] == [int(said[3])] * 2
    all_ = re.search(r"some (\d+), or (\d+) without a tag", text)
    assert all_
    assert [counts.total() for counts in seen] == [
        pytest.approx(int(number), rel=0.05) for number in all_.groups()
    ]
