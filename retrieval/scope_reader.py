"""Building scopes and name uses from a program's syntax tree. Pure."""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import dropwhile

from pipeline.analysis.python_syntax import Function
from retrieval.scopes import Binding, How, Program, Scope, Use

_ANY = frozenset({"ImportError", "AttributeError", "TypeError"})
_BROAD = frozenset({"Exception", "BaseException"})
_TESTS = frozenset({"hasattr", "getattr", "setattr", "delattr"})
_NARROWS = frozenset({"isinstance", "issubclass"})
_UNBOUND = frozenset({"staticmethod", "classmethod"})

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def read_program(tree: ast.Module) -> Program:
    reader = _Reader()
    scope = Scope(node=tree)
    reader.program.scopes[tree] = scope
    reader.visit_all(tree.body, scope)
    return reader.program


class _Reader:
    def __init__(self) -> None:
        self.program = Program()
        self._guarded: frozenset[str] = frozenset()

    def visit_all(self, nodes: Iterable[ast.AST | None], scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, scope)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, scope)
            case ast.Lambda():
                inner = self._inner(node, scope)
                self._parameters(node.args, scope, inner)
                self.visit(node.body, inner)
            case ast.ClassDef():
                self._class(node, scope)
            case ast.Global() | ast.Nonlocal():
                scope.elsewhere.update(node.names)
            case ast.If() | ast.IfExp():
                self._if(node, scope)
            case ast.Try() | ast.TryStar():
                self._try(node, scope)
            case ast.With() | ast.AsyncWith():
                self._with(node, scope)
            case ast.Match():
                self._match(node, scope)
            case _ if isinstance(node, _COMPREHENSIONS):
                self._comprehension(node, scope)
            case _:
                self._bindings(node, scope)
                self._uses(node, scope)
                self.visit_all(ast.iter_child_nodes(node), scope)

    def _bindings(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.Assign():
                for target in node.targets:
                    self._bind(target, "value", node.value, scope)
            case ast.AnnAssign() if node.value is not None:
                self._bind(node.target, "value", node.value, scope)
            case ast.AnnAssign():
                self._bind(node.target, "annotation", node.annotation, scope)
            case ast.NamedExpr():  # bound around the comprehensions that it stands in (PEP 572)
                holder = next(dropwhile(_is_comprehension, scope.outwards()))
                holder.bind(node.target.id, Binding("value", node.value, scope))
            case ast.AugAssign():
                self._bind(node.target, "unknown", None, scope)
            case ast.For() | ast.AsyncFor():
                how: How = "item" if isinstance(node, ast.For) else "unknown"
                self._bind(node.target, how, node.iter, scope)
            case ast.Delete():
                for target in node.targets:
                    self._bind(target, "unknown", None, scope)

    def _bind(self, target: ast.expr, how: How, node: ast.expr | None, scope: Scope) -> None:
        match target:
            case ast.Name():
                scope.bind(target.id, Binding(how, node, scope))
            case ast.Tuple() | ast.List():
                values = _items(node) if how == "value" else None
                same = values is not None and len(values) == len(target.elts)
                for number, each in enumerate(target.elts):
                    value = values[number] if values is not None and same else None
                    self._bind(each, "value" if value else "unknown", value, scope)
            case ast.Starred():
                self._bind(target.value, "unknown", None, scope)
            case ast.Attribute():
                self._store(target, Binding(how, node, scope), scope)

    def _store(self, target: ast.Attribute, binding: Binding, scope: Scope) -> None:
        owner = target.value
        found = scope.look_up(owner.id) if isinstance(owner, ast.Name) else []
        if len(found) == 1 and found[0].how == "self" and isinstance(found[0].node, ast.ClassDef):
            self.program.own[found[0].node].setdefault(target.attr, []).append(binding)
        else:
            self.program.stored.add(target.attr)

    def _uses(self, node: ast.AST, scope: Scope) -> None:
        if isinstance(node, ast.Attribute | ast.Call):
            self.program.uses.append(Use(node, scope, self._guarded))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            self._asked(node.func.id, node.args)

    def _asked(self, function: str, arguments: Sequence[ast.expr]) -> None:
        """What the program tests before it takes it."""
        name = arguments[1] if len(arguments) > 1 else None
        if function in _TESTS and isinstance(name, ast.Constant):
            self.program.asked.add(str(name.value))
        elif function in _NARROWS | _TESTS:
            self._narrow(arguments[0])

    def _narrow(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self.program.narrowed.add(node.id)
        elif isinstance(node, ast.Attribute):
            self.program.narrowed.add(node.attr)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        self.program.uses.append(Use(node, scope, self._guarded))
        for alias in node.names:
            if isinstance(node, ast.Import):
                top = alias.name.partition(".")[0]
                self.program.imported.add(alias.name)
                module = alias.name if alias.asname else top
                scope.bind(alias.asname or top, Binding("module", text=module))
            elif node.level or not node.module:
                scope.bind(alias.asname or alias.name, Binding("unknown"))
            elif alias.name == "*":
                scope.stars.append(node.module)
            else:
                self.program.imported.update((node.module, f"{node.module}.{alias.name}"))
                what = Binding("member", text=f"{node.module}.{alias.name}")
                scope.bind(alias.asname or alias.name, what)

    def _inner(self, node: ast.AST, scope: Scope) -> Scope:
        inner = self.program.scopes[node] = Scope(scope, node)
        return inner

    def _function(self, node: Function, scope: Scope) -> None:
        scope.bind(node.name, Binding("function", node, scope))
        self.visit_all([*node.decorator_list, node.returns], scope)
        inner = self._inner(node, scope)
        self._parameters(node.args, scope, inner)
        first = [*node.args.posonlyargs, *node.args.args][:1]
        if scope.is_class and first and not _names(node.decorator_list) & _UNBOUND:
            inner.bindings[first[0].arg] = [Binding("self", scope.node)]
        self.visit_all(node.body, inner)

    def _parameters(self, arguments: ast.arguments, scope: Scope, inner: Scope) -> None:
        self.visit_all([*arguments.defaults, *arguments.kw_defaults], scope)
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            how: How = "annotation" if each.annotation is not None else "unknown"
            inner.bind(each.arg, Binding(how, each.annotation, scope))
            self.visit_all([each.annotation], scope)
        for more in (arguments.vararg, arguments.kwarg):
            if more is not None:
                inner.bind(more.arg, Binding("unknown"))

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.bind(node.name, Binding("class", node, scope))
        self.visit_all([*node.decorator_list, *node.bases], scope)
        self.visit_all([keyword.value for keyword in node.keywords], scope)
        self.program.own[node] = {}
        self.visit_all(node.body, self._inner(node, scope))

    def _if(self, node: ast.If | ast.IfExp, scope: Scope) -> None:
        """What hangs on a version may be for another one than the one that is indexed."""
        versions = any(
            "version" in (each.attr if isinstance(each, ast.Attribute) else each.id).lower()
            for each in ast.walk(node.test)
            if isinstance(each, ast.Attribute | ast.Name)
        )
        self.visit(node.test, scope)
        with self._expecting(_ANY if versions else ()):
            for body in (node.body, node.orelse):
                self.visit_all(body if isinstance(body, list) else [body], scope)

    def _try(self, node: "ast.Try | ast.TryStar", scope: Scope) -> None:
        """What is caught by name was meant to be tried; an `except Exception` around a whole
        program says nothing."""
        expected: set[str] = set()
        for handler in node.handlers:
            names = _names([handler.type]) if handler.type is not None else _BROAD
            expected |= _expected(names, broadly=len(node.body) == 1)
        with self._expecting(expected):
            self.visit_all(node.body, scope)
        for handler in node.handlers:
            if handler.name:
                scope.bind(handler.name, Binding("caught", handler.type, scope))
            self.visit_all([handler.type, *handler.body], scope)
        self.visit_all([*node.orelse, *node.finalbody], scope)

    def _with(self, node: "ast.With | ast.AsyncWith", scope: Scope) -> None:
        expected: set[str] = set()
        for item in node.items:
            self.visit(item.context_expr, scope)
            if isinstance(item.context_expr, ast.Call):  # suppress(…), pytest.raises(…)
                expected |= _expected(_names(item.context_expr.args), broadly=True)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, "entered", item.context_expr, scope)
                self.visit(item.optional_vars, scope)
        with self._expecting(expected):
            self.visit_all(node.body, scope)

    def _match(self, node: ast.Match, scope: Scope) -> None:
        self._narrow(node.subject)
        self.visit(node.subject, scope)
        for case in node.cases:
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    scope.bind(name, Binding("unknown"))
            self.visit_all([case.guard, *case.body], scope)

    def _comprehension(self, node: ast.AST, scope: Scope) -> None:
        inner = self._inner(node, scope)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.comprehension):
                self._bind(child.target, "item", child.iter, inner)
                self.visit_all([child.iter, child.target, *child.ifs], inner)
            else:
                self.visit(child, inner)

    @contextmanager
    def _expecting(self, kinds: Iterable[str]) -> Iterator[None]:
        before = self._guarded
        self._guarded = before | frozenset(kinds)
        yield
        self._guarded = before


def _expected(names: Set[str], *, broadly: bool) -> Set[str]:
    """What is expected where these exceptions are caught."""
    if broadly and names & _BROAD:
        return _ANY
    return names & _ANY | ({"ImportError"} if "ModuleNotFoundError" in names else set())


def _is_comprehension(scope: Scope) -> bool:
    return isinstance(scope.node, _COMPREHENSIONS)


def _items(node: ast.expr | None) -> list[ast.expr] | None:
    """The expressions of a literal tuple or list."""
    if not isinstance(node, ast.Tuple | ast.List):
        return None
    return None if any(isinstance(each, ast.Starred) for each in node.elts) else node.elts


def _names(nodes: Iterable[ast.expr]) -> frozenset[str]:
    """The last parts of the names in expressions."""
    return frozenset(
        each.id if isinstance(each, ast.Name) else each.attr
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Name | ast.Attribute)
    )
