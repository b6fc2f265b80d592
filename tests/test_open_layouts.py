"""Layouts of what a program prints that a request leaves open, and its labels `in` and `out`."""

import pytest

from pipeline.sandbox.shown_text import ShownText
from pipeline.testcases.examples.example_search import find_examples


@pytest.mark.parametrize(
    ("how", "wanted", "same", "other"),
    [
        ("as JSON", '{\n "a": 3.0,\n "b": []\n}\n', '{"b":[],"a":3}', "{'a': 3.0, 'b': []}"),
        ("as JSON", '{"a": 1}\n{"a": 2}\n', '{"a":1}\n{"a":2}\n', '{"a":2}\n{"a":1}\n'),
        ("in any order", "a\nb\n", "b\na\n", "b\na\na\n"),
        ("in any columns", "pen   1\ntotal  2\n", "pen\t1\n\ntotal 2", "pen 1 total 2"),
    ],
)
def test_another_layout_is_as_good_where_it_is_open(how, wanted, same, other):
    """What it says has to be the same."""
    shown = ShownText(wanted, [how])
    assert shown == wanted and shown.is_shown_by(same) and not shown.is_shown_by(other)


SUM = "Reads numbers from stdin.{}\n\nInput:\n1\n2\n\nOutput:\n1 1\n2 2\n"
JSON = 'Reads JSON from stdin, writes JSON.{}\n\nin\n\n{{"a": 1}}\n\nout\n\n{{"b": 1}}\n'


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (JSON.format(""), {"as JSON"}),
        (JSON.format(" Pretty printed or not doesn't matter."), {"as JSON"}),
        (JSON.format(" On one line, keys sorted."), None),
        (JSON.replace("JSON", "text").format(""), None),
        (SUM.format(" I don't care about the order of the lines."), {"in any order"}),
        (SUM.format(" Prints them in any order."), {"in any order"}),
        (SUM.format(" Column widths are not important."), {"in any columns"}),
        (SUM.format(" Prints three words, which come in any order."), None),
        ("Reads three numbers in any order from stdin. Input: 1 2 3\nOutput: 3", None),
    ],
)
def test_which_layouts_a_text_leaves_open(text, how):
    """Of JSON all, where it says nothing of them."""
    wanted = find_examples(text).cases[0].expected
    assert getattr(wanted, "how", None) == how


def test_words_of_a_sentence_are_no_labels():
    """`in` and `out` stand alone, with a value below."""
    text = "A program that reads stdin. Numbers come\nin\nand go\nout\nagain"
    assert not find_examples(text).cases
