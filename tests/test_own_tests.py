"""Drafts that bring tests: these are run, on their own code or on the code in the request."""

import shutil

import pytest

from pipeline.analysis.failing_assertions import without_failing

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
STACK = """\
import unittest


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)


class StackTest(unittest.TestCase):
    def test_push(self):
        stack = Stack()
        stack.push(1)
        self.assertEqual(stack.items, [{0}])


if __name__ == "__main__":
    unittest.main()
"""
SLUGIFY = "def slugify(text):\n    return '-'.join(text.lower().split())\n"
ASKED = f"Write pytest tests for this function:\n{SLUGIFY}"
TESTS = """\
import pytest

from slugs import slugify


@pytest.mark.parametrize(("text", "slug"), [("A b", "a-b"), ("A  b", "{0}")])
def test_slugify(text, slug):
    assert slugify(text) == slug
"""


def evident(pipeline_with, *replies, **settings):
    coder = {"role": "coder", "reply": list(replies)}
    return pipeline_with(coder, JUDGED, **{"EVIDENCE_RUN": "auto", "MAX_DRAFTS": 2} | settings)


def of_own_tests(record):
    return [step["note"] for step in record["steps"] if step["label"] == "own tests"]


@needs_sandbox
async def test_a_draft_that_fails_its_own_tests_is_drawn_again(pipeline_with):
    """Whichever of the two is wrong, they do not fit; the record says which test failed how."""
    async with evident(pipeline_with, STACK.format(2), STACK.format(1)) as run:
        assert await run("Write unittest tests for a Stack class with push.") == STACK.format(1)
    first, _ = run.record["artefact"]["drafts"]
    [said] = first["findings"]
    assert said.startswith("its own tests fail: test_push (AssertionError: Lists differ: [1]")
    assert of_own_tests(run.record) == ["0 of 1 tests pass", "1 of 1 tests pass"]


@needs_sandbox
async def test_tests_that_are_asked_for_are_run_on_the_code_of_the_request(pipeline_with):
    """By whatever name they import it, and though pytest is not in the sandbox."""
    wrong, right = TESTS.format("a--b"), TESTS.format("a-b")
    async with evident(pipeline_with, wrong, right) as run:
        assert await run(ASKED) == right
    assert of_own_tests(run.record) == ["1 of 2 tests pass", "2 of 2 tests pass"]


CASES = """\
import unittest


class SlugifyTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(slugify("A b"), "a-b")
        self.assertEqual(slugify("A, b!"), "a-b")
        self.assertEqual(slugify("A  b"), "a-b")

    def test_accents(self):
        self.assertEqual(
            slugify("É"), "e"
        )

    def test_empty(self):
        self.assertEqual(slugify(""), "")
"""


@needs_sandbox
async def test_a_few_wrong_assertions_become_comments(pipeline_with):
    """Of tests for the request's code; what came stands there, and nothing is drawn again. A test
    that has no other assertion goes as a whole."""
    async with evident(pipeline_with, CASES, MAX_DRAFTS=5) as run:
        said = await run(ASKED.replace("pytest", "unittest"))
    assert "        # Left out, as it fails (AssertionError: 'a,-b!' != 'a-b'" in said
    assert '\n        # self.assertEqual(slugify("A, b!"), "a-b")\n        self.assertE' in said
    assert (
        "\n    # def test_accents(self):\n    #     self.assertEqual(\n    #         slug" in said
    )
    assert of_own_tests(run.record)[-1] == "2 of 2 tests pass"
    assert "REVIEWER_NOTE" not in said
    assert [step["stage"] for step in run.record["steps"] if step["model"]] == ["coder", "judge"]


HELPER = """\
def check(text, slug):
    assert slugify(text) == slug


def test_words():
    check("A b", "a-b")


def test_marks():
    check("A, b!", "a-b")


def test_empty():
    assert slugify("") == ""
    assert slugify(" ") == ""
"""
FIXED = SLUGIFY.replace("lower", "casefold")


