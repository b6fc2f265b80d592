"""Which function of a program is meant, and how it is called."""

import pytest

from pipeline.testcases.entry_point import function_of, taken_by


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
