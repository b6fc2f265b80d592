"""The examples that a user writes → test cases (`pipeline/testcases/examples`)."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import examples

from pipeline.sandbox import CaseResult, Raises
from pipeline.sandbox.value_comparison import same
from pipeline.testcases.examples.example_search import MAX_PROMPT, OF_NODES, find_examples
from pipeline.testcases.literals import read_arguments, read_literal
from pipeline.testcases.suite import MAX_ANCHORS


def found(prompt):
    """The cases as (function, input, expected) and, for programs, (stdin, expected)."""
    suite = find_examples(prompt)
    return [
        (case.function or suite.function, case.input, case.expected)
        if case.stdin is None
        else (case.stdin, case.expected)
        for case in suite.cases
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add(1, 2) == 3", ("add", "1, 2", 3)),
        ("add(1, 2) -> 3", ("add", "1, 2", 3)),
        ("add(1, 2) => 3", ("add", "1, 2", 3)),
        ("add(1, 2) = 3.", ("add", "1, 2", 3)),
        ("e.g. add(1, 2) → 3, and so on", ("add", "1, 2", 3)),
        ("`add(1, 2)` returns `3`", ("add", "1, 2", 3)),
        ("`add(1, 2)` should return 3.", ("add", "1, 2", 3)),
        ("**add(1, 2)** gives **3**", ("add", "1, 2", 3)),
        ("(add(1, 2) is 3)", ("add", "1, 2", 3)),
        ("- add(1, 2) must be 3", ("add", "1, 2", 3)),
        ("add(1, 2)  # 3", ("add", "1, 2", 3)),
        ("add(1, 2)  # => 3", ("add", "1, 2", 3)),
        ("add(1, 2) // must be 3", ("add", "1, 2", 3)),
        ("add(1, 2) ➞ 3 ", ("add", "1, 2", 3)),
        ("* `add(1, 2)` → `3`", ("add", "1, 2", 3)),
        ("It holds:\n    add(1, 2)\n    3\n", ("add", "1, 2", 3)),
        ("* `div(1, 0)` → raises `ValueError`", ("div", "1, 0", Raises("ValueError"))),
        ("add([1, 2], key='a)') == [1,\n 2]", ("add", "[1, 2], key='a)'", [1, 2])),
        ("add({'a': (1,)}, -1.5) == {'b': None}", ("add", "{'a': (1,)}, -1.5", {"b": None})),
        ("is_even(2) == true", ("is_even", "2", True)),
        ("first([]) returns None", ("first", "[]", None)),
        ("name() == 'x'", ("name", "", "x")),
        ('f("a\\"b") == "c"', ("f", "'a\"b'", "c")),
        ("div(1, 0) raises ZeroDivisionError", ("div", "1, 0", Raises("ZeroDivisionError"))),
        ("`div(1, 0)` should raise a `ValueError`", ("div", "1, 0", Raises("ValueError"))),
        ("I call add(1, 2) and expect 3.", ("add", "1, 2", 3)),
        ("add(1, 2), expected 3", ("add", "1, 2", 3)),
        ("quersumme(123) ergibt 6", ("quersumme", "123", 6)),
        ("`double('a')` renvoie 'aa'.", ("double", "'a'", "aa")),
        ("Beispiel: quersumme(123) gibt 6 zurück.", ("quersumme", "123", 6)),
        ("например, double(2) вернёт 4", ("double", "2", 4)),
        ("double(2)返回4。", ("double", "2", 4)),
        ("add(1, 2) should give me 3", ("add", "1, 2", 3)),
        ("Write add(1, 2), which gives 3.", ("add", "1, 2", 3)),
        ("add(1, 2) has to stay 3", ("add", "1, 2", 3)),
        ("add(1, 2) soll 3 ergeben.", ("add", "1, 2", 3)),
        ("double('a') doit renvoyer 'aa' et non 'a'", ("double", "'a'", "aa")),
        ("double(2) должна вернуть 4", ("double", "2", 4)),
        ("double(2) 应该返回 4。", ("double", "2", 4)),
        ("div(1, 0) -> ZeroDivisionError", ("div", "1, 0", Raises("ZeroDivisionError"))),
        ("await add(1, 2) -> 3", ("add", "1, 2", 3)),
        ("def add(a, b): the sum of both. add(1, 2) == 3", ("add", "1, 2", 3)),
        ("- `add(1, 2)`: 3", ("add", "1, 2", 3)),
        ("add(1, 2)\nExpected: 3", ("add", "1, 2", 3)),
        ("add(1, 2)\n# 3", ("add", "1, 2", 3)),
        ("add(1, 2)\n=> 3", ("add", "1, 2", 3)),
        ("> add(1, 2)\n3", ("add", "1, 2", 3)),
        ("In [1]: add(1, 2)\nOut[1]: 3", ("add", "1, 2", 3)),
        ("add(1, 2) must be 3, not 4", ("add", "1, 2", 3)),
        ("**Expected behaviour:** `add(1, 2)` returns `3`", ("add", "1, 2", 3)),
        ("add(1, 2) is supposed to be 3", ("add", "1, 2", 3)),
        ("I need `add(1, 2)` to give `3`.", ("add", "1, 2", 3)),
        ("Can you write it so that add(1, 2) is 3?", ("add", "1, 2", 3)),
        ("so add(1, 2)=3 etc.", ("add", "1, 2", 3)),
        ("add(1, 2) -> 3 since 1 + 2 = 3", ("add", "1, 2", 3)),
        ("def add(a, b=2): add(1, b=2) -> 3", ("add", "1, b=2", 3)),
        ("div(1, 0) raises ValueError for a zero.", ("div", "1, 0", Raises("ValueError"))),
        ("I would like this: div(1, 0) raises ValueError", ("div", "1, 0", Raises("ValueError"))),
        ("Handle zeroes, div(1, 0) raises ValueError.", ("div", "1, 0", Raises("ValueError"))),
        ("div(1, 0) raises ValueError. Make it fast.", ("div", "1, 0", Raises("ValueError"))),
        ("How to use it: div(1, 0) raises ValueError", ("div", "1, 0", Raises("ValueError"))),
        ("add(1, 2) returns: 3", ("add", "1, 2", 3)),
        ("add(1, 2);\n// => 3\n", ("add", "1, 2", 3)),
        ("add(1, 2)  # Output: 3", ("add", "1, 2", 3)),
        ("add(1, 2) == 3 holds.", ("add", "1, 2", 3)),
        ("add(1, 2) -> 3 (1 + 2)", ("add", "1, 2", 3)),
    ],
)
def test_calls_with_their_results(text, expected):
    """In running text, in Markdown and in code."""
    assert found(f"Write it.\n{text}") == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "if add(1, 2) == 3: pass",
        "return add(1, 2) == 3",
        "x = add(1, 2) == 3",
        "total(add(1, 2) == 3)",
        "add(a, b) == 3",
        "add(1, 2) == 3 + x",
        "add(1, 2) != 3",
        "add(1, 2) is 3 of them",
        "add(1, 2) returns 3 items",
        "def add(a=1, b=2) -> int:",
        "def add(a: int, b: int) -> int: return add(1, 2) == 3",
        "len([1, 2]) == 2",
        "so sorted(add(1), add(2)) == 2",
        "total = await add(1, 2) -> 3",
        "add(1, 2) soll 3 Zeilen ergeben",
        "add(1, 2) prints 3 lines",
        "items.count(1) == 2",
        "add(1, 2) never returns 3",
        "it is not add(1, 2) == 3",
        "currently add(1, 2) == 4, which is a bug",
        "add(1, 2) == 4 instead of what it should be",
        "add(...) returns 3",
        "wait(30) = 30 seconds",
        "add(1, 2)\n3. The third point",
        "add(1, 2)\n\n3",
        "add(1, 2): 3 ways to say it",
        "see add(1, 2): 3",
        "add(1, 2)\n# 3 is too much",
        "add(1, 2)\nThe output: 3",
        "> add(1, 2)\n> 3",
        "`add()` returns 3.",
        "`add()` raises ValueError",
        "add(1, 2",
        "add(1, 2) == [3",
        "Currently:\n```\nadd(1, 2) -> 4\n```",
        "The old `add(a, b)` did:\n- add(1, 2) == 4\n- add(2, 2) == 5",
        "Why is that so?\n    add(1, 2) returns 4",
        # Several values, or more of one.
        "add(1, 2) -> 3, 4",
        "add(1, 2) returns 3 and 4",
        "add(1, 2) gives 3 and remainder 1",
        "add(1, 2) == 3, 'x'",
        "add(1, 2) -> 3 4 5",
        "add(1, 2) ->\n3 4\n5 6",
        "stack(2) ->\n1\n2",
        "stack(2)\n1\n2",
        "add(1, 2) = 3,50",
        "ratio(1, 2) -> 1:2",
        "add(1, 2) -> 1/2",
        "add(1, 2) -> 2.666...",
        "primes(9) -> [2, 3, ...]",
        "area(2) -> ~12.57",
        "area(2) -> 4*pi",
        "share(100, 3) -> 33.33€",
        "share(100, 3) -> 33.33 each",
        "share(100, 3) → 33.33 USD.",
        "thousand(1,000) == 'k'",
        "add(1, 2) is 3?",
        "add(1, 2) is 3, right?",
        "add(1, 2) returns 3..5",
        'Parse texts such as "add(1, 2) == 3".',
        "add(5) = 5! = 120",
        "`div(1, 0)` raises ValueError but should return None",
        "div(1, 0) raises ValueError, which is wrong",
        "div(1, 0) raises ValueError instead of returning 0",
        "div(1, 0) throws ValueError. Fix it so that it returns 0.",
        "div(1, 0) -> ValueError (bug!)",
        "div(1, 0) raises ValueError or TypeError",
        "div(1, 0) raises ValueError if strict",
        "div(1, 0) raises ZeroDivisionError. Return 0 in that case.",
        "My function blows up: div(1, 0) raises ZeroDivisionError",
        "div(1, 0) raises ZeroDivisionError. How do I handle this?",
        "div(1, 0) raises ValueError. Change it so that it returns None.",
        "div(1, 0) raises ValueError at the moment, I want it to return None instead",
        "div(1, 0) raises ZeroDivisionError; I'd prefer 0.0",
        "Handle the edge case div(1, 0) => ZeroDivisionError gracefully (None).",
        # A value that something is taken of or done with, a chain, a text with doubled marks.
        "div(1, 0) = 2**10 = 1024",
        "div(1, 0) = 3×2×1",
        "div(1, 0) -> 1.25 × 10^5",
        "div(1, 0) = 0.(3)",
        "div(1, 0) returns 'O''Brien'",
        'div(1, 0) -> "a""b"',
        "div(1, 0) -> 3 -> 2 -> 1",
        "div(1, 0) == 5 (mod 7)",
        "div(1, 0) is 'a', 'b' or 'c'",
        "Until div(1, 0) == 5, keep looping",
        "Prove or disprove: div(1, 0) == 5",
        "❌ div(1, 0) == 5",
        # A line that opens what is drawn below it.
        "triangle(3) ->\n*\n**",
        "grid(2) returns:\n\n```\n1 0\n```",
    ],
)
def test_what_only_looks_like_an_example(text):
    """Code that computes with a call, and text that says what is not so: a wrong anchor could
    never be met."""
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "f(1) == 2 (wrong)",
        "f(1) -> 2  # BUG",
        "f(1) returns 2. That's a bug.",
        "f(1) is 2 which is incorrect",
        "f(1) gives 2?!",
        "f(1) -> 2 ❌",
        "f(1) == 2, is that right?",
        "f(1) -> 2 ist falsch",
        "f(1) == 2\n\nThat's wrong, it has to be larger.",
        "f(1) -> 2 or 3",
        "f(1) == 2.14 (approx.)",
        "f(1) = 2 (old)",
        "Now: f(1) = 2",
        "f(1) == 2 unless strict",
        "f(1) == 2 with strict=False",
        "with strict=True f(1) == 2",
        "f(1) -> 2 ± 1",
        "f(1) -> 2 +- 1",
        "f(1) == 2. Why?",
        "f(1) -> 2 (or 3)",
        "f('aba') -> 'ab' ('ba' is also valid)",
        "Is f(1) == 2 correct?",
        "Does f(1) == 2 hold?",
        "Why is f(1) == 2?",
        "If f(1) == 2 then stop",
        "Suppose f(1) == 2.",
        "I got f(1) = 2",
        "It's wrong that f(1) == 2",
        "Bad: f(1) -> 2",
        "Actual result: f(1) == 2",
        "Avoid f(1) == 2",
        "Before the fix:\n    f(1) == 2",
        "In PHP, f(1) returns 2.",
        "Like JavaScript's f(1) === 2",
        "At present f(1) returns 2.",
        "Derzeit ist f(1) == 2.",
        "I'm seeing f(1) == 2",
        "The problem is that f(1) == 2",
        "For some reason f(1) returns 2",
        "It works for most, but f(1) returns 2.",
        "In the old version f(1) returns 2",
        "It fails because f(1) returns 2",
        "We end up with f(1) == 2",
        "**Actual behaviour:** `f(1)` returns `2`",
        "Pourquoi f(1) renvoie 2 ?",
        "Before:\n```\n>>> f(1)\n2\n```",
        "In the shell I get\n\n>>> f(1)\n2\n",
        "Here is my bug:\n\n>>> f(1)\n2\n",
        ">>> f(1)\n2\n\nThat's one too many.",
        ">>> f(1)  # should be 3\n2",
        ">>> f(1)  # expected: 3\n2",
        ">>> f(1)\n2   # wrong",
        "f(1) returns 2, one too many. Help?",
        "f(1) returns 2, what am I doing wrong?",
        "f(1) liefert 2. Das stimmt nicht.",
        "f(1) == 2 must not happen",
        ">>> f(1)\n2\n\nI'd expect 3.",
        ">>> f(1)\n2\n```\n\nThat is wrong.",
    ],
)
def test_what_is_so_and_shall_not_be_is_no_example(text):
    """Bug reports, questions, other languages; only the right value beside it is one."""
    assert found(f"About f(n).\n\n{text}\n") in ([], [("f", "1", 3)])


@pytest.mark.parametrize(
    "text",
    [
        "f(1) returns 2, expected 3",
        "f(1) gives 2. It should be 3.",
        "f(1) = 2 (should be 3)",
        "f(1) == 2  # should be 3",
        "f(1) returns 2, I want 3",
        "f(1) returns 2, not 3 as expected",
        "When I call f(1) I get 2 but I expect 3.",
        "f(1) returned 2, but the correct answer is 3.",
        "f(1) currently returns 2 but should return 3, as two are none",
        "f(1) gives 2 at the moment, just mend it so it's 3 again.",
        "f(1) ergibt 2, soll aber 3 ergeben",
        "f(1) gibt 2 zurück. Richtig wäre 3.",
        "f(1) devuelve 2 pero debería ser 3",
        "f(1) gives 2, I'd rather have 3.",
        "f(1) liefert 2, ich hätte aber gern 3.",
        "f(1) devuelve 2 pero quiero 3",
        "f(1) 返回 2，应该返回 3",
        "f(1) should return 3 but returns 2",
        "f(1) should be 3 but it isn't",
        "expected f(1) == 3, got 2",
        "Expected f(1) to return 3 but it returned 2",
        "f(1) gives me 2 but 3 is expected",
        "f(1) returns 2 instead of 3",
        "The problem is that f(1) returns 2 instead of 3.",
        "Bug: `f(1)` is `2` instead of `3`.",
        "Currently f(1) returns 2 (should be 3)",
        "I don't see why f(1) returns 2 when it should return 3",
    ],
)
def test_the_right_value_beside_the_wrong_one_is_the_example(text):
    """As bug reports have it."""
    assert found(f"Fix f(n). {text}") == [("f", "1", 3)]


@pytest.mark.parametrize(
    "behind",
    [
        "It should be 4 for negative numbers.",
        "It needs 4 arguments.",
        "I want 4 tests.",
        "Expected time: O(n).",
        "It should be fast.",
        "- should be None if there is none",
        "Wrong:\nf(1) == 4 must not hold",
        "(wrong input raises an error)",
        "Assuming that all is well, f(1) == 3",
        "Avoid recursion, f(1) == 3",
        "Replace the old function by one with f(1) == 3",
    ],
)
def test_words_on_something_else_take_nothing_back(behind):
    """A number with more words behind it is no other value."""
    assert found(f"Write f(n).\nf(1) == 3\n{behind}") == [("f", "1", 3)]


@pytest.mark.parametrize(
    "text",
    ["Write f(n) so that f(1) returns 2 instead of 3", "f(1) should return 2 instead of 3"],
)
def test_of_a_wish_the_value_that_is_denied_is_none(text):
    """Only a report of what is so has the right value last."""
    assert found(text) == []


def test_what_is_denied_does_not_hide_what_is_right():
    """A bug report gives both."""
    assert found("Currently f(1) returns 2 but f(1) should return 3.") == [("f", "1", 3)]
    assert found("It gives now, wrongly:\nf(1) == 2\nIt has to give:\nf(1) == 3") == [("f", "1", 3)]


@pytest.mark.parametrize(
    "lead",
    [
        "It must not change its input. Examples:",
        "Return -1 if the item was not found, for example:",
        "Use recursion instead of loops:",
        "Wrong input fails with ValueError:",
        "The current user's name comes first:",
        "What does it give?",
        "It currently gives 5, but it should do this:",
    ],
)
def test_what_leads_to_examples_may_deny_something_else(lead):
    """Only what says that the lines are not so makes them none."""
    assert found(f"Write f.\n\n{lead}\nf(1) == 3\n- f(2) -> 4") == [("f", "1", 3), ("f", "2", 4)]


def test_several_on_a_line():
    """Each counts once, however often it stands there."""
    text = "f(1) == 1, f(2) -> 4 and `f(3)` returns 9; again f(2) == 4"
    assert found(text) == [("f", "1", 1), ("f", "2", 4), ("f", "3", 9)]


SESSION = '''
def close(numbers, threshold):
    """ Whether two numbers are closer than the threshold.
    >>> close([1.0, 2.0], 0.5)
    False
    >>> numbers = [1.0, 1.1]
    >>> close(numbers, 0.3)
    True
    >>> print(close([], 1))
    False
    >>> close([1,
    ...        2], 3)
    True
    >>> close(None, 1)
    Traceback (most recent call last):
        ...
    TypeError: no list
    """
'''


def test_sessions():
    """As in a docstring: variables, continued lines, print and exceptions."""
    assert found(SESSION) == [
        ("close", "[1.0, 2.0], 0.5", False),
        ("close", "[1.0, 1.1], 0.3", True),
        ("close", "[], 1", False),
        ("close", "[1, 2], 3", True),
        ("close", "None, 1", Raises("TypeError")),
    ]


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("It gives f(open('x')) == 3.", True),
        ("so `f(np.array([1]), Node(2))` -> 3 and more", True),
        ("f(open('x')) == 3", False),  # it is read, as a session
        ("f(g(x)) == 3 in a sentence, f(a, b) -> 4 and f(x: int = int(3)) -> 5", False),
        ("f(g(1)) is 3 here", False),
    ],
)
def test_a_call_whose_arguments_cannot_be_read_is_noted(text, noted):
    """Where it is an example for certain: a sign behind it, and no variable in it."""
    note = "a call and its value could not be read as an example"
    assert (note in find_examples(text).warnings) == noted


ERROR = (
    ">>> mean([2])\n2\n>>> mean([])\nTraceback (most recent call last):\n"
    '  File "<stdin>", line 1, in <module>\nZeroDivisionError: division by zero'
)


@pytest.mark.parametrize(
    "text",
    [
        f"{ERROR}\n\nThis should go away.",
        f"{ERROR}\nthis should go away",
        f"{ERROR}  # must not happen",
        f"```\n{ERROR}\n```\nIt must not crash on an empty list.",
        f"{ERROR}\n\nNo more of this, please.",
        f"{ERROR}\n\nCan you fix this?",
        f"Please fix this:\n\n{ERROR}",
        f"My function mean currently does this:\n\n```\n{ERROR}\n```\nGive 0 for an empty list.",
        f"It crashes for empty lists.\n{ERROR}",
        f"{ERROR}\n\nIt shouldn't raise, but return 0.",
    ],
)
def test_an_error_that_shall_go_away_is_no_example(text):
    """The other lines of the session are."""
    assert found(f"A function mean.\n\n{text}\n") == [("mean", "[2]", 2)]


@pytest.mark.parametrize(
    "lead", ["Simplify a sum, for example:", "Refactor this, it gives:", "Rewrite the rule:"]
)
def test_a_session_below_what_stays_as_it_is_has_examples(lead):
    """Whatever else these words announce."""
    assert found(f"A function f.\n\n{lead}\n\n>>> f(1)\n2\n") == [("f", "1", 2)]


@pytest.mark.parametrize(
    "text",
    [
        ERROR,
        f"It must raise ZeroDivisionError, not crash later:\n\n{ERROR}",
        f"Fix this so that it raises for an empty list:\n{ERROR}",
        f"It should not return 0 but raise:\n{ERROR}",
        f"Numbers must not be negative.\n{ERROR}\n\nNo more than 9 numbers come.",
        f"{ERROR}\n\nThe error is what I want, it should fail like this.",
        f'def mean(numbers):\n    """Mean.\n\n{ERROR}\n    """\n    return 1\n\nFix this.',
    ],
)
def test_an_error_that_is_wanted_is_an_example(text):
    """Words of something else do not take it back, nor those on the code that it stands in."""
    assert found(f"{text}\n")[-1] == ("mean", "[]", Raises("ZeroDivisionError"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("assert f(1, 2) == 3", ("f", "1, 2", 3)),
        ("assert f(1, 2) == 3, 'a message, with f(1) == 2'", ("f", "1, 2", 3)),
        ("    assert f([1,\n  2]) == (3,)  # why", ("f", "[1, 2]", (3,))),
        ("assert f(1)", ("f", "1", True)),
        ("assert not f(1)", ("f", "1", False)),
        ("assert f(1) is None", ("f", "1", None)),
        ("assert 3 == f(1)", ("f", "1", 3)),
        ("- `assert f(1) == 'x'`", ("f", "1", "x")),
        ("self.assertEqual(f([1,\n  2], key=')'), 3, 'why')", ("f", "[1, 2], key=')'", 3)),
        ("        self.assertEqual('x', f(1))", ("f", "1", "x")),
        ("self.assertTrue(f(1))", ("f", "1", True)),
        ("self.assertFalse(f(1), 'why')", ("f", "1", False)),
        ("self.assertIsNone(f(1))", ("f", "1", None)),
        ("self.assertRaises(ValueError, f, 1)", ("f", "1", Raises("ValueError"))),
        ("with self.assertRaises(shop.Missing): f(1)", ("f", "1", Raises("Missing"))),
        ("with pytest.raises(ValueError, match='x'):\n    f(1)", ("f", "1", Raises("ValueError"))),
    ],
)
def test_assertions(line, expected):
    """One a line, with or without a list's mark."""
    assert found(f"These must hold:\n{line}\n") == [expected]


