"""`///files` by a small model: files in one conversation, drawn anew where they fail."""

import json
import shutil

import pytest
from projects import CLI, CORE, TEST, THREE, in_turn, writes
from temperatures import record_temperatures

from history.open_questions import open_questions
from laios.git_patch import read_patch
from pipeline.projects.file_brief import FileBrief
from pipeline.projects.file_turns import write_turns
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.package_file import package_text
from pipeline.projects.plan_completion import NAMED_FILES, PACKAGE, named_plan
from pipeline.projects.reply_end import before_next_file, whole_tests
from pipeline.projects.requested_names import requested_names
from pipeline.projects.write_order import in_turn as turns
from pipeline.task import Task

NAMED = "///files core.py adds numbers; cli.py prints a sum"
WITH_TESTS = f"{NAMED}. Tests are in test_core.py"
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)


@pytest.fixture
def small_run(pipeline_with, script):
    """A pipeline whose three roles one small model plays, with these rules."""

    def make(*rules, **settings):
        small = script(*rules, name="x-1.5b")
        names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
        return pipeline_with(**{**names, "MAX_DRAFTS": 5, **settings})

    return make


def drawn(record):
    return [(s["label"], s["round"]) for s in record["steps"] if s["stage"] == "coder"]


async def test_files_that_the_request_names_are_the_plan(small_run):
    """No model is asked for one, and the record says so."""
    async with small_run(in_turn("cli.py", CLI), in_turn("core.py", CORE)) as run:
        assert read_patch(await run(NAMED)) == {"core.py": CORE, "cli.py": CLI}
    artefact = run.record["artefact"]
    assert artefact["manifest_rung"] == "named" and artefact["metrics"]["json_read_at_once"]
    assert [s["model"] for s in run.record["steps"] if s["stage"] == "manifest"] == [None]
    assert list(artefact["manifest"]["programs"]) == ["cli.py"]
    assert not run.record["escalated"]


async def test_a_plan_by_the_request_keeps_nothing_of_it_with_no_log(small_run):
    """Its files are the user's words."""
    async with small_run(in_turn("cli.py", CLI), in_turn("core.py", "zebra(")) as run:
        await run(NAMED, no_log=True)
    kept = json.dumps(run.record)
    assert not [word for word in ("zebra", "cli.py", "core.py", "adds") if word in kept]


def test_a_file_is_shown_those_before_it_in_full():
    """As answers of one conversation, whose beginning is the same for each file. The request's
    words about a file are where it is asked for."""
    asked = "core.py with add(a, b); `cli.py A B` prints their sum. Tests are in test_core.py"
    plan = named_plan(asked, "R")
    order, texts = turns(plan), {"core.py": CORE, "cli.py": CLI}
    briefs = [
        FileBrief(
            Task(asked), plan, plan[path], order=order, earlier=dict([*texts.items()][:number])
        )
        for number, path in enumerate(order)
    ]
    first, second, third = map(write_turns, briefs)
    assert [each["role"] for each in third] == ["system", *("user", "assistant") * 2, "user"]
    assert second[:2] == first and third[:4] == second
    assert third[2]["content"] == f"```python\n{CORE}```"
    assert first[1]["content"].endswith("\n\nWrite core.py. It defines add(a, b).")
    assert second[3]["content"].endswith("What it is given stands in sys.argv.")
    assert "with unittest and no package" in third[5]["content"]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("core.py with add(a, b) and neg(a)", {"core.py": ("add(a, b)", "neg(a)")}),
        ("core.py with the functions add, sub, and neg", {"core.py": ("add", "sub", "neg")}),
        ("core.py: a class Sum(a) with total() and add(b)", {"core.py": ("Sum(a)",)}),
        ("a.py with f(x), b.py with Sum(a) that has g()", {"a.py": ("f(x)",), "b.py": ("Sum(a)",)}),
        ("core.py calls os.getcwd() and print(x)", {"core.py": ()}),
        ("core.py with functions that add", {"core.py": ()}),
        ("core.py with a Stack class with push(x)", {"core.py": ()}),
        ("core.py with sort(xs) that runs in O(n log n)", {"core.py": ("sort(xs)",)}),
        ("core.py prints the size of the file(s)", {"core.py": ()}),
        ("core.py with roll(), which uses randint(a, b)", {"core.py": ("roll()",)}),
        ("core.py prints add(1, 2); never call sleep()", {"core.py": ()}),
        ("core.py should have a class Sum with add(a, b) and total()", {"core.py": ("Sum",)}),
        ("core.py has a function add(a, b) that adds", {"core.py": ("add(a, b)",)}),
        ("core.py with a class Sum and a function mean(xs)", {"core.py": ("Sum", "mean(xs)")}),
        ("core.py (class Sum(a)), b.py (f(x))", {"core.py": ("Sum(a)",), "b.py": ("f(x)",)}),
        ("core.py has a list NAMES of texts", {"core.py": ("NAMES",)}),
        ("adding is in a function add(a, b) in core.py", {"core.py": ("add(a, b)",)}),
        ("core.py with add(a, b). neg(a) returns -a", {"core.py": ("add(a, b)", "neg(a)")}),
        ("core.py has a class Sum. total() returns it", {"core.py": ("Sum",)}),
        ("core.py mit einer Klasse Summe(a)", {"core.py": ("Summe(a)",)}),
        ("core.py has a function that adds", {"core.py": ()}),
        ("a calculator with add(a, b)", {}),
    ],
)
def test_names_that_the_request_has_are_those_of_the_file_before_them(words, names):
    """Functions as they are called, and classes; what a class has belongs to that."""
    assert requested_names(words, NAMED_FILES) == names


