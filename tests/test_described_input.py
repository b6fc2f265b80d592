"""What a program reads, from the words of a request: its form, texts of that form, and whether a
text has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.testcases.inputs.described_input import inputs_described, is_one_line
from pipeline.testcases.inputs.input_match import matches
from pipeline.testcases.inputs.input_shapes import Block, Input, Line, Number, Several, Text
from pipeline.testcases.inputs.value_bounds import Bounds, bounds_in, plain

CONTEST = """\
Count the pairs of children whose heights differ by at most d.

### Input
Line 1: n and d (1 ≤ n ≤ 200000, 0 ≤ d ≤ 2·10^9)
Line 2: n integers h_i (-10^9 ≤ h_i ≤ 10^9)

### Output
One integer.
"""
CASES = """\
Input
The first line holds t (1 <= t <= 1000), the number of test cases. Each test case has two lines:
first n (1 <= n <= 100000), then n integers a_1 ... a_n (0 <= a_i <= 10^9).

Output
For each test case print one line.
"""
LAYOUT = """\
Constraints
- 1 ≤ n, q ≤ 100000

Input (from standard input)
```
n q
A_1 A_2 ... A_n
k_1
...
k_q
```

Output
One line for each question.
"""
MAZE = (
    "C++: the way through a maze. Input: first line has the number of rows r and the number of"
    " columns c (1 to 500 each). Then r lines with c characters each. `#` is a wall, `.` is free,"
    " `S` is the start and `E` the exit. There is exactly one S and one E."
)
# What requests say, with a text that has the form and one that has not.
DESCRIBED = {
    CONTEST: ("4 2\n1 3 5 2\n", "4 2\n1 3 5\n"),
    CASES: ("2\n1\n5\n2\n3 4\n", "2\n1\n5\n"),
    LAYOUT: ("3 2\n7 1 1\n5\n6\n", "3 2\n7 1 1\n5 6\n"),
    MAZE: ("2 3\nS.#\n..E\n", "2\n3\nS.#\n..E\n"),
    "read n, then a line with n integers, and print how many are even": ("2\n4 5\n", "4 5\n"),
    "Program: reads two positive integers from stdin, one per line, prints the sum": (
        "4\n5\n",
        "4 5\n",
    ),
    "Reads three integers from one line of stdin and prints the largest": ("4 5 6\n", "4\n5\n6\n"),
    "first line n, second line n integers. print them sorted": ("2\n9 8\n", "2\n9\n8\n"),
    "First line: the number of names n.\nThen n lines, each with a first name and a last name.": (
        "1\nAda Byron\n",
        "1\nAda\n",
    ),
    "It reads integers from standard input, one per line, until a 0 comes, and prints the sum.": (
        "4\n-5\n0\n",
        "4 5 0\n",
    ),
    'Each line of the input has two non-negative whole numbers. A line "0 0" ends the input.': (
        "1 2\n30 4\n0 0\n",
        "1\n",
    ),
    "Input: n, followed by n pairs s_i e_i (0 ≤ s_i < e_i ≤ 10^9).": (
        "2\n1 5\n2 6\n",
        "2\n1 5\n",
    ),
    "Input: T test cases. A test case is a line with two integers n and s, followed by a line with"
    " n coin values (positive, not sorted).": ("1\n2 7\n3 4\n", "1\n2 7\n3\n"),
    "The first line of stdin is an integer k, the remaining lines are a text.": (
        "2\na b\nc\n",
        "x\n",
    ),
    "The first line contains n. Then q lines follow, each with one word of lower case letters. n is"
    " at most 5.": ("3\n", "3 4\n"),
    "the second line has a string of n letters U and D, the first line has n (1 <= n <= 1000)": (
        "UUD\n3\n",
        "UUD 3\n",
    ),
}
DESCRIBED["The first line has two integers a and b, a string s and n, the number of names."] = (
    "1 2 abc 3\n",
    "1 2 3\n",
)
DESCRIBED |= {
    "First line n. Then n-1 lines with two integers each, the edges of a tree.": (
        "3\n1 2\n2 3\n",
        "3\n1 2\n",
    ),
    "Input\n\nN\nA_1 S_1\n:\nA_N S_N\n\nOutput\nThe sum of N numbers A_i, with strings S_1": (
        "2\n4 5\n6 7\n",
        "4 5\n",
    ),
    "Read comma separated integers from stdin in one line and print the sum": ("1,2,3\n", "1;2\n"),
    "The first line has n. The next n lines u v (u != v).": ("1\n2 3\n", "1\n2\n"),
}
UNDERSTOOD_BY_NOBODY = [
    "The first line has n. Then n lines, the i-th of which has i integers.",
    "The first line contains n, the length of s. The second line has the string s.",
    "The first line has n, then n lines; line i contains k_i and then k_i integers.",
    "Read an even number n from stdin and print half of it.",
    "Write a function add(a, b) that returns the sum.",
    "Sort a list of names.",
    "A web page with a button.",
    "Each line of standard input has either a number from 1 to 3999 or a Roman numeral.",
    "The first line contains the number of test cases t. Print the answer for each test case.",
    "It reads commands from standard input: `add X` puts X at the end, `remove X` takes X off.",
    "The first line has a thingamajig and two whatsits.",
    "",
]


@pytest.mark.parametrize(("request_", "texts"), DESCRIBED.items(), ids=range(len(DESCRIBED)))
def test_a_text_has_the_form_that_is_described(request_, texts):
    """Or has it not: the values stand in other lines, or some are missing."""
    forms = inputs_described(request_)
    right, wrong = texts
    assert any(matches(form, right) for form in forms)
    assert not any(matches(form, wrong) for form in forms)


@pytest.mark.parametrize("request_", [*DESCRIBED], ids=range(len(DESCRIBED)))
def test_texts_that_are_written_have_the_form(request_):
    """The same text for the same seed, and another for another one."""
    for form in inputs_described(request_):
        texts = [form.written(str(seed)) for seed in range(30)]
        assert all(matches(form, text) for text in texts)
        assert texts == [form.written(str(seed)) for seed in range(30)]
        assert len(set(texts)) > 3


@pytest.mark.parametrize("request_", UNDERSTOOD_BY_NOBODY)
def test_half_a_form_is_none(request_):
    """Nor what any text has."""
    assert inputs_described(request_) == ()


def test_values_lie_where_the_request_says():
    """Between numbers, and between other values; as large as may be now and then, so that a sum
    that is too large for its type shows."""
    request = (
        "Read l, r and x (1 <= l <= r <= 9, -10^9 <= x <= 10^9) from standard input in one line."
    )
    (form,) = inputs_described(request)
    read = [tuple(map(int, form.written(str(seed)).split())) for seed in range(200)]
    assert all(1 <= left <= right <= 9 for left, right, _ in read)
    assert all(abs(x) <= 10**9 for _, _, x in read)
    assert any(abs(x) > 10**8 for _, _, x in read)


@pytest.mark.parametrize(
    ("request_", "holds"),
    [
        (
            "First line n, second line n integers in decreasing order",
            lambda n, *values: [*values] == sorted(values, reverse=True),
        ),
        (
            "read n and then n distinct integers (n >= 2)",
            lambda n, *all_: len(set(all_)) == len(all_),
        ),
        (
            "First line has n and k. Second line has n integers. Print the k-th largest.",
            lambda n, k, *values: 1 <= k <= n,
        ),
        ("Program reads a month and a year in one line", lambda month, year: 1 <= month <= 12),
        ("Read n and k (1 to 9) from stdin in one line", lambda n, k: 1 <= k <= 9),
        (
            "First line n. The next n lines have u and v (1 <= u, v <= n, u != v).",
            lambda n, *ends: all(1 <= each <= n for each in ends),
        ),
        (
            "Read x and y from stdin in one line (1 <= x <= 5, y <= 3)",
            lambda x, y: x <= 5 and y <= 3,
        ),
        ("Read a and b (0 <= a, b <= 5, b > 0) from stdin in one line", lambda a, b: b > 0),
        ("Read n (n > 1, n <= 4) from stdin", lambda n: 1 < n <= 4),
        (
            "First line n (1 <= n <= 3), second line a and b (1 <= a < b <= n).",
            lambda n, a, b: 1 <= a < b <= n,
        ),
    ],
)
def test_values_are_what_the_words_say(request_, holds):
    """In every form. Where one leaves no value for another, no text is written."""
    forms = inputs_described(request_)
    assert forms
    for form in forms:
        texts = [*filter(None, (form.written(str(seed)) for seed in range(60)))]
        assert len(texts) > 9
        for text in texts:
            assert holds(*map(int, text.split()))


def test_how_many_there_are_has_no_decimals():
    """Where the values have some."""
    form = inputs_described("Read n and then n real numbers from stdin, one per line.")[0]
    texts = [form.written(str(seed)).split() for seed in range(30)]
    assert all(text[0].isdigit() for text in texts)
    assert any("." in value for text in texts for value in text[1:])


@pytest.mark.parametrize(
    ("request_", "values"),
    [
        ("Reads a name, an age and a height from standard input.", 3),
        ("Read a name, an age, and a height from standard input.", 3),
        ("Read a day, a month and a year from stdin", 3),
        ("Read n, a count of people, and m from stdin", 2),
    ],
)
def test_what_a_value_is_for_is_told_from_another_value(request_, values):
    """Both stand behind a comma with an article."""
    form = inputs_described(request_)[0]
    assert len(form.written("1").split()) == values


def test_the_end_of_the_input_may_begin_a_sentence():
    """The line that ends it is written."""
    request = "Python. Each line has two integers. Input ends with 0 0. Print each sum."
    assert all(
        form.written(str(seed)).endswith("0 0\n")
        for form in inputs_described(request)
        for seed in range(9)
    )


def test_numbers_of_any_length_are_read():
    """As the largest there is."""
    for number in (f"10^{'9' * 5000}", f"{'9' * 5000}e5"):
        (high,) = bounds_in(f"1 <= n <= {number}").highs["n"]
        assert high.number == 10**18


def test_letters_are_those_that_are_named():
    """In a text of so many."""
    (form,) = inputs_described("The first line has n, the second line has n characters L and R.")
    assert set("".join(form.written(str(seed)).split("\n")[1] for seed in range(30))) == {"L", "R"}


def test_a_count_is_small():
    """Whatever the constraints allow: a program is run many times."""
    form = inputs_described(CONTEST)[0]
    assert all(len(form.written(str(seed)).split()) < 30 for seed in range(100))


def test_places_lie_in_the_list():
    """Also where the request does not say so: `l` and `r` are places."""
    request = (
        "First line: n. Second line: n integers. Third line: q. Then q lines with l and r (l <= r)."
    )
    (form,) = inputs_described(request)
    for seed in range(50):
        n, _, _, *queries = form.written(str(seed)).splitlines()
        assert all(
            1 <= int(left) <= int(right) <= int(n) for left, right in map(str.split, queries)
        )


def test_a_maze_has_its_marks_once():
    """And walls and free places elsewhere."""
    (form,) = inputs_described(MAZE)
    for seed in range(50):
        grid = "".join(form.written(str(seed)).splitlines()[1:])
        assert set(grid) <= set("#.SE")
        assert len(grid) < 2 or (grid.count("S"), grid.count("E")) == (1, 1)


def test_where_nobody_says_which_values_share_a_line_there_are_two_forms():
    """All that a program may be written for."""
    forms = inputs_described("python: read n, then n integers, print the largest")
    assert matches(forms[0], "2\n4 5\n")
    assert matches(forms[1], "2\n4\n5\n")


def test_one_line_of_text():
    """Such a program is tried with one line alone."""
    assert is_one_line("python script: reads one line of text from stdin and prints it backwards")
    assert not is_one_line("reads lines from stdin until the end and prints them backwards")


def test_the_cases_of_a_result_bound_no_value():
    """ "If s >= 90 print A" says nothing of what may come."""
    (form,) = inputs_described("Read s from stdin. If s >= 90 print A, if s < 50 print F, else C.")
    assert len({form.written(str(seed)) for seed in range(40)}) > 9


def test_what_is_bounded():
    """Each value by both ends, which are numbers or other values of the input."""
    assert inputs_described(CONTEST)[0].is_bounded
    for request in (
        "The first line has n, the second line n integers (1 <= n <= 9).",
        "Line 1: a string s (1 <= |s| <= 9). Line 2: an integer k (1 <= k <= |s|).",
    ):
        assert not inputs_described(request)[0].is_bounded


@pytest.mark.parametrize(
    ("text", "name", "low", "high"),
    [
        ("1 ≤ n ≤ 10^5", "n", 1, 10**5),
        ("$0 \\le a_i \\le 2 \\cdot 10^9$", "a", 0, 2 * 10**9),
        ("1 <= n <= 200000, 0 <= d <= 9", "d", 0, 9),
        ("0 < x < 100", "x", 1, 99),
        ("|x| <= 100", "x", -100, 100),
        ("n is at most 1,000", "n", None, 1000),
        ("k (between 2 and 7)", "k", 2, 7),
        ("1 ≤ a, b ≤ 50", "b", 1, 50),
        ("N ≤ 1e6", "N", None, 10**6),
        ("if i < j", "n", None, None),
    ],
)
def test_bounds_are_read_as_people_write_them(text, name, low, high):
    """TeX, signs of mathematics, words."""
    assert bounds_in(plain(text)).of(name, {}) == (low, high)


NUMBERS = st.builds(Number, st.sampled_from("abc"), st.none() | st.integers(-5, 5))
TEXTS = st.builds(Text, st.sampled_from("st"), length=st.none() | st.integers(1, 4))
VALUES = st.one_of(NUMBERS, TEXTS, st.builds(Several, NUMBERS, st.integers(1, 3) | st.just("a")))
LINES = st.builds(Line, st.lists(VALUES, min_size=1, max_size=3).map(tuple))
FORMS = st.lists(
    LINES | st.builds(Block, st.lists(LINES, min_size=1, max_size=2).map(tuple), st.integers(0, 3)),
    min_size=1,
    max_size=3,
).map(lambda lines: Input(tuple(lines), Bounds()))


@given(FORMS, st.integers(0, 99))
def test_what_is_written_matches(form, seed):
    """Of any form."""
    text = form.written(str(seed))
    assert matches(form, text) or "a" in form.counts()  # which a later value may have again