@pytest.mark.parametrize(
    "text",
    [
        '@pytest.mark.parametrize("n, want", [(1, 2), (3, 4)])\n'
        "def test_f(n, want):\n    assert f(n) == want, n\n",
        '@pytest.mark.parametrize("n,want", [\n    (1, 2),\n    (3, 4),  # why\n], ids=str)\n'
        "def test_f(n: int, want: int) -> None:\n    assert want == f(n)\n",
        "for n, want in [(1, 2), (3, 4)]:\n    assert f(n) == want\n",
        "```\ndef test_one():\n    assert f(1) == 2\n\ndef test_two():\n    assert f(3) == 4\n```",
    ],
)
def test_tests_with_rows_of_values(text):
    """One example a row; a test's name is nothing that is asked for, and nothing is noted."""
    suite = find_examples(f"These must pass:\n\n{text}")
    assert found(f"These must pass:\n\n{text}") == [("f", "1", 2), ("f", "3", 4)]
    assert suite.function == "f" and suite.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        '@pytest.mark.parametrize("n, want", [(1, g(2)), (3,)])\n'
        "def test_f(n, want):\n    assert f(n) == want\n",
        '@pytest.mark.parametrize("n", rows)\ndef test_f(n):\n    assert f(n) == n\n',
        '@pytest.mark.parametrize("n", [1])\ndef test_f(n):\n    x = n\n    assert f(x) == n\n',
        "def test_f(tmp_path):\n    assert f(tmp_path) == 1\n",
    ],
)
def test_rows_that_are_no_values_are_no_examples(text):
    """Nor what a test does with them before; it is no function that is asked for either."""
    suite = find_examples(f"This must pass:\n\n{text}")
    assert (suite.cases, suite.function) == ((), "")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("assert.equal(add(1, 2), 3);", ("add", "1, 2", 3)),
        ("test('adds', () => assert.strictEqual(add(1, 2), 3, 'no'));", ("add", "1, 2", 3)),
        ("  assert.deepStrictEqual(await pair('a'), ['a', null]);", ("pair", "'a'", ["a", None])),
        ("assert(even(2));", ("even", "2", True)),
        ("console.assert(add(1, 2) === 3, 'adds');", ("add", "1, 2", 3)),
        ("expect(add(1, 2)).toBe(3);", ("add", "1, 2", 3)),
        ("assert.throws(() => half(1), RangeError);", ("half", "1", Raises("Error"))),
        ("expect(() => half(1)).toThrow();", ("half", "1", Raises("Error"))),
        ("expect(() => half(1)).toThrow('no half');", ("half", "1", Raises("Error"))),
        ("expect(() => half(1)).toThrow(RangeError);", ("half", "1", Raises("RangeError"))),
        ("a Bash function `add`: `add 1 2` should print 3", ("add", "'1', '2'", "3")),
        ('a Bash function `add`: [ "$(add 1 2)" = 3 ]', ("add", "'1', '2'", "3")),
        ("a Bash function add: add 1 2 -> 3", ("add", "'1', '2'", "3")),
        ("a Bash function `hi`: `hi Ann` prints `Hi`.", ("hi", "'Ann'", "Hi")),
        ("a Bash function add.\n$ add 1 2\n3\n", ("add", "'1', '2'", "3")),
        ("console.log(add(1, 2)); // 3", ("add", "1, 2", 3)),
        ("console.log(pair('a')) // => ['a', null]", ("pair", "'a'", ["a", None])),
        ("in shell, hi() is wanted: [[ $(hi 'a b') == \"hi a b\" ]]", ("hi", "'a b'", "hi a b")),
    ],
)
def test_assertions_of_javascript_and_checks_of_bash(line, expected):
    """As `node:test` and plain asserts have them."""
    assert found(f"These must hold:\n{line}\n") == [expected]


