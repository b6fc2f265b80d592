"""Drafts that are compared by what they do: in the default mode without examples, and `///best`."""

import ast
import itertools
import re
import shutil
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from history.index_row import row_of
from history.open_questions import open_questions
from pipeline.confirmation import confirmed
from pipeline.errors import BadRequest
from pipeline.modes import read_tags, resolve_mode
from pipeline.request import Turn
from pipeline.review.agreement import Agreement, is_program
from pipeline.review.drafting import SOUND
from pipeline.sandbox import Limits, run_calls
from pipeline.sandbox.test_result import CaseResult
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.behaviour import Behaviour, classes
from pipeline.testcases.differences import differences
from pipeline.testcases.parameter_kinds import likely_kinds
from pipeline.testcases.printed_values import printed_values
from pipeline.testcases.sample_calls import calls_by_annotation, read_calls
from pipeline.testcases.seed_constants import Seeds, seeds_of
from server.protocols.mode_names import choice_of
from server.runtime.metrics import escalation_kind
from server.runtime.record_details import details_of
from server.runtime.stage_labels import stage_label

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
PROMPT = "Write a Python function add(a, b)."
RIGHT = "def add(a: int, b: int) -> int:\n    return a + b\n"
ALSO_RIGHT = "def add(a: int, b: int) -> int:\n    return sum((a, b))\n"
MINUS = "def add(a: int, b: int) -> int:\n    return a - b\n"
TIMES = "def add(a: int, b: int) -> int:\n    return a * b\n"
LONGER = "def add(a: int, b: int) -> int:\n    total = a - b\n    return total\n"
LONGEST = "def add(a: int, b: int) -> int:\n    product = a * b\n    return product\n"
DICE = "def roll(n):\n    return [random.randint(1, 6) for _ in range(n)]\n"
BROKEN = "def add(a: int, b: int) -> int:\n    return plus(a, b)\n"
PRICES = "def total(orders):\n    return sum(order['price'] for order in orders)\n"
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
REVIEW = {"role": "reviewer", "reply": "REVIEWED = 1\n"}


def coder(*replies):
    return {"role": "coder", "reply": list(replies)}


def says_tests(reply):
    """What the coder's model answers where its drafts differ; before its other replies."""
    return {"role": "coder", "prompt": "tests of it, a line each", "reply": reply}


NO_TESTS = says_tests("NONE")


def comparing(pipeline_with, *rules, **settings):
    """A pipeline with the settings that a user has, but for the judge."""
    mine = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto", "JUDGE_WHEN": "undecided"}
    return pipeline_with(*rules, **{"MAX_DRAFTS": 5} | mine | settings)


def models_asked(record):
    """The stages that asked a model; `tests`: the coder's, for tests."""
    steps = [step for step in record["steps"] if step["model"]]
    return ["tests" if step["label"] == "tests" else step["stage"] for step in steps]


# --- the default mode ----------------------------------------------------------------------------


@needs_sandbox
async def test_two_drafts_that_do_the_same_need_no_opinion(pipeline_with):
    """The first one is the answer; the record has both, the calls, and who decided."""
    async with comparing(pipeline_with, coder(RIGHT, ALSO_RIGHT), JUDGED) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert models_asked(record) == ["coder", "coder"]
    why = "2 of 2 drafts agree on 20 calls"
    assert record["final_reason"] == f"not judged: {why}"
    artefact = record["artefact"]
    assert artefact["chosen_because"] == why
    assert artefact["agreement"]["classes"] == [[0, 1]]
    assert len(artefact["agreement"]["calls"]) == 20


TWO = "def mean(xs: list[int]) -> float:\n    return {}\n\n\ndef size(xs{}):\n    return len(xs)\n"


@needs_sandbox
@pytest.mark.parametrize("kinds", [": list[int]", ""])
async def test_drafts_are_compared_by_each_function_that_the_request_names(pipeline_with, kinds):
    """Not by the last one alone, where they may do the same while they differ in another."""
    half, right, other = (
        TWO.format(f"sum(xs) / {by}", kinds) for by in ("2", "max(1, len(xs))", "(len(xs) or 1)")
    )
    asked = "Write the functions mean and size of a list of numbers."
    async with comparing(pipeline_with, NO_TESTS, coder(half, right, other), JUDGED) as run:
        assert await run(asked) == right
    made = run.record["artefact"]
    assert made["agreement"]["classes"] == [[1, 2], [0]]
    assert any(each.startswith("mean([") for each in made["agreement"]["calls"])
    assert all(each["call"].startswith("mean([") for each in made["differences"])
    async with comparing(pipeline_with, coder(right, other), JUDGED) as run:
        await run(asked)
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 40 calls"
    long = right.replace(
        "    return len", "    n = 0\n" + "    n += 0\n" * 60 + "    return n + len"
    )
    held = says_tests("assert size([]) == 0\nassert size([3]) == 1\nassert size([1, 1]) == 2")
    async with comparing(pipeline_with, held, coder(long, right), JUDGED) as run:
        await run(asked)
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 40 calls"


COUNTS = "for n in range(3):\n    print(n)\n"
ALSO_COUNTS = 'def main():\n    print("0\\n1\\n2 ")\n\n\nif __name__ == "__main__":\n    main()\n'
COUNTS_ON = "for n in range(4):\n    print(n)\n"
COUNTS_ALOUD = "print('The numbers:', [0, 1, 2])\n"


@needs_sandbox
async def test_programs_are_compared_by_what_they_print(pipeline_with):
    """Where the request speaks of no function, and without a call of a model; blanks and labels do
    not count."""
    asked = "Print the numbers from 0 to 2 in Python."
    async with comparing(pipeline_with, coder(COUNTS, ALSO_COUNTS), JUDGED) as run:
        assert await run(asked) == COUNTS
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts print the same"
    async with comparing(pipeline_with, coder(COUNTS_ON, COUNTS, COUNTS_ALOUD), JUDGED) as run:
        assert await run(asked) == COUNTS
    artefact = run.record["artefact"]
    assert artefact["chosen_because"] == "2 of 3 drafts print the same"
    assert artefact["agreement"]["classes"] == [[1, 2], [0]]
    told = {"call": "the program", "here": "prints 0 1 2", "elsewhere": "prints 0 1 2 3"}
    assert artefact["differences"] == [told]


COUNTER = "def count(n: int):\n    for i in range(n{0}):\n        yield i\n"


@needs_sandbox
async def test_generators_are_compared_by_what_they_give(pipeline_with):
    """Not by their addresses, of which no two are alike; of one without an end the first values
    count."""
    asked = "Write a Python generator function count(n) of the numbers below n."
    also = "def count(n: int):\n    yield from range(n)\n"
    for first, second, alike in (
        (COUNTER.format(""), also, 2),
        (COUNTER.format(""), COUNTER.format(" + 1"), 1),
        ("def count(n: int):\n    while True:\n        yield n\n", also, 1),
    ):
        async with comparing(pipeline_with, coder(first, second), JUDGED, MAX_DRAFTS=2) as run:
            await run(asked)
        assert run.record["artefact"]["drafts"][0]["alike"] == alike


DICE = "import random\n\n\ndef roll(n: int) -> int:\n    return random.randint(1, n)\n"


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "draft"),
    [
        ("Write a function roll(n: int) that rolls a die.", DICE),
        (
            "Print a number that nobody knows before.",
            "import secrets\n\nprint(secrets.randbits(64))\n",
        ),
        ("Print the time.", "import time\n\nprint(time.time())\n"),
        ("Print a year.", "from datetime import datetime as d\n\nprint(d.now().year)\n"),
        ("Print the seconds.", "from time import time\n\nprint(int(time()))\n"),
        ("Print something.", "import os, uuid\n\nprint(uuid.uuid4())\n"),
    ],
)
async def test_what_chance_decides_is_not_compared(pipeline_with, asked, draft):
    """Two right programs differ there; the judge is asked, and nobody is told of differences."""
    drafts = coder(draft, f"{draft}# other\n", f"{draft}# third\n")
    async with comparing(pipeline_with, drafts, JUDGED) as run:
        assert await run(asked) == draft
    artefact = run.record["artefact"] or {}
    assert "agreement" not in artefact and "differences" not in artefact
    assert models_asked(run.record)[-1] == "judge"


