"""Requests that change how code is written, not what it does: the code itself is the evidence."""

import shutil

import pytest

from pipeline.exchange import Exchange
from pipeline.request import Turn
from pipeline.review.kept_results import original_of
from pipeline.task import Task

FLAT = (
    "def flatten(items):\n    found = []\n    for item in items:\n"
    "        if isinstance(item, list):\n            found += flatten(item)\n"
    "        else:\n            found.append(item)\n    return found\n"
)
SQUARES = "def squares(xs):\n    a = []\n    for x in xs:\n        a += [x * x]\n    return a\n"
SHORT = "def squares(xs):\n    return [x * x for x in xs]\n"
CUBES = "def squares(xs):\n    return [x * x * x for x in xs]\n"
TALK = (Exchange("write it", FLAT),)


@pytest.mark.parametrize(
    ("request_", "keeps"),
    [
        ("can you make it without recursion?", True),
        ("make it faster", True),
        ("add type hints", True),
        ("mach sie schneller", True),
        ("use a list comprehension", True),
        (f"Refactor this:\n```python\n{SQUARES}```", True),
        (f"optimize\n\n{SQUARES}", True),
        ("make it faster and handle None", False),
        ("is this the fastest way, or can it be optimized?", False),
        ("add type hints and fix the bug", False),
        ("it should ignore comments", False),
        ("now in go", False),
        ("flatten tuples as well", False),
    ],
)
def test_what_a_request_keeps(request_, keeps):
    """Where it wants nothing else besides, of the code in it or of the last answer."""
    assert bool(original_of(Task(request_, exchanges=TALK))) is keeps
    if "\n" not in request_:
        assert original_of(Task(request_)) is None


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_a_draft_is_held_against_the_code_that_it_is_made_of(pipeline_with):
    """Of what does something else another is drawn; what does the same is decided, so that nobody
    is asked and no other is drawn, for code in a request and for a chat's last answer."""
    asked = f"Make this shorter:\n```python\n{SQUARES}```"
    turns = (Turn("user", "write it"), Turn("assistant", f"```python\n{SQUARES}```"))
    rules = [{"role": "coder", "reply": [CUBES, SHORT]}]
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 3}
    for more in ({"prompt": asked}, {"prompt": "make it shorter", "conversation": turns}):
        async with pipeline_with(*rules, **settings, COMPARE_DRAFTS="auto") as run:
            assert await run(**more) == SHORT
        wrong, right = run.record["artefact"]["drafts"]
        assert "it does not do the same: for squares([" in wrong["findings"][0]
        assert right["findings"] == []
        assert "not judged: it does what the original code did, in " in run.record["final_reason"]
        assert [step["stage"] for step in run.record["steps"] if step["model"]] == ["coder"] * 2


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_what_a_function_prints_is_kept_too(pipeline_with):
    """Where it returns nothing: a shorter one has to print the same."""
    code = "def stars(n):\n    row = '*' * n\n    for _ in range(n):\n        print(row)\n"
    wrong = "def stars(n):\n    print('*' * n)\n"
    right = "def stars(n):\n    print('\\n'.join(['*' * n] * n))\n"
    turns = (Turn("user", "a square of stars"), Turn("assistant", f"```python\n{code}```"))
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 2}
    async with pipeline_with({"role": "coder", "reply": [wrong, right]}, **settings) as run:
        await run("make it shorter", conversation=turns)
    first, second = run.record["artefact"]["drafts"]
    assert "and printed '***\\n', but the original gave None, and printed '" in first["findings"][0]
    assert second["findings"] == []


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_who_wants_no_recursion_gets_none(pipeline_with):
    """A function that calls itself is drawn again, whatever it gives."""
    loops = (
        "def flatten(items):\n    found, left = [], [items]\n    while left:\n"
        "        item = left.pop()\n        if isinstance(item, list):\n"
        "            left.extend(reversed(item))\n        else:\n            found.append(item)\n"
        "    return found\n"
    )
    again = FLAT.replace("found", "flat")
    turns = (Turn("user", "flatten a list"), Turn("assistant", f"```python\n{FLAT}```"))
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 3}
    async with pipeline_with({"role": "coder", "reply": [again, loops]}, **settings) as run:
        assert await run("can you make it without recursion?", conversation=turns) == loops
    findings = [each["findings"] for each in run.record["artefact"]["drafts"]]
    assert findings == [["flatten calls itself"], []]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_what_looks_at_kinds_is_called_with_nested_values(pipeline_with):
    """Flat lists show nothing of how a nested one is flattened."""
    other_order = (
        "def flatten(items):\n    found, left = [], list(items)\n    while left:\n"
        "        item = left.pop(0)\n        if isinstance(item, list):\n"
        "            left.extend(item)\n        else:\n            found.append(item)\n"
        "    return found\n"
    )
    turns = (Turn("user", "flatten a list"), Turn("assistant", f"```python\n{FLAT}```"))
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 1}
    async with pipeline_with({"role": "coder", "reply": other_order}, **settings) as run:
        await run("can you make it without recursion?", conversation=turns)
    assert "for flatten([[1, [2]], 3]) it gave [3, 1, 2]" in str(run.record["evidence"])


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_an_example_that_holds_does_not_make_up_for_what_crashes(pipeline_with):
    """ "Days too, '2d' is 172800": what could read hours has to go on with it."""
    hours = "def seconds(text):\n    return int(text.removesuffix('h')) * 3600\n"
    days = "def seconds(text):\n    return int(text.removesuffix('d')) * 86400\n"
    turns = (Turn("user", "seconds('3h') -> 10800"), Turn("assistant", f"```python\n{hours}```"))
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 1}
    async with pipeline_with({"role": "coder", "reply": days}, **settings) as run:
        await run("it should support days too, seconds('2d') -> 172800", conversation=turns)
    assert "for seconds('3h')" in str(run.record["evidence"])


