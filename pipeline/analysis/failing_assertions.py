"""Assertions of Python tests that are known to fail, made comments of. Pure."""

import ast
from collections.abc import Iterator, Mapping

from pipeline.analysis.python_syntax import Function, first_line, parse

_LEAST = 2  # assertions that are left, and no fewer than go
_SHOWN = 200  # characters of what came
_NOTE = "# Left out, as it fails"


def without_failing(text: str, failing: Mapping[int, str]) -> str:
    """The tests without the assertions in these lines, of which it is said what came; a test that
    has no other goes as a whole. "" where one is no statement by itself, or too few are left."""
    tree = parse(text)
    gone: dict[int, tuple[ast.stmt, str]] = {}
    kept = sum(map(_is_assertion, ast.walk(tree))) if tree else 0
    went = 0
    for line, error in failing.items():
        node = next(iter(_in_line(tree, line)), None) if tree else None
        if node is None:
            return ""
        went += sum(map(_is_assertion, ast.walk(node)))
        gone[first_line(node)] = (node, error)
    if kept - went < max(_LEAST, went):
        return ""
    lines = text.split("\n")
    for first in sorted(gone, reverse=True):
        node, error = gone[first]
        lines[first - 1 : node.end_lineno] = _commented(lines[first - 1 : node.end_lineno], error)
    return "\n".join(lines)


def _in_line(tree: ast.Module, line: int) -> Iterator[ast.stmt]:
    """What has to go for the assertion in this line to go."""
    for test in ast.walk(tree):
        if not isinstance(test, Function) or not _has(test, line):
            continue
        own = [node for node in ast.walk(test) if _is_assertion(node)]
        blocks = (getattr(node, "body", None) for node in ast.walk(test))
        blocks_of_several = [each for each in blocks if isinstance(each, list) and len(each) > 1]
        for node in own:
            if isinstance(node, ast.stmt) and _has(node, line):
                stands_with_others = any(node in block for block in blocks_of_several)
                yield node if len(own) > 1 and stands_with_others else test


def _has(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _is_assertion(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), name))):
            return name.startswith("assert")
    return False


def _commented(lines: list[str], error: str) -> list[str]:
    blank = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    said = f"{blank}{_NOTE} ({' '.join(error.split())[:_SHOWN]}):"
    return [said, *(f"{blank}# {line.removeprefix(blank)}".rstrip() for line in lines)]
