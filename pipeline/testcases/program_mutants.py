"""A Python program → the same with one thing changed, to see whether its tests notice. Pure."""

import ast
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

from pipeline.analysis.python_syntax import ERRORS, Function, parse

MOST = 5
_LONGEST = 10_000  # characters of a program: each mutant is a copy of its tree
_SWAPPED: dict[type[ast.AST] | None, type[Any]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def mutants(program: str) -> list[str]:
    """At most MOST: first the one whose functions do nothing, which any test of them notices, then
    those with one operator exchanged. None of a program that does not parse, is nested deeply or
    very long."""
    tree = parse(program) if len(program) <= _LONGEST else None
    if tree is None:
        return []
    try:
        plain = ast.unparse(tree)
        found = [ast.unparse(each) for each in (_emptied(tree), *_exchanged(tree))]
    except ERRORS:
        return []
    return [text for text in found if text != plain][:MOST]


def _emptied(tree: ast.Module) -> ast.Module:
    """With functions that give None and do nothing."""
    copy = deepcopy(tree)
    for node in ast.walk(copy):
        if isinstance(node, Function):
            node.body = [ast.Return(ast.Constant(None))]
    return ast.fix_missing_locations(copy)


def _exchanged(tree: ast.Module) -> Iterator[ast.Module]:
    """One operator at a time."""
    places = [n for n, node in enumerate(ast.walk(tree)) if _operator(node) in _SWAPPED]
    for place in places[:MOST]:
        copy = deepcopy(tree)
        _exchange(next(islice(ast.walk(copy), place, None)))
        yield copy


def _operator(node: ast.AST) -> type[ast.AST] | None:
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        return type(node.op)
    return type(node.ops[0]) if isinstance(node, ast.Compare) else None


def _exchange(node: Any) -> None:
    new = _SWAPPED[_operator(node)]()
    if isinstance(node, ast.Compare):
        node.ops[0] = new
    else:
        node.op = new
