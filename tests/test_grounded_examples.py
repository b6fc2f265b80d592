"""Examples that a model reads in a request: what does not stand there is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.review.tester import read_tests
from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.grounded_examples import (
    begun_call,
    first_value,
    grounded,
    may_have_examples,
    most_examples,
)


def kept(request, *tests):
    """What is left of a model's tests, as a person writes them."""
    suite = read_tests("\n".join(f"assert {each}" for each in tests))
    return [suite.described(case) for case in grounded(suite.cases, request)]


@pytest.mark.parametrize(
    ("request_", "test"),
    [
        ("Merging [1, 3] and [2] gives [1, 2, 3].", "f([1, 3], [2]) == [1, 2, 3]"),
        ('3661 seconds is "01:01:01".', "f(3661) == '01:01:01'"),
        ("Write f. The result is 2 for 'aab'.", "f('aab') == 2"),
        ("212 F is 100.0 C", "f(212) == 100"),
        ("-45 comes out as 9", "f(-45) == 9"),
        ("f('a b') must be the set {'a', 'b'}", "f('a b') == {'b', 'a'}"),
        ("snake_case -> snakeCase", "f('snake_case') == 'snakeCase'"),
        ("Adding 5, 1 and 10 makes 16.", "f(5, 1, 10) == 16"),
        ("Nothing in it, say [], is None.", "f([]) == None"),
        ("4 => IV", "f(4) == 'IV'"),
        ("{'b': 1, 'a': 2} gives 3", "f({'a': 2, 'b': 1}) == 3"),
        ("size(n): 1023 -> 1023 B, 1024 -> 1.0 KB", "f(1024) == '1.0 KB'"),
        ("size(n): 1023 -> 1023 B, 1024 -> 1.0 KB", "f(1023) == '1023 B'"),
        ("1 MB -> 1048576, 1 KB -> 1024", "f('1 KB') == 1024"),
        ("90 becomes 1 h 30 min.", "f(90) == '1 h 30 min'"),
        ("1h30m -> 5400", "f('1h30m') == 5400"),
        ("Für 5 soll 120 herauskommen.", "f(5) == 120"),
        ("aus [1, 2] wird [2, 1]", "f([1, 2]) == [2, 1]"),
        ("Bei 'aab' kommt 2 heraus, bei 'b' kommt 1.", "f('b') == 1"),
        ("Es soll 120 für 5 liefern.", "f(5) == 120"),
        ("120 ist die Fakultät von 5.", "f(5) == 120"),
        ("3 et 4 donnent 7", "f(3, 4) == 7"),
        ("Pour 'abc' on obtient 'cba'.", "f('abc') == 'cba'"),
        ("5 doit donner 120", "f(5) == 120"),
        ("La somme de [1, 2] est 3.", "f([1, 2]) == 3"),
        ("Con [1, 2, 2] resulta [1, 2].", "f([1, 2, 2]) == [1, 2]"),
        ("El factorial de 5 es 120.", "f(5) == 120"),
        ("Debe dar 120 para 5.", "f(5) == 120"),
    ],
)
def test_what_stands_in_the_request_is_an_example(request_, test):
    """The values one after the other, whatever the words between them, or the result first."""
    assert len(kept(request_, test)) == 1


