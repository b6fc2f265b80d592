"""What a request wants of the code that it goes on with."""

import pytest

from pipeline.review.wishes import (
    keeps_results,
    may_raise,
    may_take_other_input,
    wants_another,
    wants_no_recursion,
)


@pytest.mark.parametrize(
    ("request_", "another"),
    [
        ("now add a function to decrypt", True),
        ("add another helper function for lists", True),
        ("and to_celsius please, keep both", True),
        ("now one that gives the median", True),
        ("und jetzt eine die alle primzahlen bis n liefert", True),
        ("add a parameter n", False),
        ("add a function for the check and use it", False),
        ("add a function for it and fix the bug", False),
        ("it should also count upper case", False),
        ("now iterative", False),
    ],
)
def test_who_wants_another_function_beside(request_, another):
    """It is to be added, and nothing is said against what there is."""
    assert wants_another(request_) is another


@pytest.mark.parametrize(
    ("request_", "raises", "takes"),
    [
        ("raise a ValueError if it is empty", True, False),
        ("it should throw for negative numbers", True, False),
        ("it crashes with KeyError", True, False),
        ("take a dict instead of a list", False, True),
        ("read it from a file", False, True),
        ("ignore case", False, False),
        ("the other way round", False, False),
    ],
)
def test_what_a_change_may_break(request_, raises, takes):
    """An exception that is asked for, and another kind of argument, are no mistakes."""
    assert (may_raise(request_), may_take_other_input(request_)) == (raises, takes)


def test_what_keeps_results():
    """How code is written, and nothing besides; what a long request wants nobody knows."""
    assert keeps_results("make it faster")
    assert keeps_results("without recursion")
    assert wants_no_recursion("without recursion")
    assert not wants_no_recursion("make it faster")
    assert not keeps_results("make it faster and handle None")
    assert not keeps_results("make it faster. " * 100)