async def test_a_file_that_lacks_what_the_request_names_is_drawn_anew(small_run):
    """Another name is a fault, whoever uses it or not; one that another file has is none."""
    other = "def sums(a, b):\n    return a + b\n"
    rules = in_turn("cli.py", "print(1)\n"), in_turn("core.py", other, CORE)
    async with small_run(*rules) as run:
        files = read_patch(await run("///files core.py with add(a, b), and cli.py prints 1"))
    assert files["core.py"] == CORE and drawn(run.record)[-1] == ("core.py", 2)


async def test_a_file_that_cannot_be_used_is_drawn_once_more(small_run, monkeypatch):
    """Varied, because the same question has the same greedy answer."""
    asked = record_temperatures(monkeypatch)
    rules = in_turn("cli.py", "print(", CLI), in_turn("core.py", CORE)
    async with small_run(*rules) as run:
        assert read_patch(await run(NAMED))["cli.py"] == CLI
    assert [t for _, label, t in asked if label == "cli.py"] == [0.0, 0.8]


@needs_sandbox
async def test_tests_that_fail_are_drawn_anew_before_what_they_test(small_run):
    """Nobody knows which of the two is wrong; the new tests hold, so the code stays."""
    wrong = TEST.replace("3)", "4)")
    rules = in_turn("test_core.py", wrong, TEST), in_turn("cli.py", CLI), in_turn("core.py", CORE)
    async with small_run(*rules) as run:
        files = read_patch(await run(WITH_TESTS))
    assert (files["core.py"], files["test_core.py"]) == (CORE, TEST)
    assert ("test_core.py", 2) in drawn(run.record) and ("core.py", 2) not in drawn(run.record)
    assert not run.record["escalated"]


@needs_sandbox
async def test_what_fails_its_second_tests_too_is_drawn_itself(small_run):
    """By then two drafts of the tests say that it is wrong."""
    wrong = CORE.replace("+", "-")
    rules = in_turn("test_core.py", TEST), in_turn("cli.py", CLI), in_turn("core.py", wrong, CORE)
    async with small_run(*rules) as run:
        assert read_patch(await run(WITH_TESTS))["core.py"] == CORE
    assert drawn(run.record)[3:] == [("test_core.py", 2), ("core.py", 3)]
    assert not run.record["escalated"]


def additions(*expected):
    """A test of `add(1, n)` for each of these, numbered from 0."""
    head = TEST.partition("    def ")[0]
    lines = (
        f"    def test_{n}(self):\n        self.assertEqual(add(1, {n}), {value})\n"
        for n, value in enumerate(expected)
    )
    return head + "\n".join(lines)


SKIPPED = '    @unittest.skip("it fails with every draft of core.py")\n    def test_1(self)'