SUM = "Print the sum and the product of 3, 9 and 4; Ann 2 and Bob 5 wait."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The sum: 16\nThe product: 108", "The sum of 3, 9 and 4 = 16\n\nTheir product is: 108.0"),
        ("sum(3, 9, 4) = 16 108", "Sum and product: [16, 108]"),
        ("The times of Ann: 2\nThe times of Bob: 5", "Time for Ann = 2.00\n\nTime for Bob = 5"),
        ("The numbers are:\n16\n-1", "All numbers: 16, -1"),
        ("The rows are:\n[1, 2]\n[3, 4]", "My rows:\n1 2\n3 4"),
    ],
)
def test_programs_print_the_same_under_other_labels(one, other):
    """Numbers are compared as numbers; those of the request do not count in a label."""
    assert printed_values(one, SUM) == printed_values(other, SUM) != ""


def test_what_stands_in_a_label_may_be_data():
    """Words in quotes in the request, and what stands behind its colon, where that are data."""
    asked = "Print the population of 'New York' (8) and 'Los Angeles' (4), largest first"
    one, other = (
        "The city New York: 8\nThe city Los Angeles: 4",
        "In New York = 4\nIn Los Angeles = 8",
    )
    assert printed_values(one, asked) != printed_values(other, asked) != ""
    asked = "Write a script: print the sum of all primes below fifty"
    assert printed_values("Sum of primes: 328", asked) == "328"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("16 108", "108 16"),
        ("the largest is 9, sum 16", "the largest is 4, sum 16"),
        ("the largest is: 9\nthe sum: 16", "the largest is: 4\nthe sum: 16"),
        ("The time of Ann: 5", "The time of Bob: 5"),
        ("result of item 1: 16", "result of item 2: 16"),
        ("2024 is a leap year", "2024 is not a leap year"),
        ("Leap year 2024: True", "Leap year 2024: False"),
        ("odd: 1 3\neven: 2 4", "even: 1 3\nodd: 2 4"),
        ("{'pears': 9, 'plums': 4}", "{'pears': 4, 'plums': 9}"),
        ("The solution is: x = 3, y = 2", "The solution is: x = 12, y = 2"),
        ("The slots are: 9:00-11:00", "The slots are: 10:00-11:00"),
        ("The versions are: 1.2.9 1.2.10", "The versions are: 1.2.10 1.2.9"),
        ("The list is: [1, 2, 3]", "The list is: [1, [2, 3]]"),
        ("The triangle is:\n1\n2 3\n4 5 6", "The triangle is:\n1 2\n3 4\n5 6"),
        ("The root is: 1.4142135623730950488", "The root is: 1.4142135623730951454"),
        ("The balance is: -$5.00", "The balance is: $5.00"),
        ("The longest word is 'fox': 6", "The longest word is 'dog': 6"),
        ("The longest word is fox: 6", "The longest word is dog: 6"),
        ("Their sum is: 16\nTheir product is: 16", "Their product is: 16\nTheir sum is: 16"),
    ],
)
def test_programs_that_print_other_values_differ(one, other):
    """Another order, number, name, row or bracket, a number of its own in a label, and words: in
    them the answer may be."""
    assert (printed_values(one, SUM) or one) != (printed_values(other, SUM) or other)


@pytest.mark.parametrize(
    ("printed", "request_"),
    [
        ("", SUM),
        ("The names are: Ann", SUM),
        ("1\n2", "Print 1 and 2, each on a line."),
        ("1 2", "Print 1 and 2 on separate lines."),
        ("1,2", "Print 1 and 2, separated by commas."),
        ("001", "Print 1 with leading zeros."),
        ("101", "Print 5 in binary with 8 bits."),
        ("1\n2 3", "Print Floyd's triangle of 2 rows."),
        ("[2, 3]", "Print the primes below 4 as a JSON list."),
        ("The total is: 80.0", "Print the total with two decimals."),
        ("The file of 3 months: [Errno 2] No such file", SUM),
        ("Error: 3 of the files are missing", SUM),
    ],
)
def test_what_is_compared_line_by_line(printed, request_):
    """What has no number, what has to have a form, and what the sandbox lacks."""
    assert printed_values(printed, request_) == ""


def test_much_that_is_printed_is_compared_soon():
    """64 kB of anything, on the event loop."""
    hostile = "1 " * 32000, "\n" * 64000, "a b: " * 12000, "[" * 64000, f"a b: {[*range(10000)]}"
    for text in hostile:
        began = time.process_time()
        printed_values(text, f"{SUM} {text[:20000]}")
        assert time.process_time() - began < 1


@needs_sandbox
async def test_a_function_with_a_demonstration_is_compared_by_calls(pipeline_with):
    """What it prints is its own choice."""
    drafts = coder(f"{RIGHT}print(add(1, 2))\n", f"{ALSO_RIGHT}print(add(3, 4))\n")
    async with comparing(pipeline_with, drafts, JUDGED) as run:
        await run("Write a function that adds two numbers.")
    assert run.record["artefact"]["chosen_because"] == "2 of 2 drafts agree on 20 calls"


PRINTS = "def show(n: int):\n    for i in range(n):\n        print({})\n"
SORTS = "def order(items: list[int]):\n    items.{}\n"


@needs_sandbox
@pytest.mark.parametrize(
    ("one", "alike", "other", "came"),
    [
        (*map(PRINTS.format, ("i * 2", "i + i", "i ** 2")), ("prints 0 2", "prints 0 1")),
        (
            SORTS.format("sort()"),
            SORTS.format("sort(key=lambda each: each)"),
            SORTS.format("reverse()"),
            ("leaves", "leaves"),
        ),
    ],
)
async def test_what_gives_nothing_is_compared_by_what_it_does(
    pipeline_with, one, alike, other, came
):
    """What a function prints, and what it makes of its arguments, where it returns None each
    time."""
    function = one.split("(")[0].removeprefix("def ")
    asked = f"Write a function {function} as we said."
    async with comparing(pipeline_with, NO_TESTS, coder(one, alike), JUDGED) as run:
        assert await run(asked) == one
    assert run.record["final_reason"].startswith("not judged: 2 of 2 drafts agree on")
    async with comparing(pipeline_with, NO_TESTS, coder(other, one, alike), JUDGED) as run:
        assert await run(asked) == one
    made = run.record["artefact"]
    assert made["agreement"]["classes"] == [[1, 2], [0]]
    said = made["differences"][0]
    assert (said["here"].startswith(came[0]), said["elsewhere"].startswith(came[1])) == (True, True)


VALID = "def valid(text: str) -> bool:\n    return {}\n"
NEVER = VALID.format("False"), VALID.format("not text and bool(text)")


@needs_sandbox
@pytest.mark.parametrize(
    ("drafts", "named", "settled", "lack"),
    [
        (NEVER, "NONE", False, "which all give the same result"),
        (NEVER, "valid('q')\nvalid('')\nvalid('ok')", False, "which all give the same result"),
        (
            (VALID.format("len(text) > 80"), VALID.format("80 < len(text)")),
            "",
            True,
            "the same result",
        ),
        ((VALID.format("int(text) > 0"), VALID.format("int(text) >= 1")), "NONE", False, "a value"),
    ],
)
async def test_drafts_that_give_the_same_for_everything_settle_nothing(
    pipeline_with, drafts, named, settled, lack
):
    """Nor do those that raise nearly each time: calls that a model names may tell more, once."""
    named = named or f"valid('{'q' * 81}')\nvalid('')\nvalid('x')"
    calls = {"role": "coder", "prompt": "calls of valid", "reply": named}
    rules = [NO_TESTS, calls, coder(*drafts), JUDGED]
    async with comparing(pipeline_with, *rules, MAX_DRAFTS=2) as run:
        await run("Write a function valid(text: str) -> bool.")
    notes = [step["note"] for step in run.record["steps"] if step["label"] == "agreement"]
    assert notes[0].endswith(lack)
    assert (run.record["final_reason"] or "").startswith("not judged: 2 of 2") == settled
    assert models_asked(run.record) == ["coder"] * 3 + ([] if settled else ["judge"])