@pytest.mark.parametrize(
    ("request_", "test"),
    [
        ("Merging [1, 3] and [2] gives [1, 2, 3].", "f(1, 3) == [1, 2, 3]"),
        ("Merging [1, 3] and [2] gives [1, 2, 3].", "f([1, 3], [2]) == [1, 3, 2]"),
        ("f(xs, n=3) gives 3 of them", "f(3) == 3"),
        ("Replace a by 4 and e by 3.", "f(4) == 4"),
        ("Up to 2 kg cost 5, up to 10 kg cost 9.", "f(2) == 9"),
        ("'1010' is 10.", "f(1010) == 10"),
        ("Version 1.2.3 is newer than 1.2", "f(1.2) == 3"),
        ("4 is even.", "f(4) == True"),
        ("1 => I", "f(1) == 'I'"),
        ("Write f.", "f() == 3"),
        ("f(3) raises ValueError", "f(3) == ValueError"),
        ("Give 12 in 2 parts", "f(1) == 2"),
        ("True if n is greater than 5.", "f(5) == True"),
        ("False for anybody under 18", "f(18) == False"),
        ("Orders over 100 get 10 off.", "f(100) == 10"),
        ("5 is between 1 and 10, so True", "f(5, 1, 10) == True"),
        ("The result is 2 for 'aab'.", "f(2) == 'aab'"),
        ("We want 120 out of 5", "f(120) == 5"),
        ("Python 3.11, Django 4.2: write f.", "f(3.11) == 4.2"),
        ("Replace 'a' with 'b'.", "f('a') == 'b'"),
        ("Dates look like '2024-05-01' or '01.05.2024'.", "f('2024-05-01') == '01.05.2024'"),
        ("1. It doubles n.\n2. It is an int.", "f(1) == 2"),
        ("'the cat sat' makes 3", "f('cat') == 3"),
        ("f(x): int -> str", "f('int') == 'str'"),
        ("3 items cost 10 and 4 items are 12.", "f('4 items') == 12"),
        ("Under 2 kg it is 5, up to 10 kg -> 9.", "f('2 kg') == 5"),
        ("Under 2 kg it is 5, up to 10 kg -> 9.", "f('10 kg') == 9"),
        ("1024 -> 1.0 KB", "f(1.0) == 'KB'"),
        ("Of 12 in 2 parts -> 6", "f('12 in 2') == 6"),
    ],
)
def test_what_does_not_stand_there_is_none(request_, test):
    """A part of a value, a default, a bound, a value that stands there once, one with others
    between, two of which none comes of the other, and the wrong way round."""
    assert kept(request_, test) == []


def test_yes_and_no_in_other_words():
    """Both have to be among the answers: a model says True of anything."""
    request = "2 and 3 are prime; 4 is not."
    tests = "f(2) == True", "f(3) == True", "f(4) == False"
    assert len(kept(request, *tests)) == 3
    assert kept(request, *tests[:2]) == []
    assert len(kept(request, *tests, "f(5) == True")) == 3
    months = "Has a month, from 1 to 12, 30 days? 6 comes out as True."
    told = "f(30) == True", "f(1) == True", "f(12) == False", "f(6) == True"
    assert kept(months, *told) == ["f(6) → True"]
    said = "It says True when n is 4 and False when it's 7."
    assert kept(said, "f(True) == True", "f(False) == False") == []


def test_an_example_counts_once():
    """Small models repeat themselves."""
    assert kept("7 gives 49", *["f(7) == 49"] * 3) == ["f(7) → 49"]


def test_where_no_values_stand_no_model_is_asked():
    """A single number is no example, and what a head returns none either."""
    assert not may_have_examples("Split a list into chunks of size 3.")
    assert not may_have_examples("def chunks(xs: list[int], n: int = 3) -> list[list[int]]:")
    for report in ("Schreib f neu: 5 gibt 4 statt 6.", "For [1, 2] I get 1, it is 1.5."):
        assert not may_have_examples(report)
    assert may_have_examples("Ada Lovelace -> AL")
    assert may_have_examples("Write f. 3 comes out as 9.")


