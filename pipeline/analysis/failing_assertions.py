"""Assertions of Python tests that are known to fail, made comments of. Pure."""

import ast
from collections.abc import Mapping, Sequence

from pipeline.analysis.python_syntax import Function, first_line, parse

_LEAST = 2  # assertions that are left, and no fewer than go
_SHOWN = 200  # characters of an error
_NOTE = "# Left out, as it fails"

Place = tuple[int, int]
"""A line, and the number of the row that a parametrized test was called with; 0 of other tests."""
_Node = ast.stmt | ast.expr
_Rows = Mapping[ast.stmt, Sequence[ast.expr]]


def without_failing(text: str, failing: Mapping[Place, str]) -> str:
    """The tests with the assertions in these places as comments, below the error of each; of a
    parametrized test the row. A test that has no other becomes one as a whole, and so does a loop
    or a class that would be left empty. "" where one is no statement of a test by itself, or too
    few are left."""
    tree = parse(text)
    statements = [each for each in ast.walk(tree) if isinstance(each, ast.stmt)] if tree else []
    asserted: set[ast.AST] = {each for each in statements if _is_assertion(each)}
    rows = {each: found for each in statements if (found := _rows(each))}
    asserted.update(*rows.values())
    if len(failing) > len(asserted):
        return ""
    gone: dict[_Node, str] = {}
    for place, error in failing.items():
        node = _to_leave_out(statements, rows, *place)
        if node is None:
            return ""
        gone[node] = error
    _add_emptied(statements, rows, gone)
    within = {each for node in gone for each in ast.walk(node) if each is not node}
    went = len(asserted & {*gone, *within})
    if len(asserted) - went < max(_LEAST, went):
        return ""
    left = _without(text, {node: error for node, error in gone.items() if node not in within})
    return left if parse(left) else ""


def _to_leave_out(statements: Sequence[ast.stmt], rows: _Rows, line: int, row: int) -> _Node | None:
    """What has to go for the assertion in this place to go; None where it is in no test, as in a
    function that several tests call, or the row is not known."""
    around = [each for each in statements if each.lineno <= line <= (each.end_lineno or 0)]
    test = next((each for each in around if isinstance(each, Function)), None)
    if test is None or not test.name.startswith("test") or not _is_assertion(around[-1]):
        return None
    if row:
        return next(iter(rows.get(test, ())[row - 1 : row]), None)
    return around[-1] if sum(map(_is_assertion, ast.walk(test))) > 1 else test


def _rows(node: ast.stmt) -> Sequence[ast.expr]:
    """Those of a test that is parametrized once, where each stands there and none is marked."""
    calls = [each for each in getattr(node, "decorator_list", []) if isinstance(each, ast.Call)]
    match [each for each in calls if getattr(each.func, "attr", "") == "parametrize"]:
        case [ast.Call(args=[_, ast.List(rows) | ast.Tuple(rows), *_])]:
            are_plain = not any(isinstance(each, ast.Call) and each.keywords for each in rows)
            return rows if are_plain else ()
    return ()


def _add_emptied(statements: Sequence[ast.stmt], rows: _Rows, gone: dict[_Node, str]) -> None:
    """What has nothing but what goes, from the innermost on: it goes too."""
    for node in reversed(statements):
        for parts in (getattr(node, "body", []), rows.get(node, ())):
            if parts and all(each in gone for each in parts):
                gone[node] = gone[parts[0]]


def _is_assertion(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name))):
            return name.startswith("assert")
    return False


def _without(text: str, gone: Mapping[_Node, str]) -> str:
    """The text with these as comments; "" where one shares a line with something else."""
    lines = text.split("\n")
    places = {node: first_line(node) - 1 for node in gone}
    for node in sorted(gone, key=places.__getitem__, reverse=True):
        first, last = places[node], node.end_lineno or 0
        before = lines[first].encode()[: node.col_offset]
        behind = lines[last - 1].encode()[node.end_col_offset :].removeprefix(b",").strip()
        if before.strip() or not (behind == b"" or behind.startswith(b"#")):
            return ""
        lines[first:last] = _commented(lines[first:last], gone[node])
    return "\n".join(lines)


def _commented(lines: Sequence[str], error: str) -> list[str]:
    blank = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    came = "".join(letter if letter.isprintable() else " " for letter in error)
    said = f"{blank}{_NOTE} ({' '.join(came.split())[:_SHOWN]}):"
    return [said, *(f"{blank}# {line.removeprefix(blank)}".rstrip() for line in lines)]
