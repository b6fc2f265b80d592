"""Names that nothing defines: what is said of them, and which are no fault."""

import shutil

import pytest

from pipeline.analysis.undefined_names import gone_names, uncalled_names, undefined_names

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
FLAT = "flat = [item for sublist in nested_list for item in sublist]"
RETRY = """def retry(call, times):
    for _ in range(times):
        try:
            return call()
        except Exception as {0}:
            print({0})
    raise {0}
"""


async def findings(pipeline_with, request, code, **mine):
    drafts = {"role": "coder", "reply": code}
    async with pipeline_with(drafts, JUDGED, MAX_DRAFTS=1, **mine) as run:
        await run(request)
    return [each["detail"] for each in run.record["evidence"] or ()]


async def test_an_exception_s_name_ends_with_its_block(pipeline_with):
    """It is said so: who reads "e is not defined" looks for a definition, and finds it."""
    found = await findings(
        pipeline_with, "Write a function retry.", RETRY.format("e"), EVIDENCE_RUN="off"
    )
    assert found == ["the name e no longer exists after its except block"]


@pytest.mark.parametrize(
    ("code", "gone"),
    [
        (RETRY.format("error"), {"error"}),
        (RETRY.format("e").replace("raise e", "raise"), set()),
        (RETRY.format("e").replace("raise e", "e = 1"), set()),
        (f"print(e)\n{RETRY.format('e').replace('raise e', 'raise')}", set()),
        ("def f(", set()),
    ],
)
def test_names_that_are_read_below_their_block(code, gone):
    """Not above it, not what is set."""
    assert gone_names(code) == gone


@needs_sandbox
@pytest.mark.parametrize("how", ["off", "auto"])
async def test_a_line_of_code_works_on_what_is_elsewhere(pipeline_with, how):
    """Nothing defines it there, and where it is run it is missing: neither is a fault. What it
    calls is to be there all the same, and whatever a program uses."""
    asked = "Write a Python one-liner to flatten a list of lists."
    assert await findings(pipeline_with, asked, FLAT, EVIDENCE_RUN=how) == []
    asked_more = asked.replace("one-liner", "program")
    found = await findings(pipeline_with, asked_more, FLAT, EVIDENCE_RUN=how)
    assert found[0] == "the name nested_list is not defined"
    called = FLAT.replace("nested_list", "parts()")
    found = await findings(pipeline_with, asked, called, EVIDENCE_RUN=how)
    assert found[0] == "the name parts is not defined"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (FLAT, {"flat", "item", "sublist", "nested_list"}),
        ("print(f(x))", {"x"}),
        ("f(f)", set()),
        ("def f(x):\n    return x + y\n", set()),
        ("x = (", set()),
    ],
)
def test_names_that_are_not_called(code, names):
    """None where something is defined: that is more than a line."""
    assert uncalled_names(code) == names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("if x:\n            print(above)\n        above = x", []),
        ("print(above)\n        above = x", ["above"]),
        ("if x:\n            t = t + x", ["t"]),
        ("if x:\n            t += x", ["t"]),
    ],
)
def test_what_an_earlier_turn_has_set_is_defined(body, names):
    """Where something has to hold before it is read; not what no turn could have set."""
    assert undefined_names(f"def f(xs):\n    for x in xs:\n        {body}\n") == names


USERS = """Given `users: list = [{'name': 'Ann', 'age': 30}]` in Python, write a function
names_over(age) for older ones. names_over(26) should return ['Ann']."""
OVER = "def names_over(age):\n    return [u['name'] for u in users if u['age'] > age]\n"
STOCK = """const stock = { apple: 3 };

Write a JavaScript function has(name) that uses it: has('apple') === true"""
HAS = "function has(name) {\n  return stock[name] > 0;\n}\n"
HELPER = (
    "function clean(s) {\n  return s.trim();\n}\n\nIn JS: last(' ab ') === 'b'. Use my clean()."
)
LAST = "function last(s) {\n  return clean(s).at(-1);\n}\n"


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (USERS, OVER),
        (USERS, f"{OVER}\nif __name__ == '__main__':\n    print(names_over(26))\n"),
        (STOCK, HAS),
        (STOCK, f"{HAS}\nconsole.log(has('apple'));\n"),
        (HELPER, LAST),
    ],
)
async def test_what_the_request_gives_need_not_be_written_again(pipeline_with, asked, code):
    """Code that goes with the request's data or functions is not accused of their lack."""
    assert await findings(pipeline_with, asked, code, EVIDENCE_RUN="auto") == []


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (USERS.replace("users: list =", "people ="), OVER),
        (
            "Write a Python function fact(n). For n = 4 it returns 24. fact(3) == 6",
            "def fact(x):\n    return 1 if x < 2 else n * fact(x - 1)\n",
        ),
        (
            "Write total(xs).\n\nitems = [1, 2]\ntotal(items) == 3",
            "def total(x):\n    return sum(items)\n",
        ),
        (USERS, f"{OVER}\ndef main():\n    users = []\n"),
        (USERS, OVER.replace("users", "[{'name': 'Bob', 'age': 30}]")),
        (STOCK, HAS.replace("stock", "shelf")),
        (HELPER.replace("function clean(s) {", "My function clean(s) trims."), LAST),
    ],
)
async def test_what_nothing_gives_is_accused(pipeline_with, asked, code):
    """Neither are names that a sentence has, nor those that the code itself sets elsewhere."""
    assert await findings(pipeline_with, asked, code, EVIDENCE_RUN="auto")