@needs_sandbox
async def test_a_test_that_two_drafts_fail_is_skipped_where_most_hold(small_run):
    """It stays in its file with the reason, and the run says that it is not certain."""
    rules = in_turn("test_core.py", additions(1, 3, 3)), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE, f"{CORE}\nTWO = 2\n")) as run:
        files = read_patch(await run(WITH_TESTS))
    assert files["core.py"] == CORE and SKIPPED in files["test_core.py"].replace("'", '"')
    record = run.record
    assert drawn(record)[3:] == [("core.py", 2)]
    assert record["escalation_reason"] == "undecided: 1 test fails with every draft"
    (question,) = open_questions(record)
    assert question.startswith("test_core.py: the test test_core.TestAdd.test_1 is skipped: ")
    (fault,) = record["artefact"]["faults"]
    assert not fault["serious"] and fault["case"] == "test_core.TestAdd.test_1"
    assert record["artefact"]["tests"] == {"run": True, "reason": "", "passed": 2, "total": 2}


@needs_sandbox
async def test_of_equals_the_one_of_which_more_tests_hold_is_better(small_run):
    """New tests with one that fails among six tell more than two of which one fails."""
    few, many = additions(1, 3), additions(1, 2, 3, 5)
    rules = in_turn("test_core.py", few, many), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE, f"{CORE}\nTWO = 2\n")) as run:
        files = read_patch(await run(WITH_TESTS))
    assert drawn(run.record)[3:] == [("test_core.py", 2), ("core.py", 3)]
    assert (
        files["test_core.py"].count("def test_") == 4 and "unittest.skip" in files["test_core.py"]
    )


@needs_sandbox
async def test_tests_that_nothing_speaks_against_are_kept(small_run):
    """Where no more than half of them hold with both drafts, one passes what the other fails, or
    there is one draft in other words."""
    rules = in_turn("test_core.py", additions(1, 3, 4)), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE, f"{CORE}\nTWO = 2\n")) as run:
        assert "skip" not in read_patch(await run(WITH_TESTS))["test_core.py"]
    rules = in_turn("test_core.py", additions(1, 3, 3)), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE, f"{CORE}# again\n")) as run:
        assert "skip" not in read_patch(await run(WITH_TESTS))["test_core.py"]
    fails = CORE.replace("a + b", "1 / 0")  # whose failing says nothing of a test
    rules = in_turn("test_core.py", additions(1, 3, 3)), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE, fails)) as run:
        assert "skip" not in read_patch(await run(WITH_TESTS))["test_core.py"]
    wrong = CORE.replace("a + b", "a + b if b else 0")
    rules = in_turn("test_core.py", additions(1, 2, 3)), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", wrong, CORE)) as run:
        files = read_patch(await run(WITH_TESTS))
    assert files["core.py"] == CORE and "skip" not in files["test_core.py"]


@needs_sandbox
async def test_a_reviewer_gets_the_tests_that_fail(small_run, script):
    """One that did not write them: none is skipped, and what fails is told."""
    large = script(THREE, {"role": "reviewer", "reply": CORE}, name="y-7b")
    rules = in_turn("test_core.py", additions(1, 3, 3)), in_turn("cli.py", CLI)
    drafts = in_turn("core.py", CORE, f"{CORE}\nTWO = 2\n")
    async with small_run(*rules, drafts, REVIEWER_MODEL_NAME=large) as run:
        assert "skip" not in read_patch(await run(WITH_TESTS))["test_core.py"]
    assert run.record["escalation_reason"].startswith("evidence: 1 faults (test)")


@needs_sandbox
async def test_a_project_with_skipped_tests_has_not_passed(small_run):
    """Its caller is not told that all is well."""
    rules = in_turn("test_core.py", additions(1, 3, 3)), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE, f"{CORE}\nTWO = 2\n")) as run:
        said = json.loads(await run(WITH_TESTS, format="json"))
    assert said["passed"] is False


async def test_no_more_is_drawn_than_drafts_may_be(small_run):
    """MAX_DRAFTS, the first one counted; what is left escalates."""
    rules = in_turn("cli.py", "print(missing)\n"), in_turn("core.py", CORE)
    async with small_run(*rules, MAX_DRAFTS=3) as run:
        await run(NAMED)
    assert drawn(run.record)[2:] == [("cli.py", 2), ("cli.py", 3)]
    assert run.record["escalated"]