@needs_sandbox
async def test_drafts_may_have_names_of_their_own(pipeline_with):
    """Where the request has none, each is called by the name that it has."""
    one, other = (
        "def doubled(n: int):\n    return n * 2\n",
        "def twice(n: int):\n    return n + n\n",
    )
    async with comparing(pipeline_with, coder(one, other), JUDGED) as run:
        assert await run("a function for twice a number") == one
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 1]]
    assert models_asked(run.record) == ["coder"] * 2


@needs_sandbox
async def test_tests_hold_for_what_is_printed_or_done_in_place(pipeline_with):
    """A model that writes them takes each function for one that returns."""
    tests = says_tests("assert order([2, 3, 1]) == [1, 2, 3]\nassert order([5, 9]) == [5, 9]")
    right = SORTS.format("sort()")
    wrong = SORTS.format("reverse()"), SORTS.format("pop() if items else None")
    async with comparing(pipeline_with, tests, coder(wrong[0], right, wrong[1]), JUDGED) as run:
        assert await run("Write order(items), in place.") == right
    assert [each["held_by"] for each in run.record["artefact"]["draft_tests"]] == [[2], [2]]
    tests = says_tests("assert show(2) == '0\\n1'\nassert show(1) == '0'")
    right, wrong = PRINTS.format("i"), PRINTS.format("i + 1")
    async with comparing(pipeline_with, tests, coder(wrong, right, wrong), JUDGED) as run:
        assert await run("Write show(n), it prints the numbers.") == right


@needs_sandbox
async def test_functions_in_a_list_are_no_difference(pipeline_with):
    """They have an address each; nothing else is known of them, so that they settle nothing."""
    one = "def adders(n: int):\n    def add(x):\n        return x + n\n    return [add]\n"
    rules = [NO_TESTS, coder(one, one.replace("x + n", "n + x")), JUDGED]
    async with comparing(pipeline_with, *rules, MAX_DRAFTS=2) as run:
        await run("Write a function adders(n: int).")
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 1]]
    assert models_asked(run.record)[-1] == "judge"


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
CHUNK = """\
```javascript
function chunk(arr, size) {
  const out = [], step = Math.max(1, size);
  for (let i = 0; i < arr.length; i += step) out.push(arr.slice(i, i + step));
  return out;
}
```"""
ALSO_CHUNK = """\
```javascript
const chunk = (inputArray, chunkSize) => {
  const n = Math.max(chunkSize, 1), pieces = { length: Math.ceil(inputArray.length / n) };
  return Array.from(pieces, (_, i) => inputArray.slice(i * n, i * n + n));
};
```"""
WHOLE = "```javascript\nfunction chunk(arr, size) {\n  return [arr];\n}\n```"


@needs_sandbox
@needs_node
async def test_javascript_is_compared_by_calls_that_the_names_tell(pipeline_with):
    """Of the kinds that parameters are called by; where two differ, a third is drawn."""
    prompt = "javascript: function chunk that splits an array into pieces of a size"
    async with comparing(pipeline_with, coder(CHUNK, ALSO_CHUNK), JUDGED) as run:
        assert "slice(i" in await run(prompt)
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 calls"
    async with comparing(pipeline_with, coder(WHOLE, CHUNK, ALSO_CHUNK), JUDGED) as run:
        assert "slice(i" in await run(prompt)
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]
    assert "in other drafts it gives" in open_questions(run.record)[0]


@needs_sandbox
@needs_node
@pytest.mark.parametrize(
    "head",
    [
        *(f"function run({each})" for each in ("callback, ms", "{ a, b }", "...rest", "")),
        "function run(items, key)",
        "/** @param {Object[]} items */\nfunction run(items)",
    ],
)
async def test_javascript_that_nobody_can_call_is_judged(pipeline_with, head):
    """It takes any value for any other: what comes of a wrong one is no promise. Objects are looked
    up by a key, or JSDoc says that they are such."""
    draft = f"```javascript\n{head} {{\n  return 1;\n}}\n```"
    async with comparing(pipeline_with, coder(draft), JUDGED) as run:
        await run("write run in javascript")
    assert models_asked(run.record) == ["coder", "judge"]


@needs_sandbox
async def test_where_two_differ_a_third_is_drawn(pipeline_with):
    """The greedy draft stands alone here, so the answer is another: the two others do the same.
    That is a guess, of which the judge is asked, with some calls on which they differ."""
    told = r"add\(.*\) gives -?\d+; in other drafts it gives -?\d+\."
    rules = [NO_TESTS, coder(MINUS, RIGHT, ALSO_RIGHT), JUDGED | {"prompt": told}]
    async with comparing(pipeline_with, *rules) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert models_asked(record) == ["coder", "coder", "tests", "coder", "judge"]
    assert record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]
    assert record["coder_output"] == RIGHT and not record["escalated"]


SUMS = "assert add(1, 2) == 3\nassert add(2, 2) == 4\nassert add(0, 5) == 5\nassert add(1, 1) == 3"


@needs_sandbox
async def test_where_two_differ_the_first_that_holds_most_tests_is_the_answer(pipeline_with):
    """The model writes them once, from the request alone; the record has them, and who holds each.
    They may be wrong, so the judge is asked all the same, and told how many hold."""
    told = JUDGED | {"prompt": r"3 drafts differ on \d+ of 20 calls, 3 of 4 model-written tests"}
    rules = [says_tests(SUMS), coder(MINUS, TIMES, RIGHT, TIMES), told]
    async with comparing(pipeline_with, *rules) as run:
        assert await run(PROMPT) == RIGHT
    assert models_asked(run.record) == ["coder", "coder", "tests", "coder", "judge"]
    assert run.record["artefact"]["draft_tests"] == [
        {"test": "add(1, 2) → 3", "held_by": [3]},
        {"test": "add(2, 2) → 4", "held_by": [2, 3]},
        {"test": "add(0, 5) → 5", "held_by": [3]},
        {"test": "add(1, 1) → 3", "held_by": []},
    ]


HELD = "assert add(1, 2) == 3\nassert add(2, 2) == 4\nassert add(0, 5) == 5"
LONG = RIGHT.replace("return", "total = 0\n" + "    total += 0\n" * 40 + "    return total +")


@needs_sandbox
async def test_a_long_draft_that_holds_all_tests_needs_no_other(pipeline_with):
    """They cost less than a second one. Nor need anybody be asked; the record has them, and says
    that they were why."""
    async with comparing(pipeline_with, says_tests(HELD), coder(LONG)) as run:
        assert await run(PROMPT) == LONG
    assert models_asked(run.record) == ["coder", "tests"]
    assert run.record["final_reason"] == "not judged: 3 of 3 model-written tests pass"
    artefact = run.record["artefact"]
    assert [each["held_by"] for each in artefact["draft_tests"]] == [[1]] * 3
    [draft] = artefact["drafts"]
    assert draft["chosen"] and not {"alike"} & draft.keys() and "agreement" not in artefact
    assert not run.record["escalated"]


@needs_sandbox
@pytest.mark.parametrize(
    ("tests", "held"),
    [
        ("assert add(1, 2) == 7\nassert add(2, 2) == 5\nassert add(0, 0) == 0", "1 of 3"),
        (SUMS, "3 of 4"),
        ("assert add(1, 2) == 3", "1 of 1"),
    ],
)
async def test_a_long_draft_that_does_not_hold_all_tests_is_compared(pipeline_with, tests, held):
    """One that holds most is wrong as often as not, and one test is few. They were written once; a
    second draft that does the same says that they are wrong."""
    async with comparing(pipeline_with, says_tests(tests), coder(LONG, RIGHT)) as run:
        assert await run(PROMPT) == LONG
    assert models_asked(run.record) == ["coder", "tests", "coder"]
    same = f"2 of 2 drafts agree on 20 calls, {held} model-written tests pass"
    assert run.record["final_reason"] == f"not judged: {same}"