@pytest.mark.parametrize(
    ("line", "noted"),
    [
        ("assert.equal(f(x), 1)", True),
        ("assert.equal(f(1), 1 + 1)", True),
        ("expect(f(1)).not.toBe(2)", True),
        ('a Bash function is_root, as in [ "$(id -u)" -eq 0 ]', False),
        ("a Bash function is_root.\n$ id -u\n0", False),
        ("a Bash function add: add takes 2 numbers -> sum", False),
        ("a Bash function add: add 1 2\n3", False),
        ("console.log(add(1, 2)); // 3 of them", False),
        ("console.log(add(1, x)); // 3", False),
        ("self.assertEqual(f(1), g(2))", False),
        ("self.assertEqual(f(x), 1)", False),
        ("with pytest.raises(ValueError):\n    x.f(1)", False),
    ],
)
def test_other_assertions_and_commands_are_no_examples(line, noted):
    """What is compared with no literal is noted; a command that is not asked for is nothing."""
    suite = find_examples(line)
    assert (suite.cases, bool(suite.warnings)) == ((), noted)


def test_an_assertion_about_something_else_is_noted():
    """It is not forgotten silently."""
    suite = find_examples("Write f(n).\n\nassert total == f(3) + rest")
    assert suite.cases == () and suite.warnings


LEETCODE = """
Given an array nums and an integer target, return the indices of the two numbers.

**Example 1:**

**Input:** nums = [2,7,11,15], target = 9
**Output:** [0,1]
**Explanation:** nums[0] + nums[1] == 9.

Example 2:
Input: nums = [3,3], target = 6
Output: [0,1]

Constraints:
2 <= nums.length
"""


def test_input_and_output():
    """LeetCode's names are labels: the arguments go in their order."""
    assert found(LEETCODE) == [("", "[2, 7, 11, 15], 9", [0, 1]), ("", "[3, 3], 6", [0, 1])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Input: 5\nOutput: 120", ("", "5", 120)),
        ("Eingabe: 5\nAusgabe: 120", ("", "5", 120)),
        ("输入：5\n输出：120", ("", "5", 120)),
        ("Input: 5 Output: 120", ("", "5", 120)),
        ("```\nInput: 15\nOutput: FizzBuzz\n```", ("", "15", "FizzBuzz")),
        ("Input: [1, 2], 3\nExpected output: true", ("", "[1, 2], 3", True)),
        ("Input:\n`[1, 2]`\n`3`\nOutput:\n`4`", ("", "[1, 2], 3", 4)),
        ("Input: f(1, 2)\nOutput: 3", ("f", "1, 2", 3)),
        ("Input: xs = [1]; k = 2\nOutput: 3", ("", "[1], 2", 3)),
        ("Input: -1\nOutput: ValueError", ("", "-1", Raises("ValueError"))),
        ('Input: s = "a,b"\nOutput: s = ["a", "b"]', ("", "'a,b'", ["a", "b"])),
    ],
)
def test_forms_of_input_and_output(text, expected):
    """On one line, in fences, as a call, with one bare word as a text."""
    assert found(f"Write it.\n\n{text}\n") == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Input: 5\nOutput: 24\nExpected output: 120", [("", "5", 120)]),
        ("Input: 5\nActual output: 24\nExpected output: 120", [("", "5", 120)]),
        ("Input: 5\nExpected output: 120\nYour output: 24", [("", "5", 120)]),
        ("Input: 5\nExpected: 120\nActual: 24", [("", "5", 120)]),
        ("Input: 5\nActual output: 24", []),
        ("Not like this:\nInput: 5\nOutput: 24", []),
        ("Input: 'ab'\nOutput: 'a'\nExplanation: 'b' is also a valid answer.", []),
        ("Input: 'ab' -> Output: 'ba'", [("", "'ab'", "ba")]),
        ("Input: 5\nOutput: 120\nTime limits do not matter.", [("", "5", 120)]),
    ],
)
def test_of_several_outputs_the_one_that_is_wanted_counts(text, expected):
    """What comes today, what is shown as wrong, and one answer of several is none."""
    assert found(f"About it.\n\n{text}\n") == expected


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Write memoize(fn) in JavaScript.\n\nconst sq = memoize(x => x * x);\nsq(4); // 16", "sq"),
        ("Write partial in TypeScript.\n\nlet add5: Fn = partial(add, 5)\nadd5(3) // 8", "add5"),
        ("Write a Go function multiplier.\n\ndouble := multiplier(2)\ndouble(5) // 10", "double"),
        ("Write make_adder(n). Usage: `add5 = make_adder(5)`, then `add5(3)` returns 8.", "add5"),
        ("Write negate(f). Example: const isOdd = negate(isEven); isOdd(3) returns true", "isOdd"),
    ],
)
def test_what_the_request_sets_first_is_not_the_function_that_it_asks_for(text, asked):
    """A draft need not define it: the request's own line does."""
    suite = find_examples(text)
    assert suite.cases == () and suite.function != asked


@pytest.mark.parametrize(
    "head",
    [
        "const add = (a, b) => a - b;",
        "const add = async (\n  a,\n  b\n) => {};",
        "let add = function (a, b) {};",
        "const add = (a: number, b = 2): number => 0;",
        "const add: (a: number, b: number) => number = (a, b) => 0;",
    ],
)
def test_a_function_that_stands_as_a_value_is_one_that_the_request_defines(head):
    """It is to be written, or mended."""
    assert found(f"Mend it:\n\n{head}\n\nadd(1, 2) should return 3.") == [("add", "1, 2", 3)]


def test_labelled_arguments_that_are_not_the_signature_s_keep_their_order():
    """The labels may be words of the text alone."""
    text = "Write def f(a, b): ...\n\nInput: y = 1, x = 2\nOutput: 3"
    assert found(text) == [("f", "1, 2", 3)]


def test_labelled_arguments_go_by_the_signature_where_there_is_one():
    """The request defines the order."""
    text = "Write def f(target, nums): ...\n\nInput: nums = [1], target = 2\nOutput: 3"
    assert found(text) == [("f", "2, [1]", 3)]