@pytest.mark.parametrize(
    ("request_", "first"),
    [
        ("Write f(x='a'). \"b c\" gives 3", '"b c"'),
        ("Of 'a' and 'b' write f(a, b): merging [1, 2] and [3] gives [1, 2, 3].", "[1, 2]"),
        ("f(text): 'a' and two 'b'. With \"ac\" it is False.", "'a'"),
        ("An 'a' and two 'b' in f(text). With \"ac\" it is False.", '"ac"'),
        ("Say that 12 is 'dozen' with a function f(n).", "12"),
        ("Given the string 'ab', f(s) should make 'abab' of it", "'ab'"),
        ("It says True when n is 4 and False when it's 7.", "4"),
        ("3 gives 9, as off(1) is 5 or 6", "3"),
        ("f('a b', 2)\n is a set {'a', 'b'}", ""),
        ("Write f. hello -> 2", ""),
        ("Write f.", ""),
    ],
)
def test_a_model_goes_on_from_the_first_value(request_, first):
    """As it is written, so that it leaves out no quotation mark; behind the function's head."""
    assert first_value(request_, "f") == first


@pytest.mark.parametrize(
    ("request_", "n", "begun"),
    [
        ("Write f(s, w).\n f('ab', 4)\n => ['a']", 2, "f('ab', 4) =="),
        ("Write f(a, b=2). f([1]) is 2", 2, "f([1]) =="),
        ("Write f(a, b=2). 3 and 4 give 7", 2, "f(3,"),
        ("Write f(a, b. 3 and 4 give 7", 2, "f(3,"),
        ("Write f(a). 3 and 4 give 7", None, "f(3"),
        ("Results: one -> 1, two -> 2", 1, "f('one') =="),
        ("Results: one -> 1, two -> 2", 2, "f("),
        ("so that Ada Lovelace -> AL", 1, "f("),
        ("Times to seconds: 1h30m -> 5400", 1, "f('1h30m') =="),
        ("To base 10: 0xff -> 255", 1, "f("),
        ("To digits: 1e5 -> '100000'", 1, "f(1e5) =="),
        ("12 -> XII", 1, "f("),
        ("Roman numerals. MCMXCIV is 1994, IX is 9", 1, "f('MCMXCIV') =="),
        ("Roman numerals. It is 1994, ix is 9", 1, "f(1994) =="),
    ],
)
def test_how_an_example_begins(request_, n, begun):
    """With a call that stands there, all of it; a head is none. With a word as a text, where it is
    one word alone: of several nobody knows where they begin."""
    assert begun_call(request_, "f", n) == begun


def test_no_more_are_asked_for_than_the_values_make():
    """Two each, one where yes and no are said in words or the results stand there without quotation
    marks; ten at most."""
    assert most_examples("Merging [1] and [2] gives [1, 2].", "merge") == 1
    assert most_examples("3 gives 9, 4 gives 16", "square") == 2
    assert most_examples("2, 3 are prime; 4 is not", "is_prime") == 3
    assert most_examples("a -> b, c -> d, e -> f", "f") == 3
    assert most_examples(" ".join(map(str, range(50))), "f") == 10
    assert most_examples("", "f") == 1
    slugs = """"Hello World!" becomes hello-world\n"  Foo  " becomes foo\n"Ünï" becomes uni"""
    assert most_examples(slugs, "slug") == 3
    assert most_examples("MCM is 1900, IX is 9, and XL -> 40", "roman") == 3
    assert most_examples("It is a function, f(x) is a number, this gives no error.", "f") == 1


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text("abc ", min_size=2, max_size=6),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(_VALUES, _VALUES, st.sampled_from([" gives ", " → ", " is turned into ", ": "]))
def test_any_pair_that_is_written_is_found_and_no_other(given_, expected, joint):
    """Whatever the values are; another result is not there."""
    text = f"Write it so that {given_!r}{joint}{expected!r}"
    said = Case(Arguments((given_,)), expected, "")
    assert grounded([said], text) == (said,)
    other = Case(Arguments((given_,)), [expected, "another"], "")
    assert grounded([other], text) == ()


@given(st.text(max_size=200), st.lists(_VALUES, max_size=2), _VALUES)
def test_any_text_is_read(text, values, expected):
    """Nothing that a person writes or a model answers is an error."""
    grounded([Case(Arguments(tuple(values)), expected, "")], text)
    may_have_examples(text)
    assert first_value(text, "f") in text and most_examples(text, "f") <= 10
