"""Whether a test that a model wrote fits the function's signature: small models write `f(())` for
a call with nothing, or a number where a list is taken. Pure."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from pipeline.analysis.python_syntax import Function, top_level
from pipeline.sandbox.testcase import Case, Raises
from pipeline.testcases.entry_point import taken_by
from pipeline.testcases.literals import matching, parse_expression

_DEPTH = 4  # lists of lists of lists
_MOST_LOOKED_AT = 20  # values of a list
_RESULT = re.compile(r"\s*(?:->[^:\n]{1,200})?:")
_PLAIN: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "bool": bool,
    "float": (int, float),
    "list": list,
    "tuple": tuple,
    "set": (set, frozenset),
    "frozenset": (set, frozenset),
    "dict": dict,
    "mapping": dict,
}
_OF_ITEMS = ("list", "set", "frozenset", "sequence", "iterable", "collection")


def stub_of(text: str, name: str) -> ast.FunctionDef | None:
    """The head of the function, as far as the text has it; None where it has none that parses."""
    head = re.search(rf"^[ \t]*(def {re.escape(name)}\()", text, re.MULTILINE)
    end = matching(text, head.end() - 1) if head else None
    result = _RESULT.match(text, end) if end else None
    source = f"{text[head.start(1) : result.end()]} ..." if head and result else ""
    stub = next(iter(top_level(source)), None)
    return stub if isinstance(stub, ast.FunctionDef) else None


def fits_parameters(case: Case, function: Function) -> bool:
    """Whether the call can be made: as many arguments as it takes, of the kinds that it names.
    Unknown kinds take anything; calls with keywords and sessions are not looked at."""
    given = case.arguments
    if given.kwargs or case.session or case.stdin is not None:
        return True
    least, most = taken_by(function)
    names = [*function.args.posonlyargs, *function.args.args]
    kinds = [each.annotation for each in names if each.arg not in ("self", "cls")]
    if len(given.args) < least or (most is not None and len(given.args) > most):
        return False
    return all(is_of(kind, value) for kind, value in zip(kinds, given.args, strict=False))


def fits(case: Case, function: Function) -> bool:
    """Whether call and result are of the kinds that the function's head names."""
    if case.session or case.truth or isinstance(case.expected, Raises):
        return fits_parameters(case, function)
    return fits_parameters(case, function) and is_of(function.returns, case.expected)


def is_of(kind: ast.expr | None, value: Any, depth: int = 0) -> bool:
    """Whether the value may be of the annotated kind; of one that is not known it may be."""
    match kind:
        case ast.Constant(None):
            return value is None
        case ast.Constant(str(quoted)) if depth < _DEPTH:
            return is_of(parse_expression(quoted), value, depth + 1)
        case ast.Name(name) | ast.Attribute(attr=name):
            return _is_plain(name.lower(), value)
        case ast.Subscript(ast.Name(name) | ast.Attribute(attr=name), inner) if depth < _DEPTH:
            kinds = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _is_generic(name.lower(), kinds, value, depth + 1)
        case ast.BinOp(left, ast.BitOr(), right) if depth < _DEPTH:
            return is_of(left, value, depth + 1) or is_of(right, value, depth + 1)
    return True


def _is_plain(name: str, value: Any) -> bool:
    """2.0 is a whole number, as results are compared; True is none."""
    if name == "int":
        return type(value) is int or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _PLAIN.get(name, object))


def _is_generic(name: str, kinds: Sequence[ast.expr], value: Any, depth: int) -> bool:
    if not kinds:  # `tuple[()]`: the empty one
        return name != "tuple" or value == ()
    if name == "optional":
        return value is None or is_of(kinds[0], value, depth)
    if name == "union":
        return any(is_of(kind, value, depth) for kind in kinds)
    if not _is_plain(name, value):
        return False
    if name in _OF_ITEMS and isinstance(value, list | tuple | set | frozenset):
        return all(is_of(kinds[0], each, depth) for each in [*value][:_MOST_LOOKED_AT])
    if name == "tuple" and ast.unparse(kinds[-1]) != "...":
        same = len(kinds) == len(value)
        return same and all(is_of(k, v, depth) for k, v in zip(kinds, value, strict=True))
    return True