@pytest.mark.parametrize(
    "text",
    ["Input: 5\nOutput: 120", "n | result\n--|--\n5 | 120", "Sample input: 5\nSample output: 120"],
)
def test_a_value_without_a_label_is_the_signature_s_parameter(text):
    """Also where the form has labels elsewhere."""
    assert found(f"Write fact(n).\n\n{text}\n") == [("fact", "5", 120)]


def test_a_description_is_no_example():
    """`Input: a list` describes; noted, not used."""
    suite = find_examples("Input: a list of integers\nOutput: their sum")
    assert suite.cases == () and suite.warnings


CONTEST = """Two friends share a melon.

Input
The first and only line of the input contains the weight w.

Output
Print YES if they can share it, or NO.

Examples
Input
8
Output
YES
"""


def test_a_contest_s_description_of_its_input_is_no_example():
    """The same labels stand over the description and over the examples."""
    assert found(CONTEST) == [("8\n", "YES\n")]


@pytest.mark.parametrize(
    "text",
    [
        'Input\n["Queue", "push"]\n[[], [1]]\nOutput\n[null, null]',
    ],
)
def test_values_that_stand_for_something_else_are_noted(text):
    """Nodes and sequences of a class's calls are written as lists, and are none."""
    suite = find_examples(text)
    assert suite.cases == suite.linked == () and suite.warnings


@pytest.mark.parametrize(
    ("text", "given", "wanted"),
    [
        ("Input: root = [1, null, 2]\nOutput: [2, 1, null]", ([1, None, 2],), [2, 1]),
        ("Reverse a linked list.\nInput: [1, 2]\nOutput: [2, 1]", ([1, 2],), [2, 1]),
        ("Input: head = [1,2], k = 3\nOutput: true", ([1, 2], 3), True),
    ],
)
def test_lists_that_stand_for_nodes_are_kept_apart(text, given, wanted):
    """Only a program says of what nodes; until one does they are noted."""
    suite = find_examples(text)
    assert suite.cases == () and suite.warnings == (OF_NODES,)
    assert [(each.arguments.args, each.expected) for each in suite.linked] == [(given, wanted)]


def test_programs_read_and_print():
    """Where the request speaks of standard input, the texts themselves are the example."""
    text = "Read n from standard input.\n\nSample Input 1\n\n3\n\nSample Output 1\n\n9\n"
    assert found(text) == [("3\n", "9\n")]
    fenced = "Uses stdin.\n\nInput:\n```\n2\n\n4 5\n```\nOutput:\n```\n20\n```\n"
    assert found(fenced) == [("2\n\n4 5\n", "20\n")]


TABLE = """Write fizz(n).

| # | n | fizz(n) | why |
|---|---|:-------:|-----|
| 1 | 3 | "Fizz"  | 3   |
| 2 | `5` | Buzz  |     |
| 3 | x | 7       |     |
"""


def test_tables():
    """The column of results is told by its head; a row that is no data is noted."""
    suite = find_examples(TABLE)
    assert found(TABLE) == [("fizz", "3", "Fizz"), ("fizz", "5", "Buzz")]
    assert suite.warnings == ("a row of a table could not be read as an example",)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("| Input | Output |\n|---|---|\n| [1, 2] | 3 |", ("", "[1, 2]", 3)),
        ("a | b | result\n---|---|---\n1 | 2 | 3", ("", "1, 2", 3)),
        ('| Input | Output |\n|--|--|\n| `"a"`, `1` | `"b"` |', ("", "'a', 1", "b")),
        ("| call | expected |\n|--|--|\n| `f(1, 2)` | `3` |", ("f", "1, 2", 3)),
        ("| x | returns |\n|--|--|\n| -1 | ValueError |", ("", "-1", Raises("ValueError"))),
        ("| x | actual | expected |\n|--|--|--|\n| 1 | 3 | 2 |", ("", "1", 2)),
        ("| x | Expected output | Actual output |\n|--|--|--|\n| 1 | 2 | 3 |", ("", "1", 2)),
        ("| x | expected | result |\n|--|--|--|\n| 1 | 2 | 3 |", ("", "1", 2)),
        ("| x | returned | should be |\n|--|--|--|\n| 1 | 3 | 2 |", ("", "1", 2)),
        ("| x | default | result |\n|--|--|--|\n| 1 | 3 | 2 |", ("", "1, 3", 2)),
    ],
)
def test_forms_of_tables(table, expected):
    """One column of inputs, several, or calls; what comes today is neither."""
    assert found(f"Examples:\n\n{table}\n") == [expected]


def test_other_tables_are_none():
    """A table of something else has no column that is expected."""
    assert found("| name | size |\n|---|---|\n| a | 1 |\n") == []
    assert found("| x | Current output |\n|---|---|\n| 2 | 1 |\n") == []
    assert found("| Option | Default value |\n|---|---|\n| 2 | 1 |\n") == []
    assert found("add(a, b), sub(a, b)\n\n|a|b|add|sub|\n|-|-|-|-|\n|3|1|4|2|\n") == []


def test_a_column_may_be_headed_by_the_function_s_name():
    """Which the text has as a signature or a call."""
    table = "| n | `fact` |\n|---|---|\n| 0 | 1 |\n| 5 | 120 |\n"
    assert found(f"Write fact(n).\n\n{table}") == [("fact", "0", 1), ("fact", "5", 120)]
    assert found(table) == []


@pytest.mark.parametrize(
    "text",
    [
        "Move the zeroes to the end, in place. move([0, 1]) -> [1, 0]",
        "Do not return anything, reverse s in-place.\nInput: s = ['a', 'b']\nOutput: ['b', 'a']",
        "Write pick(n), which returns a random number. pick(5) -> 3",
        "Write password(n), a random password: password(3) == 'aX1'",
        "Write now() that returns the current time, now() -> '10:00'",
        "def pad(n: int) -> str: with zeroes. pad(123) -> 123",
        "Write password(n), a password generator: password(3) -> 'aX1'",
        "Write toss(n) that flips a coin n times; toss(2) -> ['H', 'T']",
        "Write age(d), in years as of today. age('1990-05-01') -> 34",
        "Find any pair of them that sums to t. pair([1, 2, 3], 4) -> (1, 3)",
        "Write shift(xs) modifying xs itself. shift([1, 2]) -> [2, 1]",
        "Schreib half(x). half(2,5) == 1",
        "Write split(n). If there are multiple answers, print any.\nInput: 3\nOutput: [1, 2]",
        "Find any valid order of the tasks. order([1, 2]) -> [2, 1]",
        "Read n from stdin. Print any of them.\n\nInput:\n3\n\nOutput:\n1 2\n",
        "Read n from stdin. An absolute error of 1e-6 is allowed.\n\nInput:\n3\n\nOutput:\n1.73\n",
        "Read n from stdin.\n\nInput:\n3\n\nOutput:\nCase 1: ...\n",
        "Write show(n) that prints it.\nInput: 5\nOutput: 5",
        "Input: []\nOutput: nothing",
        "Input: 5\nOutput: integer",
        "| x | result |\n|--|--|\n| 5 | int |",
        "Write binary(n) that returns n in base 2 as a string. binary(5) -> 101",
    ],
)
def test_what_need_not_come_as_it_is_written_is_no_example(text):
    """What becomes of an argument, what chance gives, one answer of several, a text without
    quotation marks, what is printed, the kind of a value."""
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Return a new list, do not sort in place. f([2, 1]) -> [1, 2]",
        "Sort in place.\nassert f([2, 1]) == [1, 2]",
        "Takes a list of random numbers and sorts it. f([2, 1]) -> [1, 2]",
        "Shuffles with a seed: it returns a random order. f([2, 1]) -> [1, 2]",
        "It is given a number as a string. f([2, 1]) -> [1, 2]",
        "Sort it in place and return it. f([2, 1]) -> [1, 2]",
        "It has multiple answers, return the smallest. f([2, 1]) -> [1, 2]",
        "It should not print anything. f([2, 1]) -> [1, 2]",
        "What I have now is slow. f([2, 1]) -> [1, 2]",
        "Given any two numbers, sort them. f([2, 1]) -> [1, 2]",
        "It sorts an unordered list. f([2, 1]) -> [1, 2]",
    ],
)
def test_what_the_text_says_of_something_else_leaves_an_example(text):
    """Of what is given, of what is not to be, beside a test."""
    assert found(text) == [("f", "[2, 1]", [1, 2])]


@pytest.mark.parametrize(
    "text",
    [
        "Write mean(xs). The mean of [1, 2, 2] is 1.67.",
        "Write mean(xs), e.g. [1, 2, 2] -> 1.67",
        "Write mean(xs).\nInput: [1, 2, 2]\nOutput: 1.67",
        "| xs | mean(xs) |\n|---|---|\n| [1, 2, 2] | 1.67 |",
        "For [1, 2, 2] it returns 1.67.",
    ],
)
def test_more_digits_than_are_written_may_come(text):
    """Unless the request says how many there are to be; as of a call's value."""
    (case,) = find_examples(text).cases
    assert CaseResult(case, "returned", 5 / 3).passed
    assert not CaseResult(case, "returned", 1.66).passed
    (exact,) = find_examples(f"{text}\n\nRound to two digits.").cases
    assert not CaseResult(exact, "returned", 5 / 3).passed


@pytest.mark.parametrize(
    "text", ["evens(6) yields [0, 2, 4]", "evens(6) == [0, 2, 4]", "for 6 it yields [0, 2, 4]"]
)
def test_a_generator_s_values_are_drawn_from_it(text):
    """What it gives one by one is no list, and the same. Of one without a name nothing is said."""
    (case,) = find_examples(f"Write evens(n) as a generator: {text}").cases
    assert (case.session, case.expected) == ("list(evens(6))", [0, 2, 4])
    assert not find_examples("Write a lazy iterator. For 6 it gives [0, 2, 4]").cases


@pytest.mark.parametrize(
    "said",
    [
        *("in any order", "in whatever order", "(unordered)", "(order irrelevant)"),
        *(
            "(order may vary)",
            "the order isn't important",
            "the order doesnt matter",
            "die Reihenfolge ist egal",
        ),
        *("l'ordre n'a pas d'importance", "el orden no importa", "Reihenfolge spielt keine Rolle"),
    ],
)
def test_words_for_any_order(said):
    """As people say it."""
    (case,) = find_examples(f"Write keys(d), its keys {said}. keys({{'a': 1}}) -> ['b', 'a']").cases
    assert case.unordered


def test_what_somebody_has_already_is_not_asked_for():
    """An example of it is none of what is to be written."""
    text = "Write from_hex. to_hex(255) == 'ff' I already have."
    assert find_examples(text).cases == ()


def test_a_value_of_any_kind_says_nothing():
    """Lists, tuples and sets differ, where the text does not say that they may."""
    text = "Write pairs(n). pairs(2) -> [[1, 2]]"
    assert find_examples(text).cases
    assert not find_examples(f"{text}\n\nlist of lists or tuples, I don't care").cases


