"""What a request wants of the code that it goes on with."""

import pytest

from pipeline.review.edit_intent import (
    excused_crashes,
    keeps_results,
    may_raise,
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
    ("request_", "raises", "excused"),
    [
        ("raise a ValueError if it is empty", True, set()),
        ("it should throw for negative numbers", True, set()),
        ("it crashes with KeyError", True, set()),
        ("take a dict instead of a list", False, {"AttributeError", "TypeError"}),
        ("read it from a file", False, {"AttributeError", "TypeError"}),
        ("look the price up in a table", False, {"IndexError", "KeyError"}),
        ("ignore case", False, set()),
        ("the other way round", False, set()),
    ],
)
def test_what_a_change_may_break(request_, raises, excused):
    """An exception that is asked for, another kind of argument, a table without it: no mistakes."""
    assert (may_raise(request_), excused_crashes(request_)) == (raises, excused)


@pytest.mark.parametrize(
    ("request_", "keeps"),
    [
        ("make it faster", True),
        ("this is slow for large lists, make it faster", True),
        ("this is too slow, make it faster please", True),
        ("Can you simplify this function?", True),
        ("add type hints and a docstring", True),
        ("Add type hints and a docstring to this, nothing else:", True),
        ("Rename the variables. Don't change anything else!", True),
        ("Simplify it, nothing else should be printed", False),
        ("now iterative, O(1) memory", True),
        ("make it faster and handle None", False),
        ("Clean up and sort the result", False),
        ("Make it shorter and in upper case", False),
        ("Make the table more readable", False),
        ("Simplify, and treat None as 0", False),
        ("Sort in descending order and add type hints", False),
        ("Write solve(n): the product of 1 to n, with comments", False),
        ("make it faster. " * 100, False),
    ],
)
def test_what_keeps_results(request_, keeps):
    """Each clause is of how code is written, or wants nothing; what a long request wants nobody
    knows."""
    assert keeps_results(request_) is keeps


def test_who_wants_no_recursion():
    """Said so, or in other words."""
    assert wants_no_recursion("without recursion")
    assert wants_no_recursion("now iterative")
    assert not wants_no_recursion("make it faster")
