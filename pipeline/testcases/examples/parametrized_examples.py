"""Examples as rows of values: `@pytest.mark.parametrize("n, want", [(5, 120), (0, 1)])` above a
test that asserts, and `for n, want in [(5, 120), (0, 1)]:`. Pure."""

import ast
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Case
from pipeline.testcases.examples.assert_examples import read_assert
from pipeline.testcases.examples.example import Found
from pipeline.testcases.literals import matching, parenthesised, parse_expression, value_of

_MOST, _MOST_ROWS = 20, 50
_DECORATOR = re.compile(r"^[ \t>]*@(?:pytest\.)?mark\.parametrize(?=\()", re.MULTILINE)
_TEST = re.compile(r"\s{0,20}(?:async[ \t]+)?def[ \t]+test\w*\([\w, :]{0,200}\)[^:\n]{0,20}:")
_LOOP = re.compile(
    r"^[ \t>]*for[ \t]+(?P<names>\w+(?:[ \t]*,[ \t]*\w+){1,7})[ \t]+in[ \t]+(?=[\[(])", re.MULTILINE
)
_ASSERT = re.compile(r"[ \t]{0,20}(?:\n[ \t>]{0,40}){1,2}assert[ \t]+")
_COLON = re.compile(r"[ \t]*:")
# The names, the rows, and where the condition begins.
_Table = tuple[str, ast.expr, int]


def find(text: str) -> Found:
    """One example for each row, where the first statement below is an assertion."""
    found = Found()
    for names, rows, start in (*_decorated(text), *_looped(text)):
        read = [*_cases(text, names, rows, start)]
        found.examples += read
        found.lines |= {text.count("\n", 0, start)} if read else set()
    return found


def _decorated(text: str) -> Iterator[_Table]:
    for head in islice(_DECORATOR.finditer(text), _MOST):
        said = parenthesised(text, head.end())
        test = _TEST.match(text, said[1]) if said else None
        check = _ASSERT.match(text, test.end()) if test else None
        match said:
            case ast.Call(_, [ast.Constant(str(names)), rows]), _ if check:
                yield names, rows, check.end()


def _looped(text: str) -> Iterator[_Table]:
    for head in islice(_LOOP.finditer(text), _MOST):
        end = matching(text, head.end())
        colon = _COLON.match(text, end) if end else None
        check = _ASSERT.match(text, colon.end()) if colon else None
        rows = parse_expression(text[head.end() : end]) if check else None
        if check and rows:
            yield head["names"], rows, check.end()


def _cases(text: str, names: str, rows: ast.expr, start: int) -> Iterator[Case]:
    """None of a row that is no literal (`pytest.param(…)`), or where more is compared with."""
    if not isinstance(rows, ast.List | ast.Tuple):
        return
    for row in rows.elts[:_MOST_ROWS]:
        known = _named(names, row)
        if known and (case := read_assert(text, start, known)):
            yield case


def _named(names: str, row: ast.expr) -> dict[str, Any]:
    written = [name.strip() for name in names.split(",")]
    try:
        value = value_of(row)
    except ValueError:
        return {}
    values = [value] if len(written) == 1 else value
    fits = isinstance(values, list | tuple) and len(values) == len(written)
    return dict(zip(written, values, strict=True)) if fits else {}