def test_a_session_s_list_comes_in_any_order_where_the_text_says_so():
    """What a session shows is one of the orders; what stands in the items has its own."""
    shown = "\n\n>>> pairs(3)\n[(1, 2), (1, 3)]"
    (loose,) = find_examples(f"The order does not matter.{shown}").cases
    assert CaseResult(loose, "returned", [(3, 1), (1, 2)]).passed
    (case,) = find_examples(
        f"The order of the pairs doesn't matter, but in each pair the smaller comes first.{shown}"
    ).cases
    assert (case.session, case.expected) == ("sorted(pairs(3))", [(1, 2), (1, 3)])
    (exact,) = find_examples(f"All pairs.{shown}").cases
    assert not CaseResult(exact, "returned", [(1, 3), (1, 2)]).passed


COMMA = "Écris une fonction moyenne(notes) avec des nombres."


def test_a_comma_in_a_fraction():
    """Where a request's language writes it so: "donne 16,5". Not where two numbers may come, where
    the call has both of them, or a thousand may be meant."""
    cases = find_examples(f"{COMMA}\nmoyenne([12, 21]) donne 16,5\nmoyenne([7]) donne 7").cases
    assert [(case.input, case.expected) for case in cases] == [("[12, 21]", 16.5), ("[7]", 7)]
    for said in (
        "moyenne([1, 5]) donne 1,5",
        "moyenne(2,5) donne 6,25",
        "moyenne([9]) donne 1,000",
    ):
        assert not find_examples(f"{COMMA}\n{said}").cases
    assert not find_examples(f"{COMMA} Le quotient et le reste.\nmoyenne([17]) donne 3,2").cases
    assert not find_examples("Write mean(xs). mean([12, 21]) returns 16,5").cases


@pytest.mark.parametrize(
    "text", [f"{COMMA}\nmoyenne([5]) donne environ 1,67", "moyenne([5]) is about 1.67."]
)
def test_a_number_that_is_said_to_be_near(text):
    """To the last digit of its fraction; "about 300" says nothing."""
    (case,) = find_examples(text).cases
    assert (case.session, case.expected) == ("abs(moyenne([5]) - 1.67) <= 0.01", True)
    assert not find_examples("moyenne([5]) is about 300").cases


def test_in_any_order():
    """Lists are compared without their order where the text says so, in a test they are not."""
    text = "Return the pairs in any order.\n\npairs(3) -> [[1, 2], [3]]\nassert pairs(4) == [1, 2]"
    exact, loose = find_examples(text).cases
    assert CaseResult(loose, "returned", [[3], [2, 1]]).passed
    assert not CaseResult(loose, "returned", [[3], [2, 2]]).passed
    assert CaseResult(exact, "returned", [1, 2]).passed
    assert not CaseResult(exact, "returned", [2, 1]).passed


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Write a function called add_all that adds.", "add_all"),
        ("Write a function named `add_all`.", "add_all"),
        ("Implement two_sum(nums, target) please", "two_sum"),
        ("Write the function `two_sum`", "two_sum"),
        ("Name the function `two_sum`.", "two_sum"),
        ("Function two_sum(nums, target) -> list", "two_sum"),
        ("The function is two_sum(nums, target).", "two_sum"),
        ("def helper(x):\n    return x\n\ndef main_thing(y):\n    ...", "main_thing"),
        ("Add numbers. add(1, 2) == 3", "add"),
        ("log(100) is 2. Write my_log(x).", "my_log"),
        ("def helper(x): ...\ndef other(x): ...\nhelper(1) == 2", "helper"),
        ("Write a Python function merge_sort that sorts a list.", "merge_sort"),
        ("a decorator count_calls in python", "count_calls"),
        ("I need a context manager `cd(path)`.", "cd"),
        ("Give me an async generator read_lines.", "read_lines"),
        ("Rename the function get_user to fetch_user.", ""),
        ("Make the function get_user faster: fetch_user is slow", ""),
        ("Write a function in snake_case.", ""),
        ("Write a function that adds numbers", ""),
        ("Write a function which is called by the timer", ""),
    ],
)
def test_the_callable_that_is_asked_for(prompt, name):
    """Named, defined, or called by the examples."""
    assert find_examples(prompt).function == name


def test_attached_files_are_no_request():
    """Their examples are of other functions."""
    files = "<attached_files>\n>>> helper(1)\n2\n</attached_files>\n"
    assert found(f"{files}Write add. add(1, 2) == 3") == [("add", "1, 2", 3)]


def test_contradictions_are_noted_and_nothing_is_dropped():
    """Nobody but the user knows which one is meant."""
    suite = find_examples("f(1) == 1 and f(1) == 2")
    assert len(suite.cases) == 2
    assert suite.warnings == ("example 1 and example 2 contradict each other",)


def test_very_many_examples_are_capped_with_a_note():
    """Each one costs a process."""
    suite = find_examples("\n".join(f"f({n}) == {n}" for n in range(300)))
    assert len(suite.cases) == MAX_ANCHORS and "300 examples" in suite.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        "f(" * 500_000,
        "[" * 1_000_000,
        "f(1) == " * 200_000,
        "Input: [" * 150_000,
        "Input: 1\nOutput: 2\n" * 60_000,
        "| a | b |\n|---|---|\n" * 50_000,
        "|a|result|\n|-|-|\n" * 50_000,
        "a|b\n" + " " * 1_000_000 + "x",
        "a" + "|" * 9_000 + "\n" + " " * 1_000_000,
        "a|b\n" + "-|" * 500_000 + "x",
        "a|" * 500_000,
        ">>> f(1)\n" * 120_000,
        "assert f((((((" * 70_000,
        ("assert (" + "[]" * 46 + "\n") * 10_000,
        ("f(" + "[]" * 20) * 25_000,
        ("def f(" + "[]" * 48) * 10_000,
        ("f(1)" + " " * 990 + "x") * 1_000,
        "bash function add\n" + "$ add 1 " * 100_000,
        "is_a " + "1 is a and 2 is not " * 50_000,
        "with pytest.raises(ValueError): self.assertEqual(f(1), " * 20_000,
        "> f(1)\n# " * 100_000,
        "'" * 1_000_000,
        "f('" * 300_000,
        "Input:\nOutput:\n" * 60_000,
        "_" * 1_000_000,
        "called " * 150_000,
        "\\'f(\"" * 200_000,
        "f(1) == 2" + " \n" * 500_000,
        "@pytest.mark.parametrize(\n" * 40_000,
        "f(1) and " * 100_000,
        "f(1) == 01, " * 100_000,
        "def f(1) -> " * 100_000,
        "Write f(s).\n" + "abc  abc\n" * 100_000,
        "f(1) is 2, which is " * 50_000,
        ">>> f(1)\n2\nI get:\n" * 50_000,
        "returns 1 for 1 and " * 50_000,
    ],
    ids=range(36),
)
def test_hostile_texts_cost_a_bounded_time(text):
    """A megabyte holds up the event loop for less than 0.1 s, and never for more than one on a
    machine that is busy."""
    begun = time.process_time()
    find_examples(text)
    assert time.process_time() - begun < 1


def test_examples_are_looked_for_in_the_beginning_of_a_long_text():
    """With a note; what is said behind it is no example."""
    suite = find_examples("f(1) == 2\n" + "x\n" * MAX_PROMPT + "f(3) == 4")
    assert [case.input for case in suite.cases] == ["1"]
    assert suite.warnings == ("examples were looked for in the first 20000 characters alone",)


@pytest.mark.parametrize("number", ["0x" + "f" * 3900, "9" * 4200, "-0b" + "1" * 3000])
def test_a_number_beyond_what_python_writes_is_no_example(number):
    """It would end the run when its record is written."""
    assert find_examples(f"f({number}) == 1\nf(1) == {number}").cases == ()


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text("abc", max_size=2), inner, max_size=2)
    ),
    max_leaves=6,
)


@given(st.lists(VALUES, min_size=1, max_size=3), VALUES)
@settings(max_examples=examples(80), deadline=None)
def test_every_value_survives_every_form(args, expected):
    """What is written as a call, a session, an assertion is read back as it was."""
    call = f"f({', '.join(map(repr, args))})"
    said = f"{call} == {expected!r}"
    forms = [said, f">>> {call}\n{expected!r}\n", f"assert {said}"]
    for text in forms[: 1 if expected is None else 3]:
        [case] = find_examples(f"Examples:\n{text}\n").cases
        assert same(case.expected, expected), text
        if case.session:  # fractions of two digits and more may have been cut off
            assert "round(" in case.session and call in case.session, text
        else:
            assert same(list(case.arguments.args), args), text


@given(st.text(max_size=200) | st.text("fF(1, )=->[]'\"`|\n:#\\Input:Output", max_size=120))
@settings(max_examples=examples(200), deadline=None)
def test_no_text_breaks_the_search(text):
    """Whatever a prompt holds, it gives cases whose texts can be read again."""
    for case in find_examples(text).cases:
        if case.stdin is None:
            assert read_arguments(case.input) == case.arguments


@given(st.text(max_size=100) | st.text("()[]{}'\"\\0-.e+jnotru ", max_size=60))
@settings(max_examples=examples(200), deadline=None)
def test_a_literal_is_read_or_refused(text):
    """With ValueError and nothing else; nothing is evaluated."""
    plain = bool | int | float | complex | str | bytes | list | tuple | dict | set | None
    try:
        value = read_literal(text)
    except ValueError:
        return
    assert isinstance(value, plain)


# --- sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for 'abc' it returns 3", ("", "'abc'", 3)),
        ("for `a=1 b` it returns `['a']`", ("", "'a=1 b'", ["a"])),
        ("For [3, 7, 4] it returns [5, 6]\nand so on", ("", "[3, 7, 4]", [5, 6])),
        ("For example, for `2` the result is `4`.", ("", "2", 4)),
        ("For 2, 3 and 4 it should return 9.", ("", "2, 3, 4", 9)),
        ("Given 7 it yields True (as 7 is prime)", ("", "7", True)),
        ("for old = 10 and new = 30 it returns 20, and so on", ("", "10, 30", 20)),
        ("Given xs = [2, 7], n = 9, return [0, 1].", ("", "[2, 7], 9", [0, 1])),
        ("Write one that returns the factorial. The factorial of 5 is 120.", ("", "5", 120)),
        ("If I pass 'abc' I want 3 back.", ("", "'abc'", 3)),
        ("Write def median(xs). The median of [1, 2] should be 1.5", ("median", "[1, 2]", 1.5)),
        ("It should return True for 'abba' and False otherwise.", ("", "'abba'", True)),
        ("It returns `None` for the list `[]`", ("", "[]", None)),
        ("Write turn(s). input 'a b', output 'b a'", ("turn", "'a b'", "b a")),
        ('Write turn(s). Input "a b" -> output "b a"', ("turn", "'a b'", "b a")),
        ("Write fact(n). If n is 3, return 6.", ("fact", "3", 6)),
        ("Write turn(a, b=1). When `a` is 'x' and b is 2, it gives 'xx'", ("turn", "'x', 2", "xx")),
        (
            "Given xs = [1, 2] and k = 1, `turn(xs, k)` returns [2, 1].",
            ("turn", "[1, 2], 1", [2, 1]),
        ),
        ("Given xs = [1, 2], turn(xs, 1) returns [2, 1].", ("turn", "[1, 2], 1", [2, 1])),
        (
            "Write root(n). It must raise a `ValueError` for -1.",
            ("root", "-1", Raises("ValueError")),
        ),
    ],
)
def test_a_sentence_can_be_an_example(text, expected):
    """What is given and what comes back, by their order or their names."""
    assert found(text) == [expected]