async def test_what_a_small_model_reviews_is_what_is_missing(small_run):
    """A file that it could not write is asked for once more, one with a fault is not."""
    rules = [
        in_turn("test_core.py", ""),
        in_turn("cli.py", "print(missing)\n"),
        in_turn("core.py", CORE),
        writes("test_core.py", TEST) | {"role": "reviewer"},
    ]
    async with small_run(*rules, MAX_DRAFTS=2) as run:
        files = read_patch(await run(WITH_TESTS))
    assert files["test_core.py"] == TEST and files["cli.py"] == "print(missing)\n"
    assert {s["label"] for s in run.record["steps"] if s["stage"] == "reviewer"} == {"test_core.py"}


async def test_what_is_left_is_told_and_not_reviewed(small_run):
    """The fault stands in no prompt: what is shown its mistake repeats it."""
    broken = in_turn("cli.py", "print(missing)\n")
    broken["prompt"] = rf"(?s)\A(?!.*undefined name).*{broken['prompt']}"
    async with small_run(broken, in_turn("core.py", CORE), MAX_DRAFTS=2) as run:
        await run(NAMED)
    assert run.record["escalated"] and run.record["reviewer_output"] is None
    assert run.record["final_reason"].endswith("is a small model and wrote it itself")


@pytest.mark.parametrize("when", ["undecided", "always"])
async def test_a_small_model_is_not_asked_for_a_verdict_on_its_own_project(small_run, when):
    """It would not review it either, so nothing would follow; JUDGE_WHEN=always asks for it."""
    low = {"role": "judge", "verdict": [1, 9, "No."]}
    rules = in_turn("cli.py", CLI), in_turn("core.py", CORE), low
    async with small_run(*rules, JUDGE_WHEN=when) as run:
        assert read_patch(await run(NAMED))["cli.py"] == CLI
    asked = [s["stage"] for s in run.record["steps"]].count("judge")
    assert (asked, run.record["escalated"]) == ((0, False) if when == "undecided" else (1, True))


@needs_sandbox
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import core\n\nprint(core.ad(1, 2))\n", None),  # known without running it
        ("print([].total)\n", "AttributeError"),
        ("print(int('x'))\n", "ValueError"),
        ("import sys\n\nsys.exit('Usage: cli.py A B')\n", ""),
        ("import sys\n\nprint(max(int(line) for line in sys.stdin))\n", ""),
        ("import os\n\nprint(os.environ['API_KEY'])\n", ""),
        ("raise ValueError('two\\nlines')\n", "ValueError: two"),
        ("print(open('numbers.txt').read())\n", ""),
        ("print(input())\n", ""),
        ("import time\n\ntime.sleep(60)\n", ""),
    ],
    ids=[
        "a name",
        "attribute",
        "value",
        "usage",
        "stdin",
        "environment",
        "long",
        "a file",
        "input",
        "a server",
    ],
)
async def test_programs_are_started(small_run, program, said):
    """What one raises at once is a fault, but not what it may lack here: files, input, an end."""
    rules = in_turn("cli.py", program), in_turn("core.py", CORE)
    async with small_run(*rules, MAX_DRAFTS=1, SANDBOX_CPU_S=1, SANDBOX_WALL_S=1) as run:
        await run(NAMED)
    faults = [fault["detail"] for fault in run.record["artefact"]["faults"]]
    assert bool(faults) == (said != "")
    assert not said or said in faults[0]


@needs_sandbox
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys\n\nprint(int(sys.argv[1]))\n", ""),
        ("import sys\n\nsys.exit('Usage: cli.py A B')\n", ""),
        ("print(input('A: '))\n", "it asks for input"),
    ],
)
async def test_a_program_that_is_given_arguments_may_miss_them(small_run, program, said):
    """But it shall not ask for input, which nobody gives it."""
    rules = in_turn("cli.py", program), in_turn("core.py", CORE)
    async with small_run(*rules, MAX_DRAFTS=1) as run:
        await run("///files core.py adds numbers; `cli.py A B` prints the sum of the two")
    faults = [fault["detail"] for fault in run.record["artefact"]["faults"]]
    assert [said in fault for fault in faults] == ([True] if said else [])


