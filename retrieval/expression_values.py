"""Type inference: what expressions of a program are, as far as the indexed API tells."""

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.analysis.python_syntax import parse_expression
from retrieval.api_names import Api
from retrieval.scopes import Binding, Program, Scope
from retrieval.sources.chunk import Symbol

_DEPTH = 40  # of expressions that stand for expressions
_MANY = 40  # bindings of a name, or returns of a function; of more nothing is said
_EFFORT = 100_000  # expressions looked at for one program; code can be written that needs 2^40
_NEW = frozenset({"Optional", "Annotated", "Final", "ClassVar"})


@dataclass(frozen=True, slots=True)
class Value:
    """A symbol itself or (`made`) an object of a class; or a class or function of the program's
    own, `own`. `sure`: it was made by calling just this class."""

    symbol: Symbol | None = None
    own: ast.ClassDef | ast.FunctionDef | None = None
    made: bool = False
    sure: bool = True


class Values:
    """None stands for whatever is not known, or not always the same."""

    def __init__(self, program: Program, api: Api) -> None:
        self._program = program
        self._api = api
        self._busy: list[tuple[object, object]] = []
        self._given: dict[ast.FunctionDef, list[ast.AST]] = {}
        self._effort = _EFFORT

    def of(self, node: ast.AST | None, scope: Scope | None) -> Value | None:
        """What an expression stands for in a scope."""
        if node is None or scope is None:
            return None
        key = (node, scope)
        if key in self._busy or len(self._busy) > _DEPTH or self._effort <= 0:
            return None
        self._effort -= 1
        self._busy.append(key)
        try:
            return self._of(node, scope)
        finally:
            self._busy.pop()

    def _of(self, node: ast.AST, scope: Scope) -> Value | None:
        match node:
            case ast.Name():
                return None if node.id in self._program.narrowed else self._named(node.id, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Call():
                return self._called(node, scope)
            case ast.NamedExpr() | ast.Await():
                return self.of(node.value, scope)
            case ast.IfExp():
                return _same(self.of(each, scope) for each in (node.body, node.orelse))
            case ast.BoolOp():
                return _same(self.of(each, scope) for each in node.values)
        return None

    def bases(self, node: ast.ClassDef) -> list[Value | None]:
        """What the bases of a class of the program's own are."""
        around = self._program.scopes[node].above
        return [self.of(base, around) for base in node.bases]

    def _named(self, name: str, scope: Scope) -> Value | None:
        bindings = scope.look_up(name)
        if bindings:
            return self._bound(bindings)
        found = [self._api.find(f"{module}.{name}") for module in scope.all_stars()]
        symbols = [each for each in found if each is not None]
        return Value(symbols[0]) if len(symbols) == 1 else None

    def _bound(self, bindings: Sequence[Binding]) -> Value | None:
        """What all of the bindings give. (`x = None` before the rest is none of them.)"""
        if len(bindings) > _MANY:
            return None
        return _same(self._binding(each) for each in bindings if not _is_none(each.node))

    def _binding(self, binding: Binding) -> Value | None:
        node, scope = binding.node, binding.scope
        match binding.how:
            case "module" | "member":
                symbol = self._api.find(binding.text)
                return Value(symbol) if symbol else None
            case "value":
                return self.of(node, scope)
            case "annotation":
                return self._annotated(node, scope)
            case "entered" if isinstance(node, ast.Call):
                value = self.of(node, scope)  # a class gives itself; functions may give anything
                return value if value is not None and value.sure else None
            case "item" if isinstance(node, ast.Tuple | ast.List):
                return _same(self.of(each, scope) for each in node.elts[:_MANY])
            case "caught":
                return _object(self.of(node, scope), sure=False)
            case "self" if isinstance(node, ast.ClassDef):
                return Value(own=node, made=True)
            case "class" | "function" if isinstance(node, ast.ClassDef | ast.FunctionDef):
                return None if node.decorator_list else Value(own=node)
        return None

    def _annotated(self, node: ast.AST | None, scope: Scope | None) -> Value | None:
        """An object as an annotation says. `X | None`, `Optional[X]` and `"X"` are X."""
        match node:
            case ast.Constant(value=str() as text):
                return self._quoted(text, scope)
            case ast.BinOp(op=ast.BitOr()):
                sides = [each for each in (node.left, node.right) if not _is_none(each)]
                return self._annotated(sides[0], scope) if len(sides) == 1 else None
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)):
                inside = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else node.slice
                return self._annotated(inside, scope) if name in _NEW else None
            case ast.Name() | ast.Attribute():
                return _object(self.of(node, scope), sure=False)
        return None

    def _quoted(self, text: str, scope: Scope | None) -> Value | None:
        try:
            node = parse_expression(text)
        except ValueError:
            return None
        return None if isinstance(node, ast.Constant) else self._annotated(node, scope)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Value | None:
        owner = self.of(node.value, scope)
        if owner is None or node.attr in self._program.narrowed:
            return None
        if owner.own is not None:
            return self._own_attribute(owner, node.attr)
        assert owner.symbol is not None
        return self._member(owner.symbol, node.attr, owner.made)

    def _member(self, owner: Symbol, name: str, made: bool) -> Value | None:
        found = self._api.member(owner, name)
        if found is None:
            return None
        if found.kind == "attribute":
            kind = self._api.result(found, owner) if made or owner.kind == "module" else None
            return Value(kind, made=True, sure=False) if kind else None
        return Value(found)

    def _own_attribute(self, owner: Value, name: str) -> Value | None:
        """Of an object of the program's own class: what its methods set, else what it inherits."""
        node = owner.own
        if not isinstance(node, ast.ClassDef) or name in self._program.stored:
            return None
        bindings = [
            *self._program.own[node].get(name, ()),
            *self._program.scopes[node].bindings.get(name, ()),
        ]
        if bindings:
            return self._bound(bindings)
        for base in self.bases(node):
            if base is None:
                return None
            found = (
                self._own_attribute(replace(base, made=True), name)
                if base.symbol is None
                else self._member(base.symbol, name, True)
            )
            if found is not None:
                return found
        return None

    def _called(self, node: ast.Call, scope: Scope) -> Value | None:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return self._super(scope)
        called = self.of(node.func, scope)
        if called is None or called.made:
            return None
        if isinstance(called.own, ast.FunctionDef):
            return self._returned(called.own)
        if called.own is not None:
            return replace(called, made=True)
        assert called.symbol is not None
        if called.symbol.kind == "class":
            return Value(called.symbol, made=True)
        kind = self._api.result(called.symbol, None) if called.symbol.kind != "module" else None
        return Value(kind, made=True, sure=False) if kind else None

    def _super(self, scope: Scope) -> Value | None:
        classes = (each.node for each in scope.outwards() if isinstance(each.node, ast.ClassDef))
        around = next(classes, None)
        bases = self.bases(around) if around is not None else []
        return _object(bases[0], sure=True) if len(bases) == 1 else None

    def _returned(self, function: ast.FunctionDef) -> Value | None:
        """What a function of the program's own gives, where it always is the same."""
        scope = self._program.scopes[function]
        given = self._given.get(function)
        if given is None:
            given = self._given[function] = list(_returns(function))
        if len(given) > _MANY or not all(isinstance(each, ast.Return) for each in given):
            return None
        found = _same(self.of(getattr(each, "value", None), scope) for each in given)
        return found or self._annotated(function.returns, scope.above)


def _returns(function: ast.FunctionDef) -> Iterable[ast.AST]:
    """A function's own `return` and `yield`."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _same(values: Iterable[Value | None]) -> Value | None:
    """The one value that all are; sure if all are."""
    same: Value | None = None
    for each in values:
        if each is None:
            return None
        if same is not None and replace(each, sure=same.sure) != same:
            return None
        same = replace(each, sure=each.sure and (same is None or same.sure))
    return same


def _object(value: Value | None, *, sure: bool) -> Value | None:
    """An object of a class."""
    if value is None or value.made:
        return None
    indexed = value.symbol is not None and value.symbol.kind == "class"
    is_class = indexed or isinstance(value.own, ast.ClassDef)
    return replace(value, made=True, sure=sure) if is_class else None


def _is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