def test_what_comes_back_may_stand_before_what_it_comes_back_for():
    """In a row, until words stand in place of a value."""
    text = "Return 1 for 0, 120 for 5, and it returns 6 for 3, and None for anything else."
    assert found(text) == [("", "0", 1), ("", "5", 120), ("", "3", 6)]


def test_one_result_may_stand_before_several_values():
    """Of a function of one parameter; of another these are its arguments, or nobody knows."""
    text = "Write is_leap(year). It returns True for 2000, 2400 and 4, and False for 1900."
    years = [("is_leap", str(each), each != 1900) for each in (2000, 2400, 4, 1900)]
    assert found(text) == years
    assert found("Write add(a, b). It returns 5 for 2 and 3.") == []


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("Write mean(xs). Return None if xs is empty.", [], None),
        ("Write mean(xs). It gives the mean, and returns 0 for an empty list.", [], 0),
        ("Write mean(xs). If the given array is empty then return 1.", [], 1),
        ("Write top(words: list[str]) -> str: an empty list gives an empty string.", [], ""),
        (
            "Write top(words). It should raise a ValueError when given an empty list",
            [],
            "ValueError",
        ),
        ("Write turn(text). For an empty text, it returns [].", "", []),
        (
            "def turn(s: str):\n    '''Turns it. If 's' is an empty string, return None.'''\n",
            "",
            None,
        ),
        ("Write swap(d: dict). Return -1 in case the dictionary is empty.\n", {}, -1),
    ],
)
def test_what_is_said_of_empty_input_is_an_example(text, given, expected):
    """Where the request writes its function with one parameter that may be given that."""
    cases = find_examples(text).cases
    told = [(case.arguments.args, getattr(case.expected, "name", case.expected)) for case in cases]
    assert told == [((given,), expected)]


@pytest.mark.parametrize(
    "text",
    [
        "Write mean(xs, k). If the list is empty, return 0.",
        "Write mean(n). If the list is empty, return 0.",
        "Write mean(d: dict). If the list is empty, return 0.",
        "Write mean(xs). When the rest of the list is empty, return 1.",
        "Write mean(xs). It must not return None for an empty list.",
        "Write mean(xs). It returns 0 for an empty list, but should raise an error.",
        "Write mean(xs). If the list is empty, return 0 if strict else 1.",
        "Write mean(xs). If the list is empty and k is 0, return 1.",
        "Write mean(xs). It returns an empty list if nothing is left.",
        "Fix mean(xs): it returns 0 for an empty list.",
        "Write mean(xs). Is 0 returned for an empty list?",
        "Write size(path). If the file is empty return 0.",
    ],
)
def test_what_only_resembles_a_word_on_empty_input_is_none(text):
    """It is a part that is empty, another parameter, or it shall not be so."""
    assert found(text) == []


def test_names_in_a_sentence_are_the_parameters():
    """Where the function's parameters are known, their order is the function's."""
    text = "Write turn(old, new). For new = 30 and old = 10 it returns 20."
    [case] = find_examples(text).cases
    assert str(case.arguments) == "10, 30"


@pytest.mark.parametrize(
    "text",
    [
        "for 3 days it returns nothing",
        "for x in [1, 2]: it returns 3",
        "it costs 5 for 3 and is 4 km away",
        "for 'abc' it returns 3 times the length",
        "for `n` it returns 3",
        "for `2 + n` it returns 3",
        "for `a, b, ...` it returns 3",
        "for 5 it returns the list",
        "for all 3 it returns n",
        "for 2 it returns 4 + n",
        "given n = 5, return 1 if it is prime",
        "given 5 return 6",
        "It returns the sum. The length of [1, 2] is 2",
        "It returns the sum. The sum of 2 is 2 times as much",
        "It returns the sum of 5 and is 4 km away",
        "Write count(xs); 2 of 3 is enough, one of 5 is 1",
        "My factorial(n) is broken: the factorial of 5 is 24 but should be 120.",
        "Fix factorial(n): currently the factorial of 5 is 24.",
        "Fix f(n): for 5 it returns 24 but should return 120",
        "Write priority(task) for a dict. A priority of 1 is 'high'.",
        "Write safe_div(a, b) that divides a by b; for b = 0 return None.",
        "Write f(items). Given x = 1 and y = 2, return True.",
        "It returns 1 for 5 and 2 for 6 items.",
        "It returns True for 'listen' and 'silent'.",
        "Returns None for 3 or 4",
        "Currently it returns 3 for 4.",
        "It returns 3 for 4 but should return 5.",
        "An API that returns 404 for '/x'",
        "Write percent(part, whole). If whole is 0, the result is 0.",
        "Write f(xs, k=1). If k is 0, it returns 0.",
        "If x is 3, it returns 4.",
        "Fix f(n). If n is 0, it returns 1.",
        "Write f(n): if n is 1 it returns 1 apple",
        "Given xs = [1, 2], turn(xs, k) returns [2, 1].",
        "Write root(n). It raises ValueError for negative numbers.",
        "It sums the points and returns 3 for 'a'",
        "A class whose get returns 3 for 'a'",
        "Fix it: it returns 3 for 4",
        "input 5 lines, output 3 lines",
        "for input 3 the output 4 is wrong",
    ],
)
def test_a_sentence_that_only_resembles_one_is_none(text):
    """A wrong example would reject right code."""
    assert found(text) == []


def test_bare_words_in_a_table_are_texts():
    """As people write them: `| 2 | box | 2 boxes |`."""
    table = "| n | word | result |\n|---|---|---|\n| 2 | box | 2 boxes |\n"
    assert found(f"Write count_of(n, word).\n\n{table}") == [("count_of", "2, 'box'", "2 boxes")]


# --- pairs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write dedupe(xs), e.g. [1, 2, 2] -> [1, 2].", ("dedupe", "[1, 2, 2]", [1, 2])),
        ("Turn words round: 'a b' → 'b a'.", ("", "'a b'", "b a")),
        ('so that "a b" becomes "b a"', ("", "'a b'", "b a")),
        ("Example: `'abc'` => `'cba'`. Write turn(s).", ("turn", "'abc'", "cba")),
        ("E.g. [1, 2, 3] returns 6.", ("", "[1, 2, 3]", 6)),
        ("Write roman(n) (e.g. 4 -> 'IV')", ("roman", "4", "IV")),
        ("Write dedupe(xs).\n[1, 2, 2]             -> [1, 2]", ("dedupe", "[1, 2, 2]", [1, 2])),
        ("Write add(a, b), e.g. (2, 3) -> 5", ("add", "2, 3", 5)),
        ("Write add(a, b), for example 2, 3 -> 5", ("add", "2, 3", 5)),
        ("Write power(a, b=2), e.g. 3 -> 9", ("power", "3", 9)),
        ("```\n[[1], [2]] -> [1, 2]\n```", ("", "[[1], [2]]", [1, 2])),
        ("the square root, e.g. 4 -> 2", ("", "4", 2)),
        ("Write rle(text) that encodes runs: 'aaab' becomes 'a3b1'.", ("rle", "'aaab'", "a3b1")),
        ("Write rle(s: str): 'aaab' gives 'a3b1'.", ("rle", "'aaab'", "a3b1")),
        ("Write rle(s) that encodes runs (e.g. 'aaab' -> 'a3b1').", ("rle", "'aaab'", "a3b1")),
        ("Write slug(text) that turns 'A b!' into 'a-b'.", ("slug", "'A b!'", "a-b")),
        ("flatten(xs) turns [[1], [2]] into [1, 2]", ("", "[[1], [2]]", [1, 2])),
        ("Write flatten(xs) to flatten [[1], [2]] to [1, 2].", ("flatten", "[[1], [2]]", [1, 2])),
        ("Write slug(text), converting `'A'` to `'a'`.", ("slug", "'A'", "a")),
        ("Parse durations: '1h30m' -> 5400.", ("", "'1h30m'", 5400)),
        ("Write is_email(s): 'a@b.com' -> True.", ("is_email", "'a@b.com'", True)),
        ("roman_to_int(s). 'IV' -> 4, 'MCMXCIV' -> 1994", ("", "'MCMXCIV'", 1994)),
        ("Write vowels(text): 'hello' -> 2.", ("vowels", "'hello'", 2)),
        ("For the list [1, 2] the output should be 3.", ("", "[1, 2]", 3)),
        ("For the input 'ab' you get 'ba'.", ("", "'ab'", "ba")),
    ],
)
def test_a_pair_is_an_example(text, expected):
    """As people write them, without a call; a tuple gives each parameter its value."""
    assert found(text) == [expected]


def test_answers_that_are_yes_or_no_need_no_name():
    """Two pairs beside each other are enough, of whatever they are asked."""
    text = "Write a function that checks brackets. '([])' -> True, '(]' -> False"
    assert found(text) == [("", "'([])'", True), ("", "'(]'", False)]


