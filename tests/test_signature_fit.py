"""Tests that a model wrote against the signature of what they call."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.review.tester import merge, read_tests
from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.sample_calls import calls_by_annotation
from pipeline.testcases.signature_fit import fits, fits_parameters, is_of, stub_of
from tests.selection import examples

GROUPS = '''Complete this function.

from typing import List


def groups(text: str, at_most: int = 3) -> List[str]:
    """The groups of brackets in a text, at most so many."""
'''


def kind(annotation):
    return ast.parse(annotation, mode="eval").body


@pytest.mark.parametrize(
    ("call", "expected", "fit"),
    [
        (("(())",), ["(())"], True),
        (("(())", 2), [], True),
        ((), [], False),  # of too few
        (("", 1, 2), [], False),
        (((),), [], False),
        ((12,), [], False),
        (("(())",), 2, False),
        (("(())",), [1], False),
        (("(",), Raises("ValueError"), True),
    ],
)
def test_a_test_has_to_fit_the_head_that_the_request_gives(call, expected, fit):
    """As many arguments as the function takes, of its kinds, and a result of its kind."""
    head = stub_of(GROUPS, "groups")
    assert fits(Case(Arguments(call), expected), head) is fit


@pytest.mark.parametrize(
    ("annotation", "value", "may_be"),
    [
        ("int", 3, True),
        ("int", 3.0, True),  # which is compared as 3 is
        ("int", 3.5, False),
        ("int", True, False),
        ("int", float("nan"), False),
        ("bool", 1, False),
        ("float", 3, True),
        ("str", None, False),
        ("Optional[str]", None, True),
        ("str | None", None, True),
        ("typing.Union[int, str]", [], False),
        ("None", None, True),
        ("list", (), False),
        ("list[int]", ["a"], False),
        ("'list[int]'", [1], True),
        ("Sequence[int]", (1, 2), True),
        ("Iterable[str]", "abc", True),
        ("tuple[int, str]", (1, "a"), True),
        ("tuple[int, str]", (1,), False),
        ("tuple[int, ...]", (1, 2, 3), True),
        ("tuple[()]", (), True),
        ("tuple[()]", (1,), False),
        ("Optional[()]", None, True),
        ("dict[str, int]", {"a": 1}, True),
        ("Dict[str, int]", [], False),
        ("Callable[[int], int]", 3, True),  # of such kinds nothing is known
        ("np.ndarray", [1], True),
        ("Node", None, True),
    ],
)
def test_a_value_may_be_of_an_annotated_kind(annotation, value, may_be):
    """What is not known takes any value."""
    assert is_of(kind(annotation), value) is may_be


def test_what_a_request_has_no_head_of_is_not_held_against_it():
    """A name in words, a call, a head that does not parse, of another function."""
    for text in ("Write groups(text).", "groups('a')", "def groups(a b):", "def other(a):"):
        assert stub_of(text, "groups") is None


def test_tests_that_do_not_fit_are_left_out_with_a_word():
    """The suite says how many; tests of a class's objects and by keywords are as they were."""
    said = "assert groups(()) == []\nassert groups('()') == ['()']\nassert groups(text=1) == []"
    suite = merge(find_examples(GROUPS), read_tests(said), GROUPS)
    assert [case.input for case in suite.cases] == ["'()'", "text=1"]
    assert "1 tests do not fit the signature of groups" in suite.warnings


def test_methods_are_called_without_their_object():
    """`self` is no argument of a call."""
    program = ast.parse("class Solution:\n    def two(self, nums: list[int]): ...").body[0].body[0]
    assert fits_parameters(Case(Arguments(([1],)), 0), program)
    assert not fits_parameters(Case(Arguments((1,)), 0), program)


KINDS = st.recursive(
    st.sampled_from(["int", "float", "str", "bool", "Any", "None"]),
    lambda inner: st.one_of(
        st.builds("list[{}]".format, inner),
        st.builds("Optional[{}]".format, inner),
        st.builds("tuple[{}, {}]".format, inner, inner),
        st.builds("{} | {}".format, inner, inner),
        st.builds("dict[str, {}]".format, inner),
    ),
    max_leaves=4,
)


@given(KINDS)
@settings(max_examples=examples(100))
def test_what_is_made_of_an_annotation_fits_it(annotation):
    """The calls that drafts are compared on are all of the kinds that the draft names."""
    program = f"def f(a: {annotation}):\n    return a\n"
    head = stub_of(program, "f")
    for call in calls_by_annotation([program], "f", 10):
        assert fits(call, head)
