"""Calls with what comes of them in two columns: how they are read, and what only looks so."""

import pytest

from pipeline.analysis.call_columns import with_signs
from pipeline.sandbox.testcase import Raises
from pipeline.testcases.examples.example_search import find_examples

pytestmark = pytest.mark.only_when("pipeline/analysis/", "pipeline/testcases/")


def read(text):
    cases = find_examples(f"Write it in Python.\n\n{text}").cases
    return [(case.input, case.expected) for case in cases]


def test_columns_are_read_as_calls_with_their_results():
    """With errors, remarks, tabs, and one blank alone where the values stand below each other."""
    text = """\
slug("A b")      "a-b"
slug("x", 3)     "x"    <- already short
slug("long one") "long-one"
slug(None)       raises a TypeError"""
    assert read(text) == [
        ("'A b'", "a-b"),
        ("'x', 3", "x"),
        ("'long one'", "long-one"),
        ("None", Raises("TypeError")),
    ]
    assert read("add(1, 2)\t3\nadd([1], {'a': 2})\t[1, 2]") == [
        ("1, 2", 3),
        ("[1], {'a': 2}", [1, 2]),
    ]


def test_a_value_that_is_set_above_is_known_in_the_calls():
    """As where a sign stands between."""
    cases = find_examples("Write get(o, key).\n\no = {'z': 0}\n\nget(o, 'z')  0\nget(o, 'a')  None")
    assert [case.expected for case in cases.cases] == [0, None]
    assert cases.cases[0].session == "o = {'z': 0}\nget(o, 'z')"


@pytest.mark.parametrize(
    "text",
    [
        "add(1, 2)    3",
        "add(1, 2)    3\n\nadd(2, 2)    4",
        "add(1, 2)    3    4\nadd(2, 2)    4    4",
        "call         now\nadd(1, 2)    3\nadd(2, 2)    4",
        "add(1, 2)    3   <- wrong\nadd(2, 2)    4",
        "add(1, 2)    3 or 4\nadd(2, 2)    4",
        "Our old tariff:\nrate(1)    10\nrate(2)    18",
        "rate(1)    10\nrate(2)    18\n\nbut that is too much now.",
        "It is too slow:\nfib(20)    0.002\nfib(30)    1.3",
        "add(1, 2)    returns three\nadd(2, 2)    4",
        "add(1, 2) 3\nadd(22, 2) 24",
        "add(1, 2)    3\nsub(22, 2)    24",
        "add(a, b)    adds them\nsub(a, b)    takes b away",
    ],
)
def test_other_columns_stay_as_they_are(text):
    """One line alone, more columns, what shall not be, measurements, words."""
    assert with_signs(text, "->") == text