USAGE = (
    "import sys\n\nif len(sys.argv) != 3:\n    sys.exit('Usage: cli.py A B')\nprint(sys.argv[1])\n"
)
SAYS_USAGE = USAGE.replace("sys.exit(", "print(").replace("B')\n", "B')\n    sys.exit()\n")


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("`cli.py days 2026-03-01 2026-03-31` prints them", "with `days 2026-03-01 2026-03-31`"),
        ("`python cli.py 'a b'` prints it", "with `'a b'`"),
        ("`cli.py 1 2` prints the first", None),
        ("`cli.py add TEXT` prints it", None),
        ("`cli.py <text>` prints it", None),
        ("`cli.py notes.txt` prints it", None),
        ("`cli.py 'a` prints it", None),
        (
            "cli.py prints as many as --count says, 3 by default",
            "without arguments, although they have defaults",
        ),
        ("cli.py takes a name and prints as many as -n says, 3 by default", None),
        ("`cli.py n` prints n", None),
        ("`cli.py --help` prints the usage", None),
        ("`cli.py 1 2 3` is refused: an error", None),
        ("`cli.py 5 miles` exits with status 2", None),
        ("`cli.py num1 num2` prints their sum", None),
        ("`cli.py done id` removes one", None),
        ("cli.py prints the totals of a CSV file, by default sorted by date", None),
        ("cli.py has commands; it stores tasks in JSON, by default at home, and prints them", None),
        ("`cli.py TEXT` prints it as often as --count says, once if it is not given", None),
    ],
)
@pytest.mark.parametrize("program", [USAGE, SAYS_USAGE], ids=["exit", "print"])
async def test_a_program_is_started_as_the_request_shows(small_run, program, asked, said):
    """One that then says how it is used was written for other arguments. What has a placeholder or
    a file in it shows a form, which cannot be started."""
    rules = in_turn("cli.py", program), in_turn("core.py", CORE)
    async with small_run(*rules, MAX_DRAFTS=1) as run:
        await run(f"///files core.py adds numbers; {asked}")
    faults = [fault["detail"] for fault in run.record["artefact"]["faults"]]
    assert faults == ([f"started {said}, it only prints its usage"] if said else [])


PARSES = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("days", type=int)
{0}print(parser.parse_args().days)
"""


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "program", "faults"),
    [
        ("`cli.py 1 2` prints a sum", PARSES.format(""), 1),
        ("`cli.py march` prints a sum", PARSES.format(""), 0),
        ("`cli.py 1` prints a sum", PARSES.format("parser.error('no task')\n"), 0),
        ("`cli.py 2026` prints a sum", "print('Usage in 2026')\n", 0),
        ("`cli.py 100` asks for guesses", "import sys\n\nsys.argv[1]\nprint(input())\n", 0),
    ],
    ids=["other arguments", "a value", "a refusal", "a word", "input"],
)
async def test_what_a_right_program_may_say(small_run, asked, program, faults):
    """Of a value, of its state, the word itself; and it may ask for more than it was given."""
    rules = in_turn("cli.py", program), in_turn("core.py", CORE)
    async with small_run(*rules, MAX_DRAFTS=1) as run:
        await run(f"///files core.py adds numbers; {asked}")
    assert len(run.record["artefact"]["faults"]) == faults


COUNTS = "cli.py prints as many words as --count says, 3 if it is not given"
BY_PLACE = (
    "import sys\n\nif len(sys.argv) > 1:\n    print(int(sys.argv[1]))\nelse:\n    print({0})\n"
)
FLAG = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--count", action="store_true")
print(parser.parse_args())
"""


@needs_sandbox
@pytest.mark.parametrize(
    ("program", "fault"),
    [
        (BY_PLACE.format(3), "started with `--count 12`, it ends with ValueError"),
        (BY_PLACE.format("'Please provide a count.'"), "without arguments, although they have"),
        ("import sys\n\nprint(sys.argv[1:] or 3)\n", None),
        (FLAG, None),
    ],
    ids=["by place", "asks for it", "any", "a flag"],
)
async def test_an_option_that_the_request_names_is_no_value(small_run, program, fault):
    """A program that looks at the places of its arguments alone takes it for one."""
    rules = in_turn("cli.py", program), in_turn("core.py", CORE)
    async with small_run(*rules, MAX_DRAFTS=1) as run:
        await run(f"///files core.py adds numbers; {COUNTS}")
    faults = [each["detail"] for each in run.record["artefact"]["faults"]]
    assert [fault in each for each in faults] == ([True] if fault else [])


