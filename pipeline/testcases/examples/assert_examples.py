"""Examples in the form of `assert` statements."""

import ast
import re
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.literals import (
    MAX_LITERAL,
    arguments_of,
    literal_end,
    matching,
    parse_expression,
    value_of,
)

_ASSERT = re.compile(r"^[ \t>]*(?:[-*+] |\d+[.)] )?[`*]{0,3}assert\s+(?!that\b)", re.MULTILINE)
_MAX_ASSERTS = 1000


def find(text: str) -> Found:
    """`assert f(1) == 2`, `assert f(1) is None`, `assert f(1)`, `assert not f(1)`, and with the
    sides exchanged. An assertion about anything else is noted."""
    found = Found()
    for start in islice(_ASSERT.finditer(text), _MAX_ASSERTS):
        condition = parse_expression(_statement(text, start.end()))
        example = _read(condition) if condition is not None else None
        if example:
            found.examples.append(example)
        else:
            line = text.count("\n", 0, start.end())
            found.unread[line] = "an assert could not be read as an example"
    return found


def read_assert(text: str, start: int, names: dict[str, Any]) -> Case | None:
    """The assertion whose condition begins at `start`, with these values for its variables."""
    condition = parse_expression(_statement(text, start))
    return _read(condition, names) if condition is not None else None


def _statement(text: str, start: int) -> str:
    """The condition: to the end of the line that no bracket keeps open, without its message."""
    at, last = start, start
    while at < len(text) and at - start < MAX_LITERAL:
        mark = text[at]
        if mark in "\n`#;" or (mark == "," and at > start):
            break
        end = matching(text, at) if mark in "([{" else None
        if mark in "'\"":
            end = literal_end(text, at)
        at = last = end or at + 1
    return text[start:last].strip()


def _read(condition: ast.expr, names: dict[str, Any] | None = None) -> Case | None:
    try:
        match condition:
            case ast.Compare(ast.Call(ast.Name()) as call, [ast.Eq() | ast.Is()], [value]):
                return call_case(call, value_of(value, names), names)
            case ast.Compare(value, [ast.Eq() | ast.Is()], [call]):
                return call_case(call, value_of(value, names), names)
            case ast.Call():
                return _truth(condition, True, names)
            case ast.UnaryOp(ast.Not(), operand):
                return _truth(operand, False, names)
    except ValueError:
        pass
    return None


def _truth(call: ast.expr, expected: bool, names: dict[str, Any] | None) -> Case | None:
    """None where an object is made: how true it is, the sandbox alone can say."""
    example = call_case(call, expected, names, truth=True)
    made = example is not None and example.function[:1].isupper()
    return None if made else example


def call_case(
    call: ast.expr, expected: Any, names: dict[str, Any] | None = None, *, truth: bool = False
) -> Case | None:
    """None for what is no call of a function. Raises ValueError for what is no literal."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    return Case(arguments_of(call, names), expected, call.func.id, truth=truth)
