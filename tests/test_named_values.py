"""Examples that give values by name ("with width = 4 and text = 'ab'"): how a draft is asked
them."""

import shutil
import time

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import run_evidence
from pipeline.task import Task
from pipeline.testcases.examples.asked_examples import asked_of
from pipeline.testcases.examples.example_search import find_examples
from tools.bench.drafts.executed import run_of

pytestmark = pytest.mark.only_when("pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/")

PAD = "Write a {} function that pads a text. With width = 4 and text = 'ab' it returns 'ab  '."
SEARCH = (
    "Write a binary search in Python. With arr = [1, 3] and target = 3 it returns 1; with "
    "target = 4 it returns -1, with arr = [4] and target = 4 it returns 0."
)
TOP = "Write top(items, n=3). For items = [4, 1] it returns [4, 1]; for n = 1 it returns [4]."
SPLIT = (
    "Write a Python function to split a bill. With total = 100 and people = 4 it returns 25.0, "
    "with tip = 10, total = 100 and people = 4 it returns 27.5."
)
SCALE = "Write a Python function. With factor = 2 and size = 3 it returns 6."


def asked(request, draft, language="python"):
    """The calls that the draft is asked, as they are shown."""
    suite = asked_of(Draft(draft, language, ()), find_examples(request), request)
    return [case.input for case in suite.cases]


@pytest.mark.parametrize(
    ("language", "draft", "calls"),
    [
        ("python", "def pad(text, width=8, sep=', '): ...", ["'ab', 4"]),
        ("python", "def pad(width: int, text: str): ...", ["4, 'ab'"]),
        ("python", "def pad(text, fill=' ', width=4): ...", ["width=4, text='ab'"]),
        ("python", "def pad(text, *, width): ...", ["width=4, text='ab'"]),
        ("python", "class Solution:\n    def pad(self, text, width): ...", ["'ab', 4"]),
        ("python", "def pad(Text, WIDTH): ...", ["'ab', 4"]),
        ("javascript", "function pad(text, width = 8) {}", ["'ab', 4"]),
        (
            "javascript",
            "// pad(4, 'ab') => 'ab  '\nconst pad = (text, width) => text;",
            ["'ab', 4"],
        ),
        ("typescript", "const pad = (text: string, width?: number): string => text;", ["'ab', 4"]),
        ("go", "func Pad(text string, width int) string {\n}", ["'ab', 4"]),
        (
            "java",
            "class A {\n  static String pad(String text, int width)\n  {\n  }\n}",
            ["'ab', 4"],
        ),
        ("c", "char *pad(const char *text, int size, int width) {\n}", ["'ab', 4"]),
    ],
)
def test_named_values_go_to_the_parameters_of_these_names(language, draft, calls):
    """Wherever the sentence has them."""
    assert asked(PAD.format(language), draft, language) == calls


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("python", "def pad(text, n): ..."),
        ("python", "def pad(text): ..."),
        ("python", "def pad(text, width, fill): ..."),
        ("javascript", "function pad({ text, width }) {}"),
        ("javascript", "const pad = (text, fill = ' ', width = 4) => text;"),
    ],
)
def test_what_a_function_does_not_take_by_these_names_is_not_asked(language, draft):
    """A call in another order accuses a right program."""
    assert asked(PAD.format(language), draft, language) == []


def test_names_of_the_request_alone_keep_its_order():
    """That of its first example that has them."""
    request = (
        "Find it in Python.\n\nInput: a = [1], b = 1\nOutput: 0\n\nInput: b = 2, a = []\nOutput: -1"
    )
    assert asked(request, "def find(nums, target): ...") == ["[1], 1", "[], 2"]


@pytest.mark.parametrize(
    ("request_", "draft", "calls"),
    [
        (SEARCH, "def search(arr, target): ...", ["[1, 3], 3", "[1, 3], 4", "[4], 4"]),
        (SEARCH, "def search(target, arr): ...", ["3, [1, 3]", "4, [1, 3]", "4, [4]"]),
        (SEARCH, "def search(arr, target=0): ...", ["[1, 3], 3", "[1, 3], 4", "[4], 4"]),
        (SEARCH, "def search(xs, x): ...", ["[1, 3], 3", "[4], 4"]),
        (TOP, "def top(items, n=3): ...", ["[4, 1]", "[4, 1], 1"]),
        (TOP, "def top(values, count=3): ...", ["[4, 1]", "[4, 1], 1"]),
        (SPLIT, "def split(total, people, tip=0): ...", ["100, 4", "100, 4, 10"]),
    ],
)
def test_an_example_that_names_less_leaves_the_rest_as_it_was(request_, draft, calls):
    """If a call needs it; where a function has another value for it, that one counts."""
    assert asked(request_, draft) == calls


def test_what_may_have_another_value_is_not_taken_from_the_example_before():
    """`fill` may be as it was, or as it is where nothing is said."""
    request = (
        "Write pad(text, width, fill=' '). With text = 'a', width = 3 and fill = '*' it returns "
        "'a**'; with width = 2 it returns 'a*'."
    )
    assert asked(request, "def pad(text, width, fill=' '): ...") == ["'a', 3, '*'"]


def test_without_a_draft_what_names_less_is_no_example():
    """Only its function says what the rest is."""
    assert [case.input for case in find_examples(SEARCH).cases] == ["[1, 3], 3", "[4], 4"]


def test_heads_that_never_end_take_no_time():
    """Of a draft that a model wrote."""
    began = time.process_time()
    for text in (
        "a " * 50_000,
        "pad" * 50_000,
        "pad(" * 50_000,
        "x: y = " * 20_000,
        "f\n" * 50_000,
    ):
        assert asked(PAD.format("Go"), f"{text}\nfunc pad(", "javascript") == []
    assert time.process_time() - began < 5


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
@pytest.mark.parametrize(
    ("draft", "fails", "holds"),
    [
        ("def scale(factor, size):\n    return factor * size", False, True),
        ("def scale(factor, size):\n    return factor + size", True, False),
        ("def scale(a, b):\n    return a * b", False, True),
        ("def scale(a, b):\n    return b - a + 1", False, False),
    ],
)
async def test_an_order_that_nobody_says_accuses_nobody(draft, fails, holds):
    """It tells for a draft, as chance seldom gives the value."""
    with run_of(SCALE, load_settings(), None) as run:
        found = await run_evidence(run, Task(SCALE), Draft(draft, "python", ()), "coder")
    assert (bool(found.findings), bool(found.decided)) == (fails, holds)