@needs_sandbox
@pytest.mark.parametrize(
    "draft",
    [
        HELPER,  # the other tests call it, too
        CASES.replace('b!"), "a-b")\n', 'b!"), "a-b")\n        slugify(None)\n'),
        f"{FIXED}\n\n{CASES}",  # they are of what it has changed
    ],
)
async def test_assertions_stay_where_others_would_be_broken_or_other_code_is_tested(
    pipeline_with, draft
):
    """Nothing becomes a comment in such tests: they fail, and are delivered with a word."""
    review = {"role": "reviewer", "reply": draft}
    coder = {"role": "coder", "reply": draft}
    async with pipeline_with(coder, review, JUDGED, EVIDENCE_RUN="auto", MAX_DRAFTS=1) as run:
        said = await run(ASKED)
    assert said.startswith("# REVIEWER_NOTE: its own tests fail")
    assert said.endswith(draft.strip()) or draft in said


ROWS = """\
import pytest

from slugs import slugify


@pytest.mark.parametrize(
    "text, slug",
    [
        ("A b", "a-b"),
        ("A, b!", "a-b"),  # marks
        ("", ""),
        ("x", "x")
    ],
)
def test_slugify(text, slug):
    assert slugify(text) == slug
"""
WRONG = '        ("A, b!", "a-b"),  # marks\n'


@needs_sandbox
async def test_a_wrong_row_of_a_parametrized_test_becomes_a_comment(pipeline_with):
    """The others stay."""
    async with evident(pipeline_with, ROWS, MAX_DRAFTS=5) as run:
        said = await run(ASKED)
    note = f"        # Left out, as it fails (AssertionError):\n        # {WRONG.lstrip()}"
    assert said == ROWS.replace(WRONG, note)
    assert of_own_tests(run.record) == ["3 of 4 tests pass", "3 of 3 tests pass"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (ROWS, 5),  # there is none
        (ROWS.replace('("A, b!", "a-b"),  # marks\n        ', '("A, b!", "a-b"), '), 2),
        (ROWS.replace('("", "")', 'pytest.param("", "", marks=pytest.mark.skip)'), 3),
        (ROWS.replace("def test", '@pytest.mark.parametrize("a", [1])\ndef test'), 2),
        (ROWS.replace("[\n", "cases([\n").replace("    ],", "    ]),"), 2),
    ],
)
def test_a_row_that_is_not_known_for_certain_is_not_left_out(text, row):
    """It shares its line, others of its kind are marked, or it is made elsewhere."""
    line = text[: text.index("assert")].count("\n") + 1
    assert without_failing(text, {(line, row): ""}) == ""


@needs_sandbox
async def test_tests_of_the_request_s_own_stay(pipeline_with):
    """A person wrote them: what fails there is told."""
    own = f"{SLUGIFY}\n\n{CASES}"
    more = f"{own}\n    def test_one(self):\n        self.assertEqual(slugify('a'), 'a')\n"
    review, coder = {"role": "reviewer", "reply": more}, {"role": "coder", "reply": more}
    async with pipeline_with(coder, review, JUDGED, EVIDENCE_RUN="auto", MAX_DRAFTS=1) as run:
        said = await run(f"Add more tests:\n\n{own}")
    assert said == f"# REVIEWER_NOTE: {of_failing(run.record)}\n{more}"


def of_failing(record):
    return next(row["detail"] for row in record["evidence"] if "own tests" in row["detail"])


@needs_sandbox
async def test_the_code_of_the_request_may_stand_before_its_tests(pipeline_with):
    """As it is there, it is what is tested."""
    async with evident(pipeline_with, f"{SLUGIFY}\n\n{CASES}", MAX_DRAFTS=5) as run:
        assert "# Left out, as it fails" in await run(ASKED)


ONLY = "class TestA:\n    def test_a(self):\n        assert f(1)\n\n"
SEVERAL = "def test_b():\n    for x in X:\n        assert f(x)\n    assert 2\n    assert 3\n"