ROMAN = (
    "def value(s):\n    known = {'I': 1, 'V': 5, 'X': 10}\n"
    "    return sum(known.get(c, 0) for c in s)\n"
)
LOWER = "def value(s):\n    known = {'i': 1, 'v': 5}\n    return sum(known[c] for c in s)\n"
BOTH = ROMAN.replace("in s)", "in s.upper())")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_what_gave_a_value_does_not_crash(pipeline_with):
    """A change of a chat's last answer that falls over what that could do is drawn again; not where
    the request wants an exception."""
    turns = (Turn("user", "the value of roman digits"), Turn("assistant", f"```python\n{ROMAN}```"))
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 2}
    rules = ({"role": "coder", "reply": [LOWER, BOTH]}, {"role": "judge", "verdict": [9, 1, "ok"]})
    async with pipeline_with(*rules, **settings) as run:
        assert await run("it should take lower case", conversation=turns) == BOTH
    wrong, right = run.record["artefact"]["drafts"]
    assert "it crashes where the earlier code did not: for value('" in wrong["findings"][0]
    assert right["findings"] == []
    async with pipeline_with(*rules, **settings) as run:
        assert await run("raise KeyError for what is unknown", conversation=turns) == LOWER


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
@pytest.mark.parametrize(
    ("wish", "before", "draft"),
    [
        ("make it a division", "return a + b", "return a / b"),
        ("make it the average", "return sum(a) + 0", "return sum(a) / len(a)"),
        ("give me the largest", "return sorted(a)", "return sorted(a)[-1]"),
        ("look the price up in a table", "return 3", "return {'a': 1}[a]"),
    ],
)
async def test_what_is_to_do_something_else_may_crash_where_that_has_to(
    pipeline_with, wish, before, draft
):
    """It gives something else for the other calls too, or looks for what the calls do not know."""
    head = "def f(a, b):\n" if "b" in before else "def f(a):\n"
    turns = (Turn("user", "write f"), Turn("assistant", f"```python\n{head}    {before}\n```"))
    settings = {"EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided", "MAX_DRAFTS": 1}
    rules = (
        {"role": "coder", "reply": f"{head}    {draft}\n"},
        {"role": "judge", "verdict": [9, 1, "ok"]},
    )
    async with pipeline_with(*rules, **settings) as run:
        await run(wish, conversation=turns)
    assert run.record["evidence"] == []