def test_one_verb_may_have_several_pairs():
    """Joined by "and" or a comma."""
    text = "Write slug(text), which makes 'A, b!' into 'a-b', 'C' into 'c' and 'É' into 'e'."
    assert [each[1:] for each in found(text)] == [("'A, b!'", "a-b"), ("'C'", "c"), ("'É'", "e")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Write fizz(n). fizz(3) is 'Fizz', fizz(5) 'Buzz' and fizz(2) '2'",
            [("fizz", "3", "Fizz"), ("fizz", "5", "Buzz"), ("fizz", "2", "2")],
        ),
        ("median(xs): [3] -> 3, [1, 2] -> 1.5", [("", "[3]", 3), ("", "[1, 2]", 1.5)]),
        (
            "Write swap(xs): [1, 2, 3] -> [3, 2, 1], 1 -> 3 and 3 -> 1.",
            [("swap", "[1, 2, 3]", [3, 2, 1])],
        ),
        (
            "Write def median(xs). The median of [1, 3, 2] is 2, of [1, 2] 1.5",
            [("median", "[1, 3, 2]", 2), ("median", "[1, 2]", 1.5)],
        ),
        (
            "Write def to_bin(n): 5 => '101', 2 => '10'",
            [("to_bin", "5", "101"), ("to_bin", "2", "10")],
        ),
        (
            "Write def mean(xs). The mean of [1, 2] is 1.5, of [4] is 4",
            [("mean", "[1, 2]", 1.5), ("mean", "[4]", 4)],
        ),
        (
            "Write a function is_same(s): anna -> True, bob => True and carl -> False.",
            [("is_same", "'anna'", True), ("is_same", "'bob'", True), ("is_same", "'carl'", False)],
        ),
        (
            "Write is_prime(n). 7 is prime, 9 is not, and 11 is a prime number.",
            [("is_prime", "7", True), ("is_prime", "9", False), ("is_prime", "11", True)],
        ),
        (
            "Write is_palindrome(s): 'anna' is a palindrome but 'ab' isn't.",
            [("is_palindrome", "'anna'", True), ("is_palindrome", "'ab'", False)],
        ),
        (
            "Write def leap(year).\n- 2000: true\n- 1900: false",
            [("leap", "2000", True), ("leap", "1900", False)],
        ),
    ],
)
def test_what_follows_an_example_may_be_shorter(text, expected):
    """A call without its verb, a pair without its word, answers that are yes or no."""
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Write fizz(n). fizz(3) prints, fizz(5) 'Buzz'",
        "Write leet(text): 'a' -> '4', 'e' -> '3'",
        "Write is_prime(n). 1 is not prime.",
        "Write is_prime(n). 2 is prime, 3 is prime.",
        "Write is_valid(n): 3 is valid for days, 31 is not to be taken",
        "Write check(value): strict: True, verbose: False",
        "Write check(value): anna -> True",
        "Write check(value): anna -> True, bob -> True",
        "Write check(value): anna -> True, 5 -> False",
        "Write check(a, b): anna -> True, bob -> False",
        "Write check(value) for {anna: true, bob: false}",
        "Write check(value). Currently anna -> True, bob -> False",
        "Write check(value): anna -> True, bob -> False positives",
        "Write is_even(n) that returns a bool: even -> True, odd -> False",
        "Write is_even(text): even -> True, odd -> False",
        "Write load(path): settings such as\n\ndebug: true\ncache: false\n\nbecome a dict.",
        "Write check(s): balanced -> True, unbalanced -> False",
        "Write check(s). Options: recursive: true, hidden: false.",
    ],
)
def test_what_follows_no_example_is_none(text):
    """Options, rules, one answer alone, what is denied, what goes on."""
    assert found(text) == []


def test_pairs_may_stand_behind_a_signature_with_what_it_returns():
    """With a comma for a colon."""
    text = "function price(cents: int) -> str, 5 -> '$0.05', -250 -> '-$2.50'"
    assert found(text) == [("price", "5", "$0.05"), ("price", "-250", "-$2.50")]


def test_pairs_behind_several_heads_are_each_of_its_function():
    """On the head's line or below it, up to a blank line."""
    text = "Two helpers:\n- area(r): 2 -> 12.57, 1 -> 3.14\n- girth(r): 2 -> 12.57, 1 -> 6.28\n"
    area = [("area", "2", 12.57), ("area", "1", 3.14)]
    assert found(text) == [*area, ("girth", "2", 12.57), ("girth", "1", 6.28)]
    below = "celsius(f) -> float:\n[212] -> 100.0\n\nkelvin(c):\n[0] -> 273.15\n\n[1, 2] -> 3\n"
    assert [name for name, *_ in found(below)][:2] == ["celsius", "kelvin"]
    of_both = "area(r): of a circle\ngirth(r): around it\nExamples: [1, 2] -> 3, [4] -> 4"
    assert not [case for case in find_examples(of_both).cases if case.function]
    assert find_examples(of_both).function == ""


@pytest.mark.parametrize(
    "text",
    [
        "Write a program that reads a line with two numbers and prints the larger.\n"
        "Sample input:\n3 9\nSample output:\n9\n",
        "The first line has n, the second line n integers. Print them.\n\nInput\n3 9\nOutput\n9\n",
    ],
)
def test_a_program_that_reads_is_known_by_its_words(text):
    """Without a word of standard input; not where a function is wanted, or a file is read."""
    assert found(text) == [("3 9\n", "9\n")]
    for other in (f"Write a function parse(text). {text}", text.replace("a line", "a file")):
        assert find_examples(other).program is (other == text)


def test_functions_that_a_call_gives_are_a_part_of_the_example():
    """Known ones and those without a name; names that a signature has are none."""
    text = "first([1, 2, 3], lambda x: x > 2) should be 3; first([], bool) should be None."
    assert [(case.session, case.expected) for case in find_examples(text).cases] == [
        ("first([1, 2, 3], lambda x: x > 2)", 3),
        ("first([], bool)", None),
    ]
    assert found("Write pad(str, int) returning 3: pad(str, int) is 3") == []
    assert found("Write clamp(x, min, max): clamp(5, min, max) should be 5.") == []
    assert found("first([1], of_mine) should be 1, first([x], len) should be 2") == []


