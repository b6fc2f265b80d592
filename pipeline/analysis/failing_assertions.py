"""Assertions of Python tests that are known to fail, made comments of. Pure."""

import ast
from collections.abc import Mapping, Sequence

from pipeline.analysis.python_syntax import Function, first_line, parse

_LEAST = 2  # assertions that are left, and no fewer than go
_SHOWN = 200  # characters of an error
_NOTE = "# Left out, as it fails"


def without_failing(text: str, failing: Mapping[int, str]) -> str:
    """The tests with the assertions in these lines as comments, below the error of each; a test
    that has no other becomes one as a whole, and so does a loop or a class that would be left
    empty. "" where one is no statement of a test by itself, or too few are left."""
    tree = parse(text)
    nodes = [*ast.walk(tree)] if tree else []
    statements = [node for node in nodes if isinstance(node, ast.stmt)]
    assertions = {node for node in statements if _is_assertion(node)}
    if len(failing) > len(assertions):
        return ""
    gone: dict[ast.stmt, str] = {}
    for line, error in failing.items():
        node = _to_leave_out(statements, line)
        if node is None:
            return ""
        gone[node] = error
    for node in reversed(statements):
        body = getattr(node, "body", [])
        if body and all(each in gone for each in body):
            gone[node] = gone[body[0]]
    within = {each for node in gone for each in ast.walk(node) if each is not node}
    went = len(assertions & {*gone, *within})
    if len(assertions) - went < max(_LEAST, went):
        return ""
    left = _without(text, {node: error for node, error in gone.items() if node not in within})
    return left if parse(left) else ""


def _to_leave_out(statements: Sequence[ast.stmt], line: int) -> ast.stmt | None:
    """What has to go for the assertion in this line to go; None where it is in no test, as in a
    function that several tests call."""
    around = [each for each in statements if each.lineno <= line <= (each.end_lineno or 0)]
    test = next((each for each in around if isinstance(each, Function)), None)
    if test is None or not test.name.startswith("test") or not _is_assertion(around[-1]):
        return None
    return around[-1] if sum(map(_is_assertion, ast.walk(test))) > 1 else test


def _is_assertion(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name))):
            return name.startswith("assert")
    return False


def _without(text: str, gone: Mapping[ast.stmt, str]) -> str:
    """The text with these statements as comments; "" where one shares a line with another."""
    lines = text.split("\n")
    for node in sorted(gone, key=first_line, reverse=True):
        first, last = first_line(node) - 1, node.end_lineno or 0
        before = lines[first].encode()[: node.col_offset]
        behind = lines[last - 1].encode()[node.end_col_offset :].strip()
        if before.strip() or not (behind == b"" or behind.startswith(b"#")):
            return ""
        lines[first:last] = _commented(lines[first:last], gone[node])
    return "\n".join(lines)


def _commented(lines: Sequence[str], error: str) -> list[str]:
    blank = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    came = "".join(letter if letter.isprintable() else " " for letter in error)
    said = f"{blank}{_NOTE} ({' '.join(came.split())[:_SHOWN]}):"
    return [said, *(f"{blank}# {line.removeprefix(blank)}".rstrip() for line in lines)]
