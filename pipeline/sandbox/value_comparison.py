"""Whether a value is the one that a test expects. On plain data alone: no code of the program that
is tested has a say in it. Pure."""

import math
from typing import Any

from pipeline.sandbox.sandbox_scripts.value_json import Foreign

RELATIVE, ABSOLUTE = 1e-6, 1e-9  # of floats
SHOWN = 300  # characters of a value in a prompt


def same(actual: Any, expected: Any) -> bool:
    """Equality as Python has it, but stricter on booleans (True is not 1) and looser on floats:
    equal within a millionth, or 10⁻⁹ near zero, and NaN is NaN; an array is a list of its items. In
    sets and among the keys of a dict floats are equal only when they are exactly so."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, float) or isinstance(expected, float):
        return _close(actual, expected)
    if isinstance(actual, Foreign) and isinstance(actual.held, list):
        return isinstance(expected, list | tuple) and same(actual.held, in_lists(expected))
    if isinstance(expected, list | tuple):
        return (
            type(actual) is type(expected)
            and len(actual) == len(expected)
            and all(map(same, actual, expected))
        )
    if isinstance(expected, dict):
        return (
            isinstance(actual, dict)
            and actual.keys() == expected.keys()
            and all(same(actual[key], value) for key, value in expected.items())
        )
    return bool(actual == expected)


def rounded(value: Any, digits: int) -> Any:
    """The value with so many digits in its fractions."""
    if isinstance(value, list | tuple):
        return type(value)(rounded(each, digits) for each in value)
    return round(value, digits) if isinstance(value, float) else value


def in_lists(value: Any) -> Any:
    """The value with its tuples as lists, those inside of others too."""
    return [*map(in_lists, value)] if isinstance(value, list | tuple) else value


def in_one_order(value: Any) -> Any:
    """The value with its lists sorted, those inside of others too."""
    if isinstance(value, list | tuple):
        return type(value)(sorted(map(in_one_order, value), key=written))
    return value


def _close(actual: Any, expected: Any) -> bool:
    if not isinstance(actual, int | float) or not isinstance(expected, int | float):
        return False
    try:
        if math.isnan(actual) or math.isnan(expected):
            return math.isnan(actual) and math.isnan(expected)
        return math.isclose(actual, expected, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    except OverflowError:  # a whole number beyond all floats
        return False


def written(value: Any) -> str:
    """A value as Python writes it, for people and models."""
    try:
        return repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a value with a huge number"


def shown(value: str) -> str:
    """A value for a prompt or a message, cut in its middle where it is long."""
    if len(value) <= SHOWN:
        return value
    half = SHOWN // 2
    return f"{value[:half]} … {value[-half:]}"


def same_text(actual: str, expected: str) -> bool:
    """Whether a program printed what it should: blanks at the ends of lines and empty lines at the
    end do not count."""
    return without_blanks(actual) == without_blanks(expected)


def without_blanks(text: str) -> str:
    """The text without blanks at the ends of lines and empty lines at the end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n")
