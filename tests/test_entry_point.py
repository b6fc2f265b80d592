"""Which function of a program is meant, and how it is called."""

import time

import pytest

from pipeline.testcases.entry_point import entries_of, entry_of, function_of, taken_by


@pytest.mark.parametrize(
    ("head", "takes"),
    [
        ("f()", (0, 0)),
        ("f(a, b)", (2, 2)),
        ("f(a, /, b, c=1)", (2, 3)),
        ("f(self, a)", (1, 1)),
        ("f(*rest)", (0, None)),
        ("f(a, *, key)", (1, None)),
        ("f(a, **named)", (1, None)),
    ],
)
def test_how_many_values_a_call_gives(head, takes):
    """At least, and at most; the object that a method is of is not given, and no most is known
    where names may be given."""
    found = function_of(f"def {head}:\n    return 1\n", "f")
    assert found and taken_by(found) == takes


USES = "def {}(x):\n    return {}\n\n\ndef {}(x):\n    return {}\n\n\n"
OWN_HELPER = "def f(x):\n    def g(y): return y\n    return g(x)\n\ndef g(x):\n    return x\n"
IN_CLASS = """\
class Solution:
    def f(self, x):
        return self.g(x)

    def g(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("code", "entries"),
    [
        (USES.format("f", "g(x)", "g", "x"), ["f"]),
        (USES.format("to", "x", "back", "x") + "def main():\n    back(to(1))\n", ["to", "back"]),
        (USES.format("even", "odd(x)", "odd", "even(x)"), ["even", "odd"]),
        (IN_CLASS, ["f"]),
        ("def f(n):\n    return f(n - 1)\n", ["f"]),
        (USES.format("words", "x.split()", "split", "x"), ["words", "split"]),
        (USES.format("mean", "[total := sum(x)]", "total", "x"), ["mean", "total"]),
        (USES.format("apply", "[mean for mean in x]", "mean", "x"), ["apply", "mean"]),
        (OWN_HELPER, ["f", "g"]),
        ("x = 1", []),
    ],
)
def test_functions_that_others_use_are_not_meant(code, entries):
    """Nor those that show the others; where each uses another, all may be. Variables and methods of
    values that have the name of one are no use of it."""
    assert entries_of(code) == entries
    assert entry_of(code, "") == (entries or ["run_code"])[-1]


def test_programs_of_many_functions_are_read_soon():
    """Each is looked up in one reading."""
    code = "".join(f"def f{n}(x):\n    return x\n\n\n" for n in range(1500))
    began = time.process_time()
    assert entry_of(code, "") == "f1499"
    assert time.process_time() - began < 2