@pytest.mark.parametrize(
    ("text", "failing", "gone"),
    [
        (ONLY + SEVERAL, {(3, 0): ""}, "class TestA:"),
        (ONLY.replace("f(1)", "f(1)  # é") + SEVERAL, {(3, 0): ""}, "class TestA:"),
        (SEVERAL, {(3, 0): ""}, "for x in X:"),
        (
            f"def test_a():\n    assert 1\n    assert 2\n\n{SEVERAL}    assert 4\n",
            {(2, 0): "", (3, 0): ""},
            "def test_a():",
        ),
        (
            f"class A:\n    def test_a(self):\n        self.assertTrue(0)\n\n{SEVERAL}",
            {(3, 0): "\ud83d\x00\r"},
            "class A:",
        ),
    ],
)
def test_what_would_be_left_empty_goes_too(text, failing, gone):
    """A class, a loop, a test all of whose assertions fail; whatever is said of it."""
    left = without_failing(text, failing)
    compile(left, "tests.py", "exec")
    assert f"# {gone}" in left
    assert not any(line.strip() == gone for line in left.split("\n"))


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("def test_a():\n    assert f(1)\n    assert f(2)\n    assert f(3)", {(3, 0): ""}),
        (
            "def test_a():\n    assert f(1)\n    assert f(2)\n\ndef test_b():\n    assert 0",
            {(6, 0): ""},
        ),
    ],
)
def test_what_is_left_are_tests(text, failing):
    """They parse, have all other assertions, and the failing lines as comments."""
    left = without_failing(text, failing)
    compile(left, "tests.py", "exec")
    code = [line for line in left.split("\n") if not line.lstrip().startswith("#")]
    assert sum("assert" in line for line in code) == text.count("assert") - len(failing)
    assert "# Left out, as it fails" in left and left.count("# ") > len(failing)


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("def test_a():\n    assert f(1)\n    assert f(2)", {(3, 0): ""}),  # hardly any left
        (
            "def test_a():\n    for x in X:\n        assert f(x)\n    assert 1\n    assert 2",
            {(1, 0): ""},
        ),
        ("def test_a():\n    assert f(1)\n    assert f(2)\n    assert f(3)", {(0, 0): ""}),
        ("def test_a(:", {(1, 0): ""}),
        (
            "def check(x):\n    assert f(x)\n\ndef test_a():\n    assert 1\n    assert 2",
            {(2, 0): ""},
        ),
        ("def test_a():\n    x = 1; assert f(x)\n    assert x\n    assert 2", {(2, 0): ""}),
        ("def test_a():\n    assert f(1)\n    assert f(2)", {(n, 0): "" for n in range(9)}),
    ],
)
def test_where_too_little_would_be_left_nothing_is_left_out(text, failing):
    """Nor where nobody knows what fails."""
    assert without_failing(text, failing) == ""


@needs_sandbox
async def test_tests_that_never_pass_are_delivered_with_a_word(pipeline_with):
    """Whoever gets them is told which of them fail."""
    wrong = TESTS.format("a--b")
    review = {"role": "reviewer", "reply": wrong}
    coder = {"role": "coder", "reply": wrong}
    async with pipeline_with(coder, review, JUDGED, EVIDENCE_RUN="auto", MAX_DRAFTS=1) as run:
        said = await run(ASKED)
    assert said.startswith("# REVIEWER_NOTE: its own tests fail: test_slugify")


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "draft"),
    [
        ("Write a test that fails, for the bug in slugify.", "def test_it():\n    assert 1 == 2\n"),
        (f"Write a test that shows the bug:\n\n{SLUGIFY}", TESTS.format("a--b")),
        ("Tests of the app, please.", "def test_it():\n    assert open('/app/it').read()\n"),
        ("Tests of the app, please.", "def test_it(client):\n    assert client.get('/') == 1\n"),
        ("Tests of it, please.", TESTS.format("a--b")),
    ],
)
async def test_what_the_sandbox_lacks_and_what_shall_fail_is_no_fault(pipeline_with, asked, draft):
    """A file, a fixture, the module itself; a test that was asked for because it fails."""
    async with evident(pipeline_with, draft) as run:
        assert await run(asked) == draft
    assert not run.record["evidence"]