@needs_sandbox
async def test_tests_that_need_a_file_say_nothing_of_a_draft(pipeline_with):
    """It is not there when they are run: no other draft is drawn, and the judge is asked."""
    reads = (
        "def add(a: str, b: str) -> int:\n    return int(open(a).read()) + int(open(b).read())\n"
    )
    long = reads.replace("return", "total = 0\n" + "    total += 0\n" * 40 + "    return total +")
    tests = 'assert add("a.txt", "b.txt") == 3\nassert add("c.txt", "d.txt") == 4'
    async with comparing(pipeline_with, says_tests(tests), coder(long, reads), JUDGED) as run:
        assert await run(PROMPT) == long
    assert models_asked(run.record) == ["coder", "tests", "judge"]
    said = [step["note"] for step in run.record["steps"] if step["label"] == "tests of drafts"]
    assert said == ["they need something that the sandbox lacks"]
    assert "model-written tests" not in str(run.record)


@needs_sandbox
async def test_drafts_that_need_a_file_are_not_compared(pipeline_with):
    """Not even with a third one, where each call of two fails for want of it."""
    reads = "def add(a: str, b: str) -> int:\n    return len(open(a).read() + open(b).read())\n"
    other = reads.replace("open(a)", "open(a, encoding='utf-8')")
    async with comparing(pipeline_with, NO_TESTS, coder(reads, other), JUDGED) as run:
        assert await run(PROMPT) == reads
    assert models_asked(run.record) == ["coder", "coder", "judge"]
    assert run.record["artefact"]["chosen_because"] == SOUND


@needs_sandbox
async def test_drafts_that_import_what_python_has_nowhere_are_compared(pipeline_with):
    """No machine has it: such a draft is wrong, and others are drawn."""
    wrong = "def add(a: int, b: int) -> int:\n    from math import add\n    return add(a, b)\n"
    other = wrong.replace("from math import add\n", "from math import add  # it\n")
    async with comparing(pipeline_with, NO_TESTS, coder(wrong, other, RIGHT), JUDGED) as run:
        await run(PROMPT)
    assert models_asked(run.record)[:4] == ["coder", "coder", "tests", "coder"]


@needs_sandbox
async def test_who_watches_sees_that_tests_are_written_and_run(pipeline_with):
    """Not that the coder drafts once more."""
    async with comparing(pipeline_with, says_tests(HELD), coder(LONG)) as run:
        running = run.submit(PROMPT)
        events = [event async for event in running.events() if event["event"] == "step"]
    labels = [stage_label(event) for event in events if event["state"] == "started"]
    assert labels == ["drafting", "running (evidence)", "writing tests", "running tests"]


@needs_sandbox
@pytest.mark.parametrize(
    ("request_", "draft"),
    [
        ("Write a Python function roll(n) that throws n dice.", "import random\n" + DICE),
        ("Print the sum of 1 and 2 in Python.", "print(1 + 2)\n"),
        ("Write a Python class Tally with add() and total().", "class Tally:\n    pass\n"),
    ],
)
async def test_what_is_no_function_of_its_arguments_is_not_tested(pipeline_with, request_, draft):
    """What chance decides has no results to name, a program no arguments, a class objects first."""
    rules = [says_tests("assert roll(1) == [6]"), coder(draft + "# a line\n" * 60), JUDGED]
    async with comparing(pipeline_with, *rules) as run:
        await run(request_)
    assert "tests" not in models_asked(run.record)


@needs_sandbox
async def test_tests_that_no_draft_holds_decide_nothing(pipeline_with):
    """Nor do those that cannot be had, and where drafts agree none are asked for."""
    wrong = says_tests("assert add(1, 2) == 7\nassert add(2, 2) == 'four'")
    for none in (wrong, {**says_tests(""), "fault": "failed"}):
        rules = [none, coder(MINUS, RIGHT, ALSO_RIGHT), JUDGED]
        async with comparing(pipeline_with, *rules) as run:
            assert await run(PROMPT) == RIGHT
        assert models_asked(run.record).count("coder") == 3
    async with comparing(pipeline_with, wrong, coder(RIGHT, ALSO_RIGHT), JUDGED) as run:
        await run(PROMPT)
    assert models_asked(run.record) == ["coder", "coder"]


def test_a_class_is_worth_its_drafts_times_the_tests_that_they_hold():
    """Of equals the larger, then the earlier; without tests the largest is the best."""
    alike = ((0, 1), (2,), (3,))
    held = {0: [False] * 3, 1: [False] * 3, 2: [True, False, False], 3: [True, True, False]}
    assert Agreement(alike).best == (0, 1)
    assert not Agreement(alike).holds_tests
    tested = Agreement(alike, held=held)
    assert tested.best == (3,) and tested.holds_tests
    said = "2 of 4 drafts agree on 0 calls, another passes 2 of 3 model-written tests"
    assert str(tested) == said
    held |= {1: [True, False, False]}
    tested = Agreement(alike, held=held)
    assert (tested.best, tested.chosen, tested.holds_tests) == ((0, 1), 1, False)


@needs_sandbox
async def test_the_record_says_on_which_calls_the_drafts_differ(pipeline_with, script):
    """What comes of such a call in the draft that is returned and in the others is in the record
    and among the run's open questions; not where the drafts agree."""
    small = script(coder(MINUS, RIGHT, TIMES), name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, MAX_DRAFTS=3, **names) as run:
        assert await run(PROMPT) == MINUS
    rows = run.record["artefact"]["differences"]
    assert len(rows) == 3
    for row in rows:
        a, b = ast.literal_eval(row["call"].removeprefix("add"))
        assert row["here"] == f"gives {a - b}"
        assert set(row["elsewhere"].split(" or ")) <= {f"gives {a + b}", f"gives {a * b}"}
    first = rows[0]
    assert details_of(run.record).open_questions[0] == (
        f"{first['call']} {first['here']}, in other drafts it {first['elsewhere']}"
    )
    async with comparing(pipeline_with, coder(RIGHT, ALSO_RIGHT), JUDGED) as run:
        await run(PROMPT)
    assert "differences" not in run.record["artefact"]
    assert details_of(run.record).open_questions == []


@needs_sandbox
@pytest.mark.parametrize(
    ("body", "here"),
    [
        ("if a > 0:\n        raise type('', (Exception,), {})()\n    return 7", "an exception"),
        ("if a > 0:\n        raise KeyError(a)\n    return 7", "KeyError"),
    ],
)
async def test_what_a_draft_raises_is_said_by_its_name(pipeline_with, script, body, here):
    """Or without one, where it has none: no program may end the run that compares it."""
    raising = f"def add(a: int, b: int) -> int:\n    {body}\n"
    seven = "def add(a: int, b: int) -> int:\n    return 7\n"
    small = script(coder(raising, seven, RIGHT), name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, MAX_DRAFTS=3, **names) as run:
        assert await run(PROMPT) == raising
    rows = run.record["artefact"]["differences"]
    assert {row["here"] for row in rows} <= {f"raises {here}", "gives 7"}
    assert any(row["here"] == f"raises {here}" for row in rows)


@pytest.mark.parametrize(
    ("sizes", "decides", "convinces"),
    [
        ((2,), True, True),
        ((2, 1), True, False),
        ((3, 1), True, False),
        ((3, 2), True, False),
        ((4, 1), True, True),
        ((2, 2), False, False),
        ((1, 1), False, False),
    ],
)
def test_those_that_agree_convince_where_hardly_anybody_differs(sizes, decides, convinces):
    """The largest class is the answer; whether anybody is asked is another question."""
    numbers = iter(range(sum(sizes)))
    agreement = Agreement(tuple(tuple(next(numbers) for _ in range(size)) for size in sizes))
    assert (agreement.decides, agreement.convinces) == (decides, convinces)


@pytest.mark.parametrize(("held", "convinces"), [("--", False), ("+-", True), ("-", True)])
def test_drafts_that_agree_and_hold_no_test_may_have_a_mistake_in_common(held, convinces):
    """One test says nothing: a model's are wrong often enough."""
    tests = [each == "+" for each in held]
    assert Agreement(((0, 1),), held={0: tests, 1: tests}).convinces == convinces