async def test_files_drawn_together_see_each_other(small_run):
    """The later one is shown the new text of the earlier one, not what is being replaced."""
    uses = "from core import add\n\nprint(add(1, 1))\n"
    sees = in_turn("cli.py", uses)
    sees["prompt"] = r"def add\(a, b\)"
    rules = [
        sees,
        in_turn("cli.py", "from core import nothing\n\nprint(nothing)\n"),
        in_turn("core.py", "def sums(a, b):\n    return a + b\n", CORE),
    ]
    async with small_run(*rules) as run:
        files = read_patch(await run("///files core.py with add(a, b), and cli.py prints a sum"))
    assert files == {"core.py": CORE, "cli.py": uses}


MINUS, TIMES = CORE.replace("+", "-"), CORE.replace("+", "*")
FUNCTION = "///files core.py with add(a, b); cli.py prints 1"
COMPARED = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}


@needs_sandbox
@pytest.mark.parametrize(
    ("drafts", "times", "differ"),
    [
        ([CORE, f"{CORE}\nTWO = 2\n"], 2, False),
        ([CORE, CORE], 2, False),
        ([CORE, MINUS, f"{CORE}\nTWO = 2\n"], 3, False),
        ([CORE, MINUS, TIMES], 3, True),
        ([MINUS, CORE, f"{CORE}\nTWO = 2\n"], 3, True),
        ([CORE, "def add(a, b):\n    raise ValueError\n"], 2, False),
        ([CORE, MINUS, "print("], 4, True),
    ],
    ids=[
        "alike",
        "the same",
        "most alike",
        "all differ",
        "the first alone",
        "one says nothing",
        "no third",
    ],
)
async def test_functions_that_the_request_names_are_written_twice(small_run, drafts, times, differ):
    """A third time where the two differ; on which calls the first is not as most are told."""
    rules = in_turn("cli.py", "print(1)\n"), in_turn("core.py", *drafts)
    async with small_run(*rules, **COMPARED) as run:
        assert read_patch(await run(FUNCTION))["core.py"] == drafts[0]
    record = run.record
    assert [label for label, _ in drawn(record)].count("core.py") == times
    questions = open_questions(record)
    assert bool(questions) == differ == record["escalated"]
    assert all(each.startswith("add(") and "in other drafts it" in each for each in questions)
    assert not differ or record["escalation_reason"] == "undecided: drafts of 1 files differ"


@pytest.mark.parametrize(
    "off", [{"COMPARE_DRAFTS": "off"}, {"EVIDENCE_RUN": "off"}, {"MAX_DRAFTS": 1}]
)
async def test_who_wants_no_second_draft_pays_for_none(small_run, off):
    """By the settings of single programs."""
    rules = in_turn("cli.py", "print(1)\n"), in_turn("core.py", CORE, MINUS)
    async with small_run(*rules, **COMPARED | off) as run:
        await run(FUNCTION)
    assert len(drawn(run.record)) == 2 and not run.record["escalated"]


@needs_sandbox
async def test_what_is_open_names_no_file_with_no_log(small_run):
    """The reason is counts, and the calls are not kept."""
    rules = in_turn("cli.py", "print(1)\n"), in_turn("core.py", CORE, MINUS, TIMES)
    async with small_run(*rules, **COMPARED) as run:
        await run(FUNCTION, no_log=True)
    assert run.record["escalation_reason"] == "undecided: drafts of 1 files differ"
    assert "core" not in json.dumps(run.record)
    assert open_questions(run.record) == ["drafts of 1 files differ"]


