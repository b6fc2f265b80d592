"""Tests that do no more than call the program's functions with plain data and compare what comes
back. They can be told from their text, and compared where no code of the program runs. Pure.

`assert f(1) == 2`, with most comparisons and the sides exchanged; `result = f(1)` before it;
`pytest.approx`, `pytest.raises`, `parametrize`; unittest's usual assertions.
"""

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from pipeline.analysis.python_syntax import ERRORS, Function, parse
from pipeline.sandbox import ANY_VALUE, Case, Raises
from pipeline.testcases.literals import arguments_of, value_of
from pipeline.testcases.name_scope import MUTABLE, NameScope

MOST_CALLS = 200
_MOST_READ = 5_000  # nodes: some 0.2 s
Operator = Callable[[Any, Any], Any]

_OPERATORS: Mapping[type[ast.cmpop], Operator] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
_METHODS: Mapping[str, type[ast.cmpop]] = {
    "assertEqual": ast.Eq,
    "assertNotEqual": ast.NotEq,
    "assertIs": ast.Is,
    "assertIsNot": ast.IsNot,
    "assertIn": ast.In,
    "assertNotIn": ast.NotIn,
    "assertLess": ast.Lt,
    "assertLessEqual": ast.LtE,
    "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE,
}
_OF_ALL = ("pytestmark", "setUpModule")  # what changes every test of a file
_BASES = {"unittest.TestCase", "TestCase"}


class NotPlain(ValueError):
    """The test does something else."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a test says of a value. `equal`: that it is equal to plain data."""

    holds: Callable[[Any], Any]
    equal: bool = False


@dataclass(frozen=True, slots=True)
class AssertedCall:
    """A call that a test makes. `case` expects any value, or an exception."""

    case: Case
    claims: list[Claim] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlainTest:
    """A test by its name in the report, and its calls in order."""

    name: str
    calls: tuple[AssertedCall, ...]


def plain_tests(code: str, tests: str) -> list[PlainTest]:
    """Those of the tests that are plain, in order; `code` is the program."""
    program, tree = parse(code), parse(tests)
    if program is None or tree is None or any(word in tests for word in _OF_ALL):
        return []
    scope = NameScope.of(tree, program)
    found: list[PlainTest] = []
    left = _MOST_READ
    for name, node in dict(_tests(tree.body)).items():
        left -= _size(node)
        if left < 0:
            return []
        found += _read(name, node, scope)
    return found if sum(len(test.calls) for test in found) <= MOST_CALLS else []


def _size(node: Function) -> int:
    """How many nodes it takes to read a test, which is read once for each parameter set."""
    nodes = sum(1 for _ in ast.walk(node))
    values = [
        each.args[-1] for each in node.decorator_list if isinstance(each, ast.Call) and each.args
    ]
    return nodes * math.prod(max(1, len(getattr(each, "elts", ()))) for each in values)