def test_pairs_in_lines_of_their_own():
    """A list of them, with bullets or without."""
    text = "Write total(xs).\nExamples:\n- [1, 2] -> 3\n- [] -> 0\n"
    assert found(text) == [("total", "[1, 2]", 3), ("total", "[]", 0)]
    assert len(found("Write double(n). Examples:\n- 2 -> 4\n- 3 -> 6\n- 5 -> 10")) == 3
    assert len(found("Write add(a, b).\n\nExamples\n* (1, 2) -> 3\n* (3, 4) -> 7\n")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "$a = ['name' => 'Bob', 'age' => 3];",
        "$a = array('one' => 1, 'two' => 2, 'three' => 3);",
        'match x {\n    "aa" => 1,\n    "bb" => 2,\n}',
        "Write a script that converts 'data.csv' -> 'data.json'",
        "Every vowel changes, 'a' becomes 'e', then the text is turned round.",
        "Currently 'abc' becomes 'bca', which is a bug.",
        "'abc' -> 'bcd' -> 'cde'",
        "Turn a linked list round: [1, 2] -> [2, 1]",
        "Python 3.11 is 10 percent faster",
        "The default for 'colour' should be 'red'.",
        "from version 1.2 -> 1.3",
        "Write add(a, b), e.g. [1, 2] -> 3",
        # The value goes on.
        "Write primes(n), e.g. 10 -> 2, 3, 5, 7",
        "minutes(n) as hours, e.g. 90 -> 1:30",
        'minutes(s), e.g. "1:30" -> 90 minutes',
        "factor(n), e.g. 12 -> 2 x 2 x 3",
        "price(n), e.g. 90 -> 90.00€",
        "approx(x), e.g. 2 -> 1.414...",
        "count(s), e.g. 'aab' -> 2 a's and 1 b",
        "mix(xs): [1, 2] -> [1, 2] or [2, 1]",
        "batches(xs): [1, 2, 3, 4, 5] -> [1, 2], [3, 4], [5]",
        "rotate(xs, k=1): [1, 2, 3] -> [3, 1, 2] (k=2)",
        # The value is no whole argument.
        "nth(xs, n=0): index 2 of [1, 2, 3] -> 3",
        "index_of(xs, x=0), e.g. index of 2 in [1, 2, 3] -> 1",
        "rotates a list left by k: for k=2, [1, 2, 3] -> [3, 1, 2]",
        "The weight for the string 'the' is 0",
        "Write orders(xs). For a list of 3 it should return 6.",
        # Rules, tables and edges.
        "find_path(grid). Cells are:\n0 = 'empty'\n1 = 'wall'",
        "letters(digits)\n2 -> 'abc'\n3 -> 'def'",
        "has_cycle(edges), for graphs such as\n1 -> 2\n2 -> 3",
        "tax(income). Brackets:\n10000 -> 0\n50000 -> 0.2",
        "next_slot(t)\n09:10 -> 09:30\n09:45 -> 10:00",
        "soundex(name). Letters map: 'bfpv' -> 1, 'cgjkqsxz' -> 2",
        "tokenize(src). '==' -> 'EQ'",
        "shortest(edges)\n(0, 1) -> 5\n(1, 2) -> 3",
        "class TrafficLight with a method step(). 'green' -> 'yellow'",
        'Port this Kotlin:\n"book" -> 5\n"two words" -> 6',
        "Write two functions. compress: 'a a' -> 'a2'. expand: 'a2 x' -> 'a a'.",
        "reverses a list in place: [1, 2, 3] becomes [3, 2, 1]",
        "Write leet(text): 'a' becomes '4', 'e' becomes '3'.",
        "Write tokens(s): '==' becomes 'EQ'.",
        "Write size(text): 'KB' -> 1024, 'MB' -> 1048576.",
        "Write score(word): 'a' -> 1, 'z' -> 26.",
        "Find words; weights: 'open' -> 2, 'closed' -> 1.",
        "Options: 'debug' -> True, 'verbose' -> False. Write load(path).",
        "My parser does this now: '1h30m' -> 90",
        "It gives this now: [1, 2] -> 2",
        "Write convert(s), which turns 'yes' into True.",
        "Write spell(words): 'colour' becomes 'color'.",
        "Write shift(text, by): turns 'abc' into 'bcd'.",
        "Write fizz(n), which makes 3 into 'Fizz'.",
        "Write countdown(n): 10 -> 0.",
        "Write a function that converts 'km' to 'm'.",
        "Write rle(text). It never turns 'aaab' into 'a3b1'.",
        "Write rename(name): make 'a.txt' to 'b.txt' or 'c.txt'.",
        # What is, and shall not be.
        "My function reverse(xs) has a bug: [1, 2, 3] -> [1, 2].",
        "reverse(xs) ist falsch: [1, 2, 3] -> [1, 2]",
        "Actual: [1, 2, 3] -> [1, 2]",
    ],
)
def test_a_pair_that_only_resembles_an_example_is_none(text):
    """Code, rules, steps, files, parts of values, and values that do not fit the signature."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "sessions"),
    [
        ("Write evens(n) that yields even numbers. evens(6) -> [0, 2, 4]", ["list(evens(6))"]),
        ("Write f(n) using yield. f(2) -> [0, 1]", ["list(f(2))"]),
        ("Écris un générateur f(n). f(2) -> [0, 1]", ["list(f(2))"]),
        ("f(2) yields [0, 1]", [""]),
        ("def turn(xs: list[int], k: int) -> None that changes xs.\nturn([1, 2], 1) -> [2, 1]", []),
        ("Write f(xs) that modifies the list directly: f([2, 1]) -> [1, 2]", []),
    ],
)
def test_what_comes_bit_by_bit_or_in_what_is_given(text, sessions):
    """A generator is read to its end; what is changed in place is no result."""
    assert [case.session for case in find_examples(text).cases] == sessions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to_hex(255) -> 0xff", ("to_hex", "255", "0xff")),
        ("to_hex(-255) returns -0xff.", ("to_hex", "-255", "-0xff")),
        ("Write to_bin(n), e.g. 5 -> 0b101", ("to_bin", "5", "0b101")),
        ("pad(5, 3) -> 005", ("pad", "5, 3", "005")),
        ("pad(5, 3) is `005`, padded.", ("pad", "5, 3", "005")),
        ("price(5.5) -> 05.50", ("price", "5.5", "05.50")),
        ("flip(0b0101) -> 0b1010", ("flip", "5", 10)),
        ("hex_of(0) # returns 000000", ("hex_of", "0", "000000")),
        ("to_hex(255) == 0xff", ("to_hex", "255", 255)),
        ("assert to_hex(255) == 0xff", ("to_hex", "255", 255)),
        (">>> mask(8)\n0xff\n", ("mask", "8", 255)),
    ],
)
def test_a_number_in_words_that_is_none_is_the_text_as_it_is_written(text, expected):
    """With leading zeros, and with the sign of a base where the call gives the number itself; in
    code, and beside numbers that are written so too, it is a number."""
    assert found(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "mask(8) -> 0xff",
        "color(255, 128, 0) -> 0xff8000",
        "Write mask(n). For 8 it returns 0xff.",
        "Write mask(n): it returns 0xff for 8.",
        "pad(5, 3) == 005",
        "day(3) -> 01/02/2024",
        "clock(3) -> 00:03",
        "ip(1) -> 01.0.0.0",
    ],
)
def test_a_number_that_may_be_a_text_is_no_example(text):
    """With the sign of a base in words alone, with leading zeros in code, a part of a date."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Can you write kb(n): kb(1536) -> '1.5 KB', kb(500) -> '500 B'?", 2),
        ("Would you write kb, e.g. for v2.0, where kb(500) -> '500 B'?", 1),
        ("Could you write kb? Is kb(1536) -> '1.5 KB'?", 0),
        ("Please write kb(n). What about kb(500) -> '500 B'?", 0),
    ],
)
def test_the_last_example_of_a_polite_question_is_one(text, count):
    """A point in a value or an abbreviation ends no sentence; one of its own may be unsure."""
    assert len(found(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "height(180) -> 5'11\"",
        'inches(25.4) -> 10" and inches(50.8) -> 20"',
        "It's degrees: minutes(0.5) gives 30'",
        "lap(65) = 1′5″",
        "thousands(1234) -> 1'234",
    ],
)
def test_a_number_with_a_mark_of_its_unit_is_no_example(text):
    """Feet, inches, minutes and seconds are told by what closes a quotation elsewhere."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Write a recursive fact with a base case. fact(5) returns 120, fact(1) returns 1.",
            [("fact", "5", 120), ("fact", "1", 1)],
        ),
        (
            "fact: the factorial, with fact(0) = 1. For example fact(3) = 6 and fact(4) = 24.",
            [("fact", "0", 1), ("fact", "3", 6), ("fact", "4", 24)],
        ),
        ('def sq(n):\n    """Square a number.\n\n    sq(3) == 9"""\n', [("sq", "3", 9)]),
        ('"Write double(n),\nso that double(2) returns 4".', [("double", "2", 4)]),
        (
            "Use it:\n\n@lru_cache\ndef fib(n: int) -> int:\n    ...\n\nfib(9) == 34 by lru_cache",
            [("fib", "9", 34)],
        ),
        (
            "A retry decorator is there.\n\n@retry\ndef inc(n):\n    ...\n\ninc(1) == 2",
            [("inc", "1", 2)],
        ),
    ],
)
def test_words_and_marks_beside_examples_cost_none(text, expected):
    """A base case is no other base, a name with a colon is given no value, a docstring's end is no
    inch, and a function without a body is to be written, whatever stands above it."""
    assert found(text) == expected


@pytest.mark.parametrize("text", ["p == Point(4, 6)   # True", "!f(2) // false"])
def test_an_operand_is_no_example(text):
    """What is said is said of the whole line."""
    assert all(name == "" for name, _, _ in found(text))


def test_what_shows_the_use_of_a_class_is_not_asked_for():
    """A function that the request defines to show it."""
    text = "Write class Counter.\n\ndef main():\n    c = Counter()\n    c.add(1)\n\nmain()"
    assert find_examples(text).function != "main"


@pytest.mark.parametrize(
    "text", ["He said 'f(1) is 1, f(2) is 4'.", "As in \"f('a') is 1 and f(2) -> 4\"."]
)
def test_a_quotation_ends_behind_a_number(text):
    """The last example of a quoted sentence is one, whatever texts stand in it."""
    assert found(text)[-1] == ("f", "2", 4)


@pytest.mark.parametrize(
    ("text", "session"),
    [
        ("keep only the digits: digits('a1b2') -> 12", "float(digits('a1b2'))"),
        ("back(s) gives it backwards: back('123') -> 321", "float(back('123'))"),
        ("Write digits(s) that removes letters. e.g. 'a1b2' -> 12", "float(digits('a1b2'))"),
        ("to_binary(5) -> 101", "float(to_binary(5))"),
        ("hexa(255) returns ff and hexa(16) returns 10", "float(hexa(16))"),
        ("fizzbuzz(3) returns Fizz and fizzbuzz(7) returns 7", "float(fizzbuzz(7))"),
        ("short(1500) -> 1.5K, short(0.5) -> 0.5", "float(short(0.5))"),
        ("Write fizz(n). For 3 it returns Fizz, for 7 it returns 7.", "float(fizz(7))"),
        ("zip2('aab') -> a2b, zip2('11') -> 12345678901234567890", "str(zip2('11'))"),
    ],
)
def test_a_number_may_come_as_a_text_where_no_quotation_mark_tells(text, session):
    """It is made of the digits of a text, is what is given in another base, or stands beside texts
    without quotation marks: either of the two is right."""
    assert [each.session for each in find_examples(text).cases] == [session]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fizz(3) returns 'Fizz' and fizz(7) returns 7", ("7", 7)),
        ("Write fizz(n). It returns Fizz for 3. fizz(7) returns 7", ("7", 7)),
        ("half(4) -> 2 and half(0) -> ValueError", ("4", 2)),
        ("sign(0) is none. sign(5) -> 1", ("5", 1)),
        ("In base 10: twice(8) -> 16", ("8", 16)),
        ("add2(8) -> 10", ("8", 10)),
        ("binary('101') -> 5", ("'101'", 5)),
        ("Count the digits. count('1a') -> 1", ("'1a'", 1)),
        ("def value(s: str) -> int: value('12px') -> 12", ("'12px'", 12)),
        ("parse('42') -> 42", ("'42'", 42)),
        ("vowels('hello') -> 2", ("'hello'", 2)),
        ("digits('a1b2') -> '12'", ("'a1b2'", "12")),
        ("assert digits('a1b2') == 12", ("'a1b2'", 12)),
    ],
)
def test_a_number_comes_as_a_number_where_nothing_speaks_of_a_text(text, expected):
    """Not where something is counted, where the whole text is the number, in a test, and beside
    texts that have quotation marks."""
    read = [each for each in find_examples(text).cases if type(each.expected) is type(expected[1])]
    assert [(each.input, each.expected, each.session) for each in read] == [(*expected, "")]


@pytest.mark.parametrize(
    "text",
    [
        "Write def digits(s: str) -> str. digits('a1b2') -> 12",
        "Remove the letters, e.g. 'a1b2' -> 12",
    ],
)
def test_digits_that_are_a_text_or_nobody_knows_are_no_example(text):
    """By the head a text comes; without a name no call can be asked for both."""
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Write add(a, b). add(1, 2) == add(2, 1) -> True",
        "`add(1, 2)` == `add(2, 1)` is True.",
        "Write add(a, b), and add(1, 2) > add(1, 1) -> True.",
        "Write is_even(n), so is_even(2) and is_even(4) -> True.",
        "is_even(2) or is_even(3) is True.",
        "Write last(n), so that last('a') is last('a') == True.",
    ],
)
def test_a_call_that_another_is_compared_with_has_no_result_of_its_own(text):
    """What follows is what comes of both."""
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("f(1) == 2 and f(2) == 3", ["1", "2"]),
        ("f(1) == (1, 2) and f(2) == (3, 4)", ["1", "2"]),
        ("f(1) == set() and f(2) == set()", ["1", "2"]),
        ("Write f(n) - f(2) == 3", ["2"]),
        ("Write f(n) and f(2) == 3", ["2"]),
        ("Write f(n).\n> f(1) == 2\n> f(2) == 3", ["1", "2"]),
    ],
)
def test_calls_one_after_the_other_have_each_its_result(text, of):
    """Also behind the head of the function, and in quoted lines."""
    assert [given_ for _, given_, _ in found(text)] == of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(text, n) e.g. f('aaa', 3) -> ['aaa']", [("f", "'aaa', 3", ["aaa"])]),
        ("def f(s: str) -> int, such that f('a') == 1", [("f", "'a'", 1)]),
        ("def f(n): return n + f(1) == 2", []),
        ("def f(n) -> int: return f(1) == 2", []),
        ("def f(n=5) -> None", []),
        ("def f(n=5) -> 120 and nothing else", []),
    ],
)
def test_a_head_without_a_colon_is_a_sentence(text, expected):
    """The examples behind it are read; the head itself is none, and its defaults neither."""
    assert found(text) == expected


_PLURALS = "cat   cats\nbox   boxes\nbaby  babies"


@pytest.mark.parametrize(
    "text",
    [
        f"Write plural(word):\n{_PLURALS}",
        f"Write plural(word):\n\n```\n{_PLURALS}\n```\nThanks",
        f"def plural(x: str) makes the plural of a noun.\n\n{_PLURALS}\n\nNo imports.",
        "plural(word), e.g.\n- cat\tcats\n- box\tboxes\n- baby\tbabies",
    ],
)
def test_lines_of_two_words_are_examples(text):
    """Of a function of one text, whatever stands between the words but a single blank."""
    assert [(given_, said) for _, given_, said in found(text)] == [
        ("'cat'", "cats"),
        ("'box'", "boxes"),
        ("'baby'", "babies"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"Write plurals(words):\n{_PLURALS}",
        f"Write plural(word, n):\n{_PLURALS}",
        f"Write plural(word) and singular(word):\n{_PLURALS}",
        f"Write plural(word) by these rules:\n{_PLURALS}",
        f"Write plural(word) that replaces:\n{_PLURALS}",
        f"Write widths(text) of the columns in\n{_PLURALS}",
        f"Write plural(word).\nsingular  plural\n{_PLURALS}",
        f"Write plural(word).\nOne   Many\n{_PLURALS}",
        f"Write plural(word).\ninput   output\n{_PLURALS}",
        f"Write plural(word).\none   two   three\n{_PLURALS}",
        f"Write plural(word). Currently it gives:\n{_PLURALS}",
        "Write plural(word).\ncat   cats",
        "Write plural(word).\ncat cats\nbox boxes",
        "Write plural(word).\ncat   cats\ncat   kittens",
        "Write plural(word).\ncat   cats  all\nbox   boxes  all",
        "Write is_same(word).\nracecar   True\nhello   False",
        "Write check(word).\nracecar   yes\nhello   no",
        "Write check(word).\nracecar   ValueError\nhello   nothing",
        "Write phonetic(word).\nch   k\nph   f",
    ],
)
def test_lines_of_two_words_that_may_be_something_else_are_none(text):
    """Rules, columns of a text, their heads, more columns, one line alone, and parts of words."""
    assert found(text) == []