async def test_tests_that_are_cut_off_are_kept_as_far_as_they_are_whole(small_run):
    """A small model goes on with tests; nothing is asked twice. Code that is cut off is."""
    cut = additions(1, 3, 3).removesuffix("3)\n")
    rules = in_turn("test_core.py", cut, finish_reason="length"), in_turn("cli.py", CLI)
    async with small_run(*rules, in_turn("core.py", CORE), EVIDENCE_RUN="off", MAX_DRAFTS=1) as run:
        files = read_patch(await run(WITH_TESTS))
    assert files["test_core.py"] == additions(1, 3)
    steps = {s["label"]: s["note"] for s in run.record["steps"] if s["stage"] == "coder"}
    assert steps["test_core.py"] == "cut off: the tests before that are kept"
    raws = [s["raw"] for s in run.record["steps"] if s["label"] == "test_core.py" and s["model"]]
    assert raws == [cut]
    assert len(drawn(run.record)) == 3
    rules = in_turn("cli.py", CLI), in_turn("core.py", CORE, finish_reason="length")
    async with small_run(*rules, MAX_DRAFTS=1) as run:
        assert list(read_patch(await run(NAMED))) == ["cli.py"]
    assert drawn(run.record)[:2] == [("core.py", 1)] * 2


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("def test_a():\n    f(1)\n\ndef test_b():\n    f(", "def test_a():\n    f(1)\n"),
        ("def test_a():\n    f(1)\n\n@slow\ndef test_b():\n    f(", "def test_a():\n    f(1)\n"),
        (
            "def test_a():\n    f(1)\n\nclass B:\n    def test_b():\n        f(",
            "def test_a():\n    f(1)\n",
        ),
        ("def test_a():\n    f(", ""),
        ("import a\n", ""),
        ("", ""),
    ],
)
def test_the_last_test_of_a_cut_file_goes(text, kept):
    """The one before it stays, if the file parses so."""
    assert whole_tests(text) == kept


async def test_a_reply_that_goes_on_with_the_next_file_ends_before_it(small_run):
    """A comment that is another file's name; over an import it is a comment as any."""
    commented = f"# core.py\n{CLI}"
    rules = in_turn("cli.py", commented), in_turn("core.py", f"{CORE}\n\n# cli.py\n\n{CLI}")
    async with small_run(*rules, EVIDENCE_RUN="off") as run:
        assert read_patch(await run(NAMED)) == {"core.py": CORE, "cli.py": commented}


async def test_a_conversation_that_is_too_long_goes_on_with_signatures(small_run):
    """A file is not lost because those before it are long."""
    long = f"{CORE}\n" + "".join(f"# line {number} of many\n" for number in range(1500))
    rules = writes("cli.py", CLI), in_turn("core.py", long)
    async with small_run(*rules, MAX_CONTEXT_TOKENS=4096, MAX_OUTPUT_TOKENS=1024) as run:
        files = read_patch(await run(NAMED))
    assert files["cli.py"] == CLI


@needs_sandbox
async def test_a_test_that_fails_is_the_fault_of_what_it_imports(small_run):
    """Whatever the plan has before that; tests that pass stay."""
    good = TEST.replace("test_add", "test_one").replace("core", "one").replace("add", "one")
    rules = [
        in_turn("test_two.py", TEST.replace("core", "two").replace("add", "two")),
        in_turn("test_one.py", good),
        in_turn("two.py", "def two(a, b):\n    return a - b\n"),
        in_turn("one.py", "def one(a, b):\n    return a + b\n"),
    ]
    prompt = "///files one.py adds, two.py adds. Tests: test_one.py and test_two.py"
    async with small_run(*rules, MAX_DRAFTS=3) as run:
        await run(prompt)
    assert drawn(run.record)[4:] == [("test_two.py", 2), ("two.py", 3)]
    assert {f["path"] for f in run.record["artefact"]["faults"]} == {"two.py"}


@needs_sandbox
async def test_an_example_is_of_the_only_function_that_the_request_names(small_run):
    """Where its own words do not say of which."""
    wrong, right = "def low(text):\n    return text\n", "def low(text):\n    return text.lower()\n"
    prompt = "///files low.py with low(text), which makes 'A B' into 'a b'; main.py prints 1"
    async with small_run(in_turn("main.py", "print(1)\n"), in_turn("low.py", wrong, right)) as run:
        assert read_patch(await run(prompt))["low.py"] == right
    assert drawn(run.record)[2:] == [("low.py", 2)]


@needs_sandbox
@pytest.mark.parametrize("place", ["core.py", "kit/core.py"])
async def test_the_request_s_examples_are_held_against_the_project(small_run, place):
    """In the file that defines what they call; what fails one is drawn anew, or named."""
    wrong, right = CORE.replace("+", "-"), f"from random import random\n\n{CORE}"
    name = place.removesuffix(".py").replace("/", ".")
    prompt = f"///files {place} with add(a, b); cli.py prints 1\n\n>>> add(1, 2)\n3\n"
    uses = f"from {name} import add\n\nprint(add(0, 1))\n"
    for texts, holds in (((wrong, right), True), ((wrong,), False)):
        async with small_run(in_turn("cli.py", uses), in_turn(place, *texts)) as run:
            assert read_patch(await run(prompt))[place] == texts[-1]
        evidence = [(each["kind"], each["detail"]) for each in run.record["evidence"]]
        said = f"{place}: the example add(1, 2) → 3 fails: it gave -1"
        assert evidence == ([] if holds else [("example", said)])
        assert run.record["escalated"] is not holds