@needs_sandbox
async def test_where_none_agree_the_first_is_judged(pipeline_with):
    """No more than three are drawn; what nobody agrees with is a matter of opinion."""
    rules = NO_TESTS, coder(MINUS, RIGHT, TIMES, RIGHT), JUDGED
    async with comparing(pipeline_with, *rules) as run:
        assert await run(PROMPT) == MINUS
    assert models_asked(run.record) == ["coder", "coder", "tests", "coder", "judge"]
    assert run.record["final_reason"] is None


@needs_sandbox
@pytest.mark.parametrize(
    ("tag", "n", "said", "chosen"),
    [
        ("", 3, "3 drafts differ on 20 of 20 calls", MINUS),
        ("///best ", 5, "2 of 5 drafts agree on 20 calls", RIGHT),
    ],
)
async def test_a_small_model_has_no_word_on_what_its_own_drafts_left_open(
    pipeline_with, script, tag, n, said, chosen
):
    """Its verdict is a coin's, and it would give the same back as a reviewer: the run escalates,
    says why, and nobody is asked. With JUDGE_WHEN=always the judge is, and no reviewer."""
    drafts = coder(MINUS, RIGHT, TIMES, "def add(a: int, b: int) -> int:\n    return b\n", RIGHT)
    doubtful = {"role": "judge", "verdict": [2, 9, "It is wrong."]}
    small = script(NO_TESTS, drafts, doubtful, REVIEW, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run(f"{tag}{PROMPT}") == chosen
    record, why = run.record, f"undecided: {said}"
    asked = models_asked(record)
    assert asked.count("tests") == 1 and asked.count("coder") == n == len(asked) - 1
    assert record["escalated"] and record["escalation_reason"] == why and record["judge"] is None
    assert row_of(record).reason == escalation_kind(record) == "undecided"
    assert f"drew {n} drafts itself" in record["final_reason"]
    async with comparing(pipeline_with, JUDGE_WHEN="always", **names) as run:
        await run(f"{tag}{PROMPT}")
    assert models_asked(run.record)[-1] == "judge"
    assert run.record["escalated"] and run.record["reviewer_output"] is None


@needs_sandbox
async def test_a_draft_that_never_ends_agrees_with_nobody(pipeline_with):
    """It has less of the processor for all its calls than a program may take for a run."""
    endless = "def add(a: int, b: int) -> int:\n    while True:\n        pass\n"
    async with comparing(pipeline_with, coder(RIGHT, endless, ALSO_RIGHT), JUDGED) as run:
        assert await run(PROMPT) == RIGHT
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 2], [1]]
    usual, slow = load_settings(), load_settings(SANDBOX_CPU_S=1)
    assert Limits.of_calls(usual).cpu_s < Limits.of(usual).cpu_s
    assert Limits.of_calls(slow).cpu_s == 1