def _tests(body: Sequence[ast.stmt]) -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, Function) and node.name.startswith("test"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not _is_set_up(node):
            methods = [each for each in node.body if isinstance(each, Function)]
            yield from ((f"{node.name}.{each.name}", each) for each in methods)


def _is_set_up(node: ast.ClassDef) -> bool:
    """Whether a class does more than hold tests."""
    methods = [each.name for each in node.body if isinstance(each, Function)]
    others = [name for name in methods if not name.startswith("test")]
    return bool(others or node.decorator_list or {*map(ast.unparse, node.bases)} - _BASES)


def _read(name: str, node: Function, scope: NameScope) -> list[PlainTest]:
    """The test, once for each of its parameter sets; none if it is not plain."""
    try:
        sets = [{**scope.constants, **each} for each in _parameter_sets(node)]
        read = [_Body(scope, each).read(node) for each in sets]
    except ERRORS:
        return []
    if len(read) == 1:
        return [PlainTest(name, read[0])]
    return [PlainTest(f"{name}[{number}]", calls) for number, calls in enumerate(read, 1)]


def _parameter_sets(node: Function) -> list[dict[str, Any]]:
    """In the order of the runner: what stands nearest to the test varies slowest."""
    axes = [_parameters(each) for each in reversed(node.decorator_list)]
    sets = [{k: v for part in parts for k, v in part.items()} for parts in product(*axes)]
    taken = {each.arg for each in node.args.args} - {"self"}
    if any(set(each) != taken for each in sets) or node.args.defaults or node.args.kwonlyargs:
        raise NotPlain("it takes what no parameter set gives")
    return sets


def _parameters(decorator: ast.expr) -> list[dict[str, Any]]:
    match decorator:
        case ast.Call(ast.Attribute() as mark, [names, values], []):
            if ast.unparse(mark) != "pytest.mark.parametrize":
                raise NotPlain("it is marked")
            listed = value_of(deepcopy(names))
            listed = [n.strip() for n in listed.split(",")] if isinstance(listed, str) else listed
            return [dict(_row(listed, value)) for value in value_of(deepcopy(values))]
    raise NotPlain("it is decorated")


def _row(names: Sequence[str], value: Any) -> Iterator[tuple[str, Any]]:
    single = len(names) == 1 and not (isinstance(value, tuple) and len(value) == 1)
    return zip(names, [value] if single else value, strict=True)


class _Body:
    """Reads a test's statements."""

    def __init__(self, scope: NameScope, names: Mapping[str, Any]) -> None:
        self._scope, self._names = scope, dict(names)
        self._results: dict[str, AssertedCall] = {}
        self._calls: list[AssertedCall] = []

    def read(self, node: Function) -> tuple[AssertedCall, ...]:
        """Raises ValueError where it does anything else."""
        for statement in node.body:
            self._read(deepcopy(statement))
        if not self._calls:
            raise NotPlain("it calls nothing")
        return tuple(self._calls)

    def _read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Assert(condition):
                self._claim(condition)
            case ast.Assign([ast.Name(name)], value):
                self._assign(name, value)
            case ast.Expr(ast.Call(ast.Attribute(ast.Name("self"), method), args, [])):
                self._method(method, args)
            case ast.With([ast.withitem(ast.Call(how, [error], []))], [ast.Expr(call)]):
                self._raises(ast.unparse(how), error, call)
            case _:
                raise NotPlain("it does something else")

    def _assign(self, name: str, value: ast.expr) -> None:
        result = self._result(value)
        self._names.pop(name, None)
        self._results.pop(name, None)
        if result:
            self._results[name] = result
        else:
            self._names[name] = value_of(value, self._names)

    def _claim(self, condition: ast.expr) -> None:
        match condition:
            case ast.Compare(left, [how], [right]):
                self._compare(type(how), left, right)
            case ast.UnaryOp(ast.Not(), operand):
                self._say(operand, Claim(operator.not_))
            case _:
                self._say(condition, Claim(operator.truth))

    def _method(self, method: str, args: list[ast.expr]) -> None:
        match method, args:
            case "assertTrue", [value]:
                self._say(value, Claim(operator.truth))
            case "assertFalse", [value]:
                self._say(value, Claim(operator.not_))
            case "assertIsNone", [value]:
                self._compare(ast.Is, value, ast.Constant(None))
            case _, [left, right] if method in _METHODS:
                self._compare(_METHODS[method], left, right)
            case _:
                raise NotPlain(f"{method} is not known")

    def _compare(self, how: type[ast.cmpop], left: ast.expr, right: ast.expr) -> None:
        called = self._result(left)
        compare, equal = _OPERATORS[how], how is ast.Eq
        if called:
            expected = self._expected(right)
            called.claims.append(Claim(lambda value: compare(value, expected), equal))
        else:
            given = self._expected(left)
            self._say(right, Claim(lambda value: compare(given, value), equal))

    def _expected(self, node: ast.expr) -> Any:
        match node:
            case ast.Call(ast.Attribute(ast.Name("pytest"), "approx"), [number], []):
                return _Approximately(value_of(number, self._names))
        return value_of(node, self._names)

    def _raises(self, how: str, error: ast.expr, call: ast.expr) -> None:
        if how not in ("pytest.raises", "self.assertRaises") or not isinstance(error, ast.Name):
            raise NotPlain("it is another block")
        if self._result(call, Raises(error.id)) is None:
            raise NotPlain("it calls nothing")

    def _say(self, node: ast.expr, claim: Claim) -> None:
        called = self._result(node)
        if called is None:
            raise NotPlain("it is about something else")
        called.claims.append(claim)

    def _result(self, node: ast.expr, expected: Any = ANY_VALUE) -> AssertedCall | None:
        """The call that gives this, if one of the program's functions does."""
        if isinstance(node, ast.Await):
            node = node.value
        if isinstance(node, ast.Name):
            return self._results.get(node.id)
        if not isinstance(node, ast.Call):
            return None
        function = self._scope.function(node.func)
        if function is None:
            return None
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        self._calls.append(AssertedCall(Case(arguments_of(node, self._names), expected, function)))
        for name in [n for n in used if isinstance(self._names.get(n), MUTABLE)]:
            del self._names[name]  # the call may have changed it
        return self._calls[-1]


class _Approximately:
    """Equal to a number within a millionth, as `pytest.approx`."""

    def __init__(self, expected: Any) -> None:
        if not isinstance(expected, int | float):
            raise NotPlain("no number")
        self._close = partial(math.isclose, expected, rel_tol=1e-6, abs_tol=1e-12)

    def __eq__(self, actual: object) -> bool:
        return isinstance(actual, int | float) and self._close(actual)

    __hash__ = None  # type: ignore[assignment]