# --- the order, and packages ---------------------------------------------------------------------


def planned(path, *uses, kind="source", exports=(), about="d"):
    return PlannedFile(path, kind, about, "s", "c", uses, exports)


def test_a_file_comes_after_what_it_uses():
    """Then programs, tests and documents; those that use each other in the plan's order."""
    files = (
        planned("README.md", kind="documentation"),
        planned("test_a.py", kind="test"),
        planned("cli.py"),
        planned("b.py", "a.py"),
        planned("a.py", "b.py"),
        planned("c.py"),
    )
    made = Manifest("t", "p", files, programs=("cli.py",))
    assert turns(made) == ("a.py", "c.py", "b.py", "cli.py", "test_a.py", "README.md")


def test_the_order_of_many_files_is_found_at_once():
    """Each may use all before it."""
    named = ", ".join(f"m{number}.py" for number in range(40))
    assert len(turns(named_plan(named, "R"))) == 40


@pytest.mark.parametrize(
    ("init", "texts", "text"),
    [
        (
            planned("u/__init__.py", "u/a.py", "u/b.py", about=PACKAGE),
            {
                "u/a.py": "def f(): ...\ndef _g(): ...\n",
                "u/b.py": "class B: ...\ndef main(): ...\n",
            },
            'from .a import f\nfrom .b import B\n\n__all__ = ["B", "f"]\n',
        ),
        (
            planned("u/__init__.py", "u/a.py", exports=("f(x)",)),
            {"u/a.py": "def f(x): ...\ndef g(): ...\n"},
            'from .a import f\n\n__all__ = ["f"]\n',
        ),
        (
            planned("u/__init__.py", "u/a.py", exports=("VERSION",)),
            {"u/a.py": "def f(): ...\n"},
            None,
        ),
        (planned("u/__init__.py", "u/a.py", about=PACKAGE), {"u/a.py": "def f(:\n"}, None),
        (planned("u/__init__.py", "u/a.py", about=PACKAGE), {}, None),
        (
            planned("u/__init__.py", "u/a.py", "u/b.py", about=PACKAGE),
            {"u/a.py": "def f(): ...\n", "u/b.py": "def f(): ...\n"},
            None,
        ),
        (planned("u/__init__.py", about=PACKAGE), {}, None),
        (planned("u/__init__.py", "u/a.py", about="sets up"), {"u/a.py": "def f(): ...\n"}, None),
        (
            planned("u/__init__.py", "u/a.py", "u/v/b.py", about=PACKAGE),
            {"u/a.py": "def f(): ...\n", "u/v/b.py": "def g(): ...\n"},
            None,
        ),
    ],
    ids=[
        "all",
        "planned",
        "another name",
        "broken",
        "missing",
        "twice",
        "nothing",
        "more",
        "elsewhere",
    ],
)
def test_a_package_has_what_its_modules_have(init, texts, text):
    """Where that is certain; else it is written by a model."""
    assert package_text(init, texts) == text


@pytest.mark.parametrize(
    ("path", "reply", "text"),
    [
        ("cli.py", f"# core.py\n{CORE}\n# cli.py\n{CLI}", f"# cli.py\n{CLI}"),
        ("core.py", f"# core.py\n{CORE}\n# cli.py\n{CLI}", f"# core.py\n{CORE}"),
        ("x.py", f"# core.py\n{CORE}\n#x.py\ny = 1\n\n# cli.py\n{CLI}", "#x.py\ny = 1\n"),
        ("cli.py", f"# core.py\nimport core\n# cli.py\n{CLI}", None),
        ("cli.py", f"# cli.py\n{CLI}", None),
    ],
)
def test_a_file_is_found_among_those_that_a_reply_goes_through(path, reply, text):
    """Behind its own name, where a whole file stands before that."""
    assert before_next_file(reply, path, ["core.py", "cli.py", "x.py"]) == (text or reply)