@needs_sandbox
async def test_a_draft_that_alone_runs_is_undecided(pipeline_with, script):
    """No more than two others are drawn to compare it with; both fall to evidence here."""
    others = [BROKEN + "\n" * n for n in range(2)]
    small = script(coder(RIGHT, *others, RIGHT), name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run(PROMPT, no_log=True) == RIGHT
    assert models_asked(run.record) == ["coder"] * 3
    assert run.record["escalation_reason"] == "undecided: no other draft runs"


@needs_sandbox
async def test_a_tie_is_the_first_draft_s_where_the_judge_is_small(pipeline_with, script):
    """Two classes of two: the judge would be asked which; a small one has no say."""
    drafts = coder(MINUS, RIGHT, ALSO_RIGHT, MINUS + "\n", TIMES)
    better = {"role": "judge", "reply": '{"better": "B"}'}
    small = script(NO_TESTS, drafts, better, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run(f"///best {PROMPT}") == MINUS
    assert set(models_asked(run.record)) == {"coder", "tests"}
    assert run.record["escalation_reason"] == "undecided: 2 of 5 drafts agree on 20 calls"


@needs_sandbox
async def test_a_small_judge_is_asked_where_its_drafts_were_not_heard(pipeline_with, script):
    """Drafts that are not compared leave nothing undecided; and what they decided, a generated test
    that fails opens for the judge's word."""
    tests = {"role": "tester", "reply": "assert add(1, 2) == 4\nassert add(2, 2) == 5"}
    small = script(tests, coder(RIGHT, ALSO_RIGHT), JUDGED, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    for settings in ({"COMPARE_DRAFTS": "off"}, {"GENERATED_TESTS": True}):
        async with comparing(pipeline_with, **names, **settings) as run:
            assert await run(PROMPT) == RIGHT
        assert models_asked(run.record)[-1] == "judge" and not run.record["escalated"]


@pytest.mark.parametrize(("size", "is_told"), [("1.5b", True), ("7b", False)])
async def test_that_a_small_model_likes_its_own_code_is_said(pipeline_with, script, size, is_told):
    """Where nothing could be compared: its yes is no confirmation. That of a larger one is."""
    page = {"role": "coder", "reply": "```html\n<button>on</button>\n```"}
    name = script(page, JUDGED, name=f"x-{size}")
    names = {f"{role}_MODEL_NAME": name for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run("A page with a button") == "<button>on</button>\n"
    said = f"only its writer, {name}, calls it right"
    assert run.record["final_reason"] == (f"unconfirmed: {said}" if is_told else None)
    told = [f"{said}, and nothing of it could be compared"]
    assert details_of(run.record).open_questions == (told if is_told else [])
    assert (confirmed(run.record) == 0) is is_told and not run.record["escalated"]


@needs_sandbox
@pytest.mark.parametrize(("size", "is_told"), [("1.5b", True), ("7b", False)])
async def test_that_a_small_models_decorators_agree_is_said_to_be_little(
    pipeline_with, script, size, is_told
):
    """Nor is it much of classes and of what works on files: such drafts have mistakes in common.
    The drafts of a larger model confirm each other."""
    drafts = [
        "def twice(f):\n    return lambda *a: 2 * f(*a)\n",
        "def twice(f):\n    def g(*a):\n        return f(*a) * 2\n    return g\n",
    ]
    name = script(coder(*drafts), JUDGED, name=f"x-{size}")
    names = {f"{role}_MODEL_NAME": name for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run("A Python decorator `twice` that doubles what comes") == drafts[0]
    assert models_asked(run.record) == ["coder", "coder"]
    reason, questions = run.record["final_reason"], details_of(run.record).open_questions
    assert reason.startswith("unconfirmed: 2 of 2" if is_told else "not judged: 2 of 2")
    assert [each.startswith("2 of 2 drafts agree") for each in questions] == [True] * is_told
    assert (confirmed(run.record) == 0) is is_told and not run.record["escalated"]


@needs_sandbox
async def test_a_later_draft_that_fails_leaves_what_was_compared(pipeline_with):
    """Two drafts that differ, and a backend that is gone: the record has both, with the calls."""
    gone = {"role": "coder", "fault": "failed"}
    two = {"role": "coder", "reply": [MINUS, RIGHT], "times": 2}
    async with comparing(pipeline_with, two, gone, JUDGED) as run:
        assert await run(PROMPT) == MINUS
    assert run.record["artefact"]["chosen_because"] == "2 drafts differ on 19 of 20 calls"
    assert models_asked(run.record)[-1] == "judge"


@needs_sandbox
async def test_drafts_that_fail_evidence_do_not_vote(pipeline_with):
    """A draft that names what is not there is drawn again and is no part of the comparison."""
    async with comparing(pipeline_with, coder(BROKEN, RIGHT, BROKEN, ALSO_RIGHT), JUDGED) as run:
        assert await run(PROMPT) == RIGHT
    artefact = run.record["artefact"]
    assert artefact["agreement"]["classes"] == [[1, 3]]
    assert [each.get("alike") for each in artefact["drafts"]] == [None, 2, None, 2]


@needs_sandbox
async def test_drafts_that_crash_alike_do_not_agree(pipeline_with):
    """Two that fall over their own code in most calls, and give a value in one alone: the third is
    the answer, and a matter of opinion."""
    calls = "".join(f"total([{{'price': {price}}}])\n" for price in range(3))
    crashing = (
        "def total(orders):\n    price = orders[0]['price']\n    return price and price + ''\n"
    )
    drafts = coder(crashing, crashing.replace("''", "'1'"), PRICES)
    named = {"role": "coder", "prompt": "TESTER", "reply": calls}
    async with comparing(pipeline_with, named, drafts, JUDGED, MAX_DRAFTS=3) as run:
        assert await run("Write a Python function total(orders).") == PRICES
    assert run.record["artefact"]["agreement"]["classes"] == [[2], [0], [1]]
    assert "judge" in models_asked(run.record)


@needs_sandbox
async def test_without_annotations_the_arguments_are_found_by_trying(pipeline_with):
    """What the parameters' names and the request mean comes first; no model is asked."""
    pick = "def pick(words, n):\n    return sorted(words, key=len)[:n]\n"
    async with comparing(pipeline_with, coder(pick, pick), JUDGED) as run:
        assert await run("Write a Python function pick(words, n): the n shortest words.") == pick
    assert models_asked(run.record) == ["coder", "coder"]
    tried = next(each for each in run.record["steps"] if each["label"] == "kinds of arguments")
    assert tried["note"] == "list[str], int"
    assert len(run.record["artefact"]["agreement"]["calls"]) == 20


@needs_sandbox
async def test_what_takes_no_usual_arguments_is_called_as_the_model_says(pipeline_with):
    """Ten calls are asked for; what is no call with literal arguments is left out."""
    answer = "total([{'price': 2}])\ntotal(x)\n- total([])\ntotal([{'price': 0}])\n"
    named = {"role": "coder", "prompt": "TESTER", "reply": answer}
    async with comparing(pipeline_with, named, coder(PRICES, PRICES), JUDGED) as run:
        assert await run("Write a Python function total(orders).") == PRICES
    called = ["[{'price': 2}]", "[]", "[{'price': 0}]"]
    assert run.record["artefact"]["agreement"]["calls"] == called


@needs_sandbox
async def test_a_model_that_names_hardly_a_call_has_not_understood(pipeline_with):
    """Two drafts that do the same on one call are no agreement: the judge is asked."""
    named = {"role": "coder", "prompt": "TESTER", "reply": "total([{'price': 2}])\n"}
    async with comparing(pipeline_with, named, coder(PRICES, PRICES), JUDGED) as run:
        await run("Write a Python function total(orders).")
    assert models_asked(run.record)[-1] == "judge"
    assert "agreement" not in run.record["artefact"]


@needs_sandbox
async def test_examples_that_hold_and_switched_off_draw_nothing_more(pipeline_with):
    """One call where the examples decide; one and the judge's where comparing is off."""
    async with comparing(pipeline_with, coder(RIGHT), JUDGED) as run:
        await run(f"{PROMPT} add(1, 2) == 3")
    assert models_asked(run.record) == ["coder"]
    async with comparing(pipeline_with, coder(RIGHT), JUDGED, COMPARE_DRAFTS="off") as run:
        await run(PROMPT)
    assert models_asked(run.record) == ["coder", "judge"]


@needs_sandbox
async def test_a_second_draft_that_fails_leaves_the_first(pipeline_with):
    """What the backend does wrong with a further draft costs the caller nothing."""
    rules = {"role": "coder", "reply": RIGHT, "times": 1}, {"role": "coder", "fault": "failed"}
    async with comparing(pipeline_with, *rules, JUDGED) as run:
        assert await run(PROMPT) == RIGHT


# --- ///best -------------------------------------------------------------------------------------


@needs_sandbox
async def test_best_draws_what_was_asked_for_and_takes_the_largest_class(pipeline_with):
    """Also where the first draft passes the request's examples."""
    replies = coder(MINUS, RIGHT, TIMES, ALSO_RIGHT)
    async with comparing(pipeline_with, NO_TESTS, replies, JUDGED) as run:
        assert await run(f"///best=4 {PROMPT}") == RIGHT
    record = run.record
    assert record["mode"] == "code_best" and len(record["artefact"]["drafts"]) == 4
    assert record["artefact"]["agreement"]["classes"] == [[1, 3], [0], [2]]
    assert models_asked(record)[5:] == ["judge"]  # two of four are no majority


@needs_sandbox
async def test_two_that_hold_most_tests_are_enough_for_best(pipeline_with):
    """One alone is not, which would do for the default mode."""
    rules = [says_tests(SUMS), coder(MINUS, RIGHT, TIMES, ALSO_RIGHT, TIMES), JUDGED]
    async with comparing(pipeline_with, *rules) as run:
        assert await run(f"///best {PROMPT}") == RIGHT
    assert models_asked(run.record) == ["coder", "coder", "tests", "coder", "coder", "judge"]


@needs_sandbox
async def test_further_drafts_of_best_follow_a_plan_each(pipeline_with):
    """From the sixth on; the plans come from one call and stand beside their drafts."""
    plans = {"role": "coder", "prompt": "The 2 ways", "reply": "1. Add them.\n2. Count up.\n"}
    replies = coder(RIGHT, MINUS, RIGHT, TIMES, RIGHT, RIGHT)
    async with comparing(pipeline_with, plans, replies, JUDGED) as run:
        assert await run(f"///best=7 {PROMPT}") == RIGHT
    drafts = run.record["artefact"]["drafts"]
    assert [each.get("plan") for each in drafts] == [None] * 5 + ["Add them."]
    why = "4 of 6 drafts agree on 20 calls"
    assert run.record["final_reason"] == f"not judged: {why}"


@needs_sandbox
async def test_best_draws_nothing_that_could_not_change_the_choice(pipeline_with):
    """Three of five that do the same are the largest class, whatever the others do; a draft that
    fails evidence is none of them. Where the request's examples hold, two are enough."""
    async with comparing(pipeline_with, coder(RIGHT, BROKEN, ALSO_RIGHT, RIGHT), JUDGED) as run:
        assert await run(f"///best {PROMPT}") == RIGHT
    assert models_asked(run.record) == ["coder"] * 4
    assert run.record["final_reason"] == "not judged: 3 of 3 drafts agree on 20 calls"
    async with comparing(pipeline_with, coder(RIGHT, MINUS, ALSO_RIGHT), JUDGED) as run:
        assert await run(f"///best {PROMPT} add(1, 2) == 3") == RIGHT
    assert models_asked(run.record) == ["coder"] * 3


@needs_sandbox
@pytest.mark.parametrize(
    ("answers", "chosen"),
    [(("A", "B"), MINUS), (("B", "A"), RIGHT), (("A", "A"), MINUS), (("?", "?"), MINUS)],
)
async def test_a_tie_is_broken_in_both_orders_then_by_length(pipeline_with, answers, chosen):
    """A judge that prefers a place says nothing; both programs here are equally long, so the
    earlier one stays."""
    said = [f'{{"better": "{each}"}}' for each in answers]
    rules = (
        {"role": "judge", "prompt": "PROGRAM A", "reply": [said[0], said[0]], "times": 1},
        {"role": "judge", "prompt": "PROGRAM A", "reply": said[1]},
    )
    if answers == ("?", "?"):
        rules = ({"role": "judge", "prompt": "PROGRAM A", "reply": "neither"},)
    async with comparing(pipeline_with, *rules, coder(MINUS, RIGHT), JUDGED) as run:
        assert await run(f"///best=2 {PROMPT}") == chosen
    row = run.record["artefact"]["differences"][0]
    fact = "{call} {here}; in other drafts it {elsewhere}.".format(**row)
    told = JUDGED | {"prompt": re.escape(fact)}  # the verdict is asked on the one that was chosen
    async with comparing(pipeline_with, *rules, coder(MINUS, RIGHT), told) as run:
        await run(f"///best=2 {PROMPT}")
    assert run.record["judge"]["confidence_score"] == 9


@needs_sandbox
@pytest.mark.parametrize("drafts", [*itertools.permutations((RIGHT, LONGER, LONGEST))])
async def test_a_tie_that_no_judge_breaks_goes_to_the_shortest_program(pipeline_with, drafts):
    """Wherever it stands among the drafts."""
    first = {"role": "judge", "prompt": "PROGRAM A", "reply": '{"better": "A"}'}
    async with comparing(pipeline_with, NO_TESTS, first, coder(*drafts), JUDGED) as run:
        assert await run(f"///best=3 {PROMPT}") == RIGHT
    assert run.record["artefact"]["agreement"]["classes"][0] == [drafts.index(RIGHT)]


@needs_sandbox
async def test_where_no_draft_is_sound_the_least_wrong_is_reviewed(pipeline_with):
    """As in the default mode: the better one by evidence is the answer."""
    rules = coder(BROKEN), {"role": "reviewer", "reply": RIGHT}, JUDGED
    async with comparing(pipeline_with, *rules) as run:
        assert await run(f"///best=3 {PROMPT}") == RIGHT
    assert run.record["escalation_reason"] == "evidence: the name plus is not defined"


# --- the number of a tag -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "choice", "found"),
    [
        ("///best=8 add", None, ("code_best", 8, "add")),
        ("///best add", None, ("code_best", None, "add")),
        ("add\n///ctx ///BEST=3", None, ("code_best_ctx", 3, "add")),
        ("add", "best=4", ("code_best", 4, "add")),
        ("///raw add", "best=4", ("code_raw", None, "add")),
        ("add\n///best=8", None, ("code_best", 8, "add")),
        ("add ///best=8 twice", None, ("code_reviewed", None, "add ///best=8 twice")),
        ("add\n///best=99999 twice", None, ("code_reviewed", None, "add\n///best=99999 twice")),
        ("a\n```\n///best=x\n```", None, ("code_reviewed", None, "a\n```\n///best=x\n```")),
        ("add\n```\n///best=x", None, ("code_reviewed", None, "add\n```\n///best=x")),
        (r"\///best=8 is text", None, ("code_reviewed", None, "///best=8 is text")),
    ],
)
def test_a_tag_can_carry_a_number(text, choice, found):
    """At the places where tags count, in the field `mode`, and nowhere else."""
    assert read_tags(text, choice) == found


@pytest.mark.parametrize(
    "text",
    [
        "///best=1 x",
        "///best=33 x",
        "///raw=3 x",
        "///ctx=2 x",
        "///best=x y",
        "///best= y",
        "///ctx ///best=99999 y",
        "y\n///best=99999",
        "///ctx y\n///best=x",
        "///raw=a",
    ],
)
def test_a_number_that_means_nothing_is_refused(text):
    """It says what the mode takes; nothing runs."""
    with pytest.raises(BadRequest, match="number"):
        read_tags(text)


def test_a_model_s_name_can_carry_the_number():
    """`laios:best=8` for clients that eat a leading slash."""
    assert choice_of("laios:best=8") == "best=8"
    assert resolve_mode("best=8") == "code_best"


# --- calls and behaviours ------------------------------------------------------------------------


def test_calls_are_made_of_every_usual_annotation():
    """Values of the types, the same each time, as many as are wanted."""
    code = (
        "def f(a: int, b: List[str], c: Optional[float], d: dict[str, list[int]], e: 'bool',"
        " g: tuple[int, ...], h: int | None, i: typing.Sequence[set[int]], k: str = ''): ..."
    )
    calls = calls_by_annotation([code], "f", 20)
    assert len(calls) == 20 and calls == calls_by_annotation([code], "f", 20)
    for call in calls:
        a, b, c, d, e, g, h, i = call.arguments.args
        assert isinstance(a, int) and all(isinstance(each, str) for each in b)
        assert c is None or isinstance(c, float)
        assert all(isinstance(each, list) for each in d.values()) and isinstance(e, bool)
        assert isinstance(g, tuple) and (h is None or isinstance(h, int))
        assert all(isinstance(each, set) for each in i)


GRADES = """
def grade(score: int, scale: str) -> str:
    \"\"\"'A' for 'percent' of %s and more.\"\"\"
    if scale == 'percent' and score %s 93:
        return f'top of the scale: {scale}'
    return 'B'
"""


def test_calls_are_made_of_the_programs_constants_too():
    """Texts and numbers that drafts look for, and what the request puts in quotation marks; not
    their documentation, nor what they say in messages."""
    programs = [
        GRADES % (93, ">="),
        GRADES % (93, ">"),
        "x = [0, 1, 2, 0.5, True, 'far too long for that']",
    ]
    seeds = seeds_of("Either 'points' or `percent`.", programs)
    assert seeds == Seeds(("points", "percent", "B"), (93,))
    calls = calls_by_annotation(programs, "grade", 20, seeds)
    assert calls == calls_by_annotation(programs, "grade", 20, seeds)
    numbers, texts = zip(*(call.arguments.args for call in calls), strict=True)
    assert {92, 93, 94} <= set(numbers) and "percent" in texts


LUHN = """\
def is_card(number: str) -> bool:
    digits = [int(c) for c in number if c.isdigit()]
    for i in range(len(digits) - {start}, -1, -2):
        digits[i] = digits[i] * 2 - 9 * (digits[i] > 4)
    return {whole}sum(digits) % 10 == 0
"""


@needs_sandbox
async def test_texts_are_of_the_form_that_the_request_speaks_of(pipeline_with):
    """What checks card numbers is called with some, right ones and wrong ones: words would have
    no two drafts differ."""
    asked = "Write is_card(number: str) -> bool, the Luhn check of a card number."
    right = LUHN.format(start=2, whole="bool(digits) and ")
    wrong = LUHN.format(start=1, whole="bool(digits) and ")
    async with comparing(pipeline_with, NO_TESTS, coder(right, wrong, right + "\n"), JUDGED) as run:
        assert await run(asked) == right
    made = run.record["artefact"]
    assert made["agreement"]["classes"] == [[0, 2], [1]]
    seen = made["differences"][0]
    assert {seen["here"], seen["elsewhere"]} == {"gives True", "gives False"}
    assert "'4539578763621486'" in made["agreement"]["calls"]


@needs_sandbox
async def test_drafts_that_differ_at_a_bound_are_told_apart(pipeline_with):
    """One takes 93 for the top, the other does not."""
    drafts = [(GRADES % (93, sign)).replace("scale == 'percent' and ", "") for sign in (">", ">=")]
    async with comparing(pipeline_with, coder(*drafts, drafts[1]), JUDGED) as run:
        assert await run("Write a Python function grade(score, scale).") == drafts[1]
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


@pytest.mark.parametrize(
    "code",
    [
        "def f(a, b: int): ...",
        "def f(a: Node): ...",
        "def f(a: dict[list[int], int]): ...",
        "def f(a: 'int +'): ...",
        "def g(a: int): ...",
        "def f(a: int",
        f"def f(a: {'list[' * 9}int{']' * 9}): ...",
    ],
)
def test_where_no_values_can_be_made_there_are_no_calls(code):
    """Types of one's own, keys that cannot be, and code that does not parse."""
    assert calls_by_annotation([code], "f", 5) == ()


def kinds(program, request, most=3):
    found = likely_kinds(program, "f", request, most)
    return [", ".join(map(ast.unparse, each.kinds)) for each in found]


def test_kinds_of_arguments_are_guessed_from_names_and_words():
    """The name of the parameter, then what the request speaks of, then the others; of several
    parameters the guess that takes the fewest steps down comes first."""
    assert kinds("def f(nums, k=2): ...", "", 1) == ["list[int]"]
    assert kinds("def f(thing): ...", "Does a text stand in a list of words?", 2) == [
        "str",
        "list[str]",
    ]
    assert kinds("def f(s, n): ...", "", 3) == ["str, int", "str, str", "int, int"]
    assert kinds("class Solution:\n    def f(self, matrix): ...", "", 1) == ["list[list[int]]"]
    for none in ("def g(a): ...", "def f(): ...", "def f(a, b, c, d, e): ...", "def f(a"):
        assert kinds(none, "") == []


@given(st.text(max_size=200))
def test_any_annotation_is_read_or_left(text):
    """Model output; nothing is evaluated and nothing is raised."""
    calls_by_annotation([f"def f(a: {text}): ...", f"def f(a: {text!r}): ..."], "f", 3)
    read_calls(text, "f")
    likely_kinds(text, "f", text, 3)


def test_calls_are_read_out_of_a_model_s_answer():
    """In prose, lists and fences; each once, and only with literals."""
    text = "Sure:\n```\n1. f([1, 2], 3)\n* f(x)\nf([1,2],3)  # again\nprint(f('a', n=2))\ng(1)\n```"
    assert [call.input for call in read_calls(text, "f")] == ["[1, 2], 3", "'a', n=2"]


def behaviour(*values):
    case = Case(Arguments(), ANY_VALUE)
    return Behaviour.of(
        [
            CaseResult(case, "raised", raised=(value,))
            if isinstance(value, str) and value.endswith("Error")
            else CaseResult(case, "returned", value)
            for value in values
        ]
    )


def test_programs_that_do_the_same_are_one_class():
    """Floats that differ in their last digits are the same; True is not 1, and an exception is part
    of what a program does."""
    assert classes([behaviour(0.1 + 0.2), behaviour(0.3)]) == [[0, 1]]
    assert classes([behaviour(0), behaviour(0.0), behaviour(-0.0)]) == [[0, 1, 2]]
    assert classes([behaviour(1), behaviour(True), behaviour(1)]) == [[0, 2], [1]]
    assert classes([behaviour({1: 2.0, "a": [3]}), behaviour({"a": [3], 1: 2.0})]) == [[0, 1]]
    assert classes([behaviour(1, "KeyError"), behaviour(1, "ValueError")]) == [[0], [1]]


@pytest.mark.parametrize("code", ["x = 1", "def f():\n    print(1)", "class A: ...", ""])
def test_what_does_nothing_by_itself_is_no_program(code):
    """Definitions and plain values alone are none; with a statement that acts, what parses is."""
    assert not is_program(code)
    assert is_program(f"{code}\nprint(2)")
    assert is_program(f"{code}\nif __name__ == '__main__':\n    f()")
    assert not is_program(f"{code}\nprint(")


def test_numbers_that_python_does_not_write_are_values():
    """Those of more than 4,300 digits, also where a dict or a set has to be put in order."""
    huge = 10**5000
    assert classes([behaviour([huge]), behaviour([huge + 1]), behaviour([huge])]) == [[0, 2], [1]]
    assert classes([behaviour({huge: huge}), behaviour([1]), behaviour({huge})])[0] == [0, 2]


def test_programs_that_never_give_a_value_agree_with_nobody():
    """However many fail in the same way, or do not end in most calls: they come last."""
    failing = behaviour("TypeError", "TypeError")
    assert classes([failing, failing, behaviour(1, "TypeError")]) == [[2], [0], [1]]
    calls = [Case(Arguments(), ANY_VALUE, name=str(n)) for n in range(3)]
    endless = [CaseResult(call, "cpu") for call in calls]
    hardly = Behaviour.of([CaseResult(calls[0], "returned", 1), *endless[1:]])
    mostly = Behaviour.of([CaseResult(call, "returned", 2) for call in calls[:2]] + endless[2:])
    assert classes([hardly, hardly, mostly]) == [[2], [0], [1]]


COUNT = "def count(text):\n    return sum(char in 'aeiou' for char in text)\n"
SAME = "def count(text):\n    return len([char for char in text if char in 'aeiou'])\n"
UPPER = "def count(text):\n    return sum(char in 'aeiou' for char in text.lower())\n"
USED = "\nprint(count('AbE'))\n"
AS_BEFORE = ", and the chosen one does what the earlier code did"


@needs_sandbox
@pytest.mark.parametrize(
    ("drafts", "settled", "said"),
    [
        ((COUNT.replace("char", "c"), SAME), False, AS_BEFORE),
        ((UPPER + USED, UPPER.replace("char", "c") + USED.replace("A", "XA")), True, ""),
    ],
)
async def test_drafts_that_change_nothing_decide_nothing(pipeline_with, drafts, settled, said):
    """Where the last answer is to do something else, and calls show that it does not. What they
    print besides is no matter: it is a function that is changed."""
    turns = (Turn("user", "count vowels"), Turn("assistant", f"```python\n{COUNT}```"))
    rules = [NO_TESTS, coder(*drafts), JUDGED]
    async with comparing(pipeline_with, *rules, MAX_DRAFTS=2) as run:
        await run("it should also count uppercase vowels", conversation=turns)
    notes = [step["note"] for step in run.record["steps"] if step["label"] == "agreement"]
    assert re.fullmatch(rf"2 of 2 drafts agree on \d+ calls{said}", notes[-1])
    said = "calls it does what the earlier code did"
    told = [each.endswith(said) for each in details_of(run.record).open_questions]
    assert told == ([] if settled else [True])
    asked = [] if settled else ["coder", "judge"]  # the coder for more calls
    assert models_asked(run.record) == ["coder"] * 2 + asked


@needs_sandbox
async def test_what_an_example_states_may_have_been_so_before(pipeline_with):
    """Where the last answer gives what the request asks for, its drafts need no difference."""
    turns = (Turn("user", "count vowels"), Turn("assistant", f"```python\n{COUNT}```"))
    rules = [NO_TESTS, coder(COUNT.replace("char", "c"), SAME), JUDGED]
    async with comparing(pipeline_with, *rules, MAX_DRAFTS=2) as run:
        await run("it should return 0 for an empty string", conversation=turns)
    assert run.record["final_reason"].startswith("not judged: 2 of 2 drafts agree on")


@needs_sandbox
async def test_calls_that_show_a_change_are_asked_for_once(pipeline_with):
    """Where those that are made show none: then the drafts that make it are settled."""
    asked = "no vowels at all should be told by -1 there"
    empty = "def count(text):\n    return sum(c in 'aeiou' for c in text) if text != 'é' else -1\n"
    turns = (Turn("user", "count vowels"), Turn("assistant", f"```python\n{COUNT}```"))
    named = "count('é')\ncount('')\ncount('x')"
    calls = {"role": "coder", "prompt": "calls of count", "reply": named}
    rules = [NO_TESTS, calls, coder(empty, empty.replace("(c ", "(d ").replace("for c", "for d"))]
    async with comparing(pipeline_with, *rules, MAX_DRAFTS=2) as run:
        await run(asked, conversation=turns)
    notes = [step["note"] for step in run.record["steps"] if step["label"] == "agreement"]
    assert notes[0].endswith(AS_BEFORE) and notes[-1].startswith("2 of 2")
    assert run.record["final_reason"].startswith("not judged: 2 of 2")
    labels = [step["label"] for step in run.record["steps"] if step["model"]]
    assert labels.count("calls") == 1


@needs_sandbox
async def test_calls_that_were_never_made_are_no_difference():
    """A call that never ends is one, and those behind it, of the same process, are not."""
    calls = [Case(Arguments((n,)), ANY_VALUE, "f", name=str(n)) for n in range(6)]
    ends = "def f(n):\n    return n\n"
    endless = "def f(n):\n    while n == 3: pass\n    return n\n"
    limits = Limits.of_calls(load_settings())
    came = [await run_calls(program, calls, limits) for program in (ends, endless)]
    did = dict(enumerate(map(Behaviour.of, came)))
    [told] = differences(did, calls, "f")
    ended = told.seen_from(0).pop("elsewhere")
    assert told.seen_from(0) == {"call": "f(3)", "here": "gives 3", "elsewhere": ended}
    assert ended in ("ends: cpu", "ends: timeout")  # on a busy machine the clock is first


def test_how_drafts_differ_is_said():
    """On how many calls; that none gives anything is no difference."""
    call = Case(Arguments((1,)), ANY_VALUE)
    apart = Agreement(((0,), (1,)), (call, call, call), differing=1)
    assert str(apart) == "2 drafts differ on 1 of 3 calls"
    assert str(replace(apart, differing=0)) == "none of 2 drafts returns a value in 3 calls"
    lines = {0: behaviour_of_print("1\n2\n"), 1: behaviour_of_print("1 2 \n")}
    [told] = differences(lines, (call,), "f")
    assert told.seen_from(0) == {"call": "f(1)", "here": "prints 1 ⏎ 2", "elsewhere": "prints 1 2"}


def behaviour_of_print(text):
    result = CaseResult(Case(Arguments((1,)), ANY_VALUE), "returned", None, printed=text)
    return Behaviour.of([result], "each number on its own line")
