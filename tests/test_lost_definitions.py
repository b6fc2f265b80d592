"""A draft that adds to the last answer and has lost a part of it."""

import pytest

from pipeline.exchange import Exchange
from pipeline.request import Turn
from pipeline.review.lost_definitions import lost_names

BOTH = "def to_f(c):\n    return c * 9 / 5 + 32\n\n\ndef to_c(f):\n    return (f - 32) * 5 / 9\n"
FIRST, SECOND = BOTH.split("\n\n\n")
CACHE = "class Cache:\n    def get(self, k): ...\n    def put(self, k, v): ...\n"
HALF = "class Cache:\n    def get(self, k, default=None): ...\n"
APP = "@app.route('/hello')\ndef hello(): ...\n"
ECHO = "@app.post('/echo')\ndef echo(): ...\n"
GO, GO_NEW = "package a\n\nfunc Add() {}\n", "package a\n\nfunc Sub() {}\n"


@pytest.mark.parametrize(
    ("request_", "before", "code", "lost"),
    [
        ("and to_c please, keep both", FIRST, SECOND, ["to_f"]),
        ("add a POST endpoint /echo", APP, ECHO, ["hello"]),
        ("get should take a default", CACHE, HALF, ["put"]),
        ("füge to_c hinzu", FIRST, SECOND, ["to_f"]),
        ("add to_c", FIRST, BOTH, []),
        ("remove put", CACHE, HALF, []),
        ("make it shorter", CACHE, HALF, []),
        ("call it half", CACHE, HALF, []),
        ("now write to_c", FIRST, SECOND, []),  # of its own
        ("add tests for it", FIRST, "def test_to_f(): ...\n", []),
        ("add the same as a new file", FIRST, SECOND, []),
        ("Now write a function to add two matrices", FIRST, "def add(a, b): ...\n", []),
        ("Next: keep the even numbers of a list", FIRST, "def even(a): ...\n", []),
        ("add an example call for it", FIRST, "print(to_f(3))\n", []),
        ("Can you also explain how it works?", FIRST, "x = 1\n", []),
        ("Turn them into lambdas", BOTH, "to_f = lambda c: c\nto_c = lambda f: f\n", []),
        ("also to_k, and use the library", BOTH, "from t import c as to_c, f as to_f\n", []),
        ("Combine them into one, and add kelvin", BOTH, "def to(unit, value): ...\n", []),
        ("make put private and add clear", CACHE, HALF, []),
    ],
)
def test_what_is_to_stay_has_to_be_there(request_, before, code, lost):
    """Where the request adds to the last answer, or a part of it stands in the draft; not where it
    may want the rest gone, or something of its own."""
    talk = (Exchange("write it", before),)
    assert lost_names(request_, talk, code, "python") == lost
    assert lost_names(request_, (), code, "python") == []


def test_another_language_loses_nothing():
    """What is asked for in another one has names of its own."""
    assert lost_names("add it in Go", (Exchange("write it", FIRST),), GO, "go") == []
    assert lost_names("and to_c, keep both", (Exchange("w", FIRST),), "to_c(f)", None) == ["to_f"]
    assert lost_names("add Sub", (Exchange("write it in Go", GO),), GO_NEW, "go") == ["Add"]


async def test_it_is_drawn_again_and_told_so(pipeline_with):
    """The next draft is asked for the whole; where none has it, the answer says what is missing."""
    turns = (Turn("user", "write it"), Turn("assistant", f"```python\n{CACHE}\n```"))
    wanted = r"whole code again: it no longer defines put\.\n"
    whole = f"{HALF}    def put(self, k, v): ...\n"
    told = {"role": "coder", "prompt": wanted, "reply": whole}
    others = ({"role": "coder", "reply": HALF}, {"role": "judge", "verdict": [9, 1, "ok"]})
    async with pipeline_with(told, *others, MAX_DRAFTS=2) as run:
        assert await run("get should take a default", conversation=turns) == whole
    async with pipeline_with(*others, MAX_DRAFTS=2) as run:
        got = await run("get should take a default", conversation=turns)
    assert got == f"# REVIEWER_NOTE: it no longer defines put\n{HALF}"
