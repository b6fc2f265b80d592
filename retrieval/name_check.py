"""Finding hallucinated API names: those that an indexed library does not have.

Found without running anything. Whatever is uncertain is passed over in silence: a name that stands
for different things, a class with bases that nobody indexed or with attributes that nothing
names, what the program itself tests for, stores, or expects to fail.
"""

import ast

from pipeline.analysis.python_syntax import parse
from retrieval.api_names import Api
from retrieval.expression_values import Value, Values
from retrieval.scope_reader import read_program
from retrieval.scopes import Program, Scope, Use
from retrieval.sources.chunk import Symbol
from retrieval.unknown_name import UnknownName, suggestion

MANY = 30  # findings; more are no help


def unknown_names(code: str, api: Api) -> list[UnknownName]:
    """The invented names, by line. Nothing for code that does not parse."""
    tree = parse(code)
    if tree is None:
        return []
    try:
        check = _Check(code, read_program(tree), api)
        check.run()
    except (ValueError, RecursionError, MemoryError):  # what parsed may still be too deep to walk
        return []
    return [check.found[key] for key in sorted(check.found)][:MANY]


class _Check:
    """`found`: by line and name, each name once a line."""

    def __init__(self, code: str, program: Program, api: Api) -> None:
        self.found: dict[tuple[int, str], UnknownName] = {}
        self._lines = code.split("\n")
        self._program = program
        self._api = api
        self._values = Values(program, api)

    def run(self) -> None:
        for use in self._program.uses:
            if len(self.found) >= MANY:
                return
            match use.node:
                case ast.Import():
                    for alias in use.node.names:
                        self._module(alias.name, use)
                case ast.ImportFrom():
                    self._import_from(use.node, use)
                case ast.Attribute():
                    self._attribute(use.node, use)
                case ast.Call():
                    self._call(use.node, use)

    def _module(self, name: str, use: Use) -> bool:
        """Whether a module may be there."""
        missing = self._api.missing_module(name)
        if missing is None:
            return True
        owner, last = missing
        near = suggestion(last, self._api.members(owner))
        message = f"there is no module {f'{owner.name}.{last}'!r}{near}"
        self._add(use, "ImportError", f"{owner.name}.{last}", message)
        return False

    def _import_from(self, node: ast.ImportFrom, use: Use) -> None:
        if node.level or not node.module or not self._module(node.module, use):
            return
        owner = self._api.find(node.module)
        if owner is None or owner.kind != "module":
            return
        for alias in node.names:
            name = alias.name
            if name != "*" and name not in self._program.asked and self._api.lacks(owner, name):
                message = f"cannot import {name!r} from {owner.name!r}{self._near(owner, name)}"
                self._add(use, "ImportError", f"{owner.name}.{name}", message)

    def _attribute(self, node: ast.Attribute, use: Use) -> None:
        name = node.attr
        owner = self._values.of(node.value, use.scope)
        if owner is None or name in self._program.asked:
            return
        if owner.own is not None:
            self._own_attribute(owner, node, use)
            return
        assert owner.symbol is not None
        symbol = owner.symbol
        if symbol.kind == "module" and f"{symbol.name}.{name}" in self._imported(node, symbol):
            return
        if not self._api.lacks(symbol, name, sure=owner.sure, called=owner.made):
            return
        if not isinstance(node.ctx, ast.Load):  # objects may be given attributes of other names
            if isinstance(node.ctx, ast.Del) or not (owner.made and self._api.meant(symbol, name)):
                return
        elif name in self._program.stored:
            return
        self._add_attribute(use, symbol, name)

    def _imported(self, node: ast.Attribute, symbol: Symbol) -> set[str]:
        """Modules that the program imports, under the module's own name and the one used here."""
        here = ast.unparse(node.value)
        return {
            f"{symbol.name}{module.removeprefix(here)}" if module.startswith(f"{here}.") else module
            for module in self._parents()
        }

    def _parents(self) -> set[str]:
        found = set()
        for module in self._program.imported:
            parts = module.split(".")
            found |= {".".join(parts[:number]) for number in range(1, len(parts) + 1)}
        return found

    def _own_attribute(self, owner: Value, node: ast.Attribute, use: Use) -> None:
        """Of the program's own class: what neither it nor an indexed base has."""
        kind = owner.own
        if not owner.made or not isinstance(kind, ast.ClassDef):
            return
        if not isinstance(node.ctx, ast.Load) or node.attr in self._program.stored:
            return
        for symbol in self._indexed_bases(kind, node.attr)[:1]:
            self._add_attribute(use, symbol, node.attr)

    def _indexed_bases(self, kind: ast.ClassDef, name: str) -> list[Symbol]:
        """The bases of a class, if all are indexed, and all lack the name as it does itself."""
        scope: Scope = self._program.scopes[kind]
        own = {*scope.bindings, *self._program.own[kind]}
        if own & {name, "__getattr__", "__getattribute__", "__slots__"}:
            return []
        if kind.decorator_list or kind.keywords or "setattr" in self._program.asked:
            return []
        symbols = []
        for base in self._values.bases(kind):
            if base is None or base.symbol is None or base.made:
                return []
            if not self._api.lacks(base.symbol, name, sure=False):
                return []
            symbols.append(base.symbol)
        return symbols

    def _call(self, node: ast.Call, use: Use) -> None:
        called = self._values.of(node.func, use.scope)
        if called is None or called.made or called.symbol is None:
            return
        symbol = called.symbol
        for keyword in node.keywords:
            name = keyword.arg
            if name and self._api.refuses(symbol, name):
                near = suggestion(name, self._api.arguments(symbol))
                shown = _shown(symbol)
                message = f"{shown}() got an unexpected keyword argument {name!r}{near}"
                self._add(use, "TypeError", f"{symbol.name}({name}=)", message, keyword.value)

    def _add_attribute(self, use: Use, owner: Symbol, name: str) -> None:
        what = "module " if owner.kind == "module" else ""
        message = f"{what}{_shown(owner)!r} has no attribute {name!r}{self._near(owner, name)}"
        self._add(use, "AttributeError", f"{owner.name}.{name}", message)

    def _near(self, owner: Symbol, name: str) -> str:
        """Where the name is, or what else was meant."""
        place = self._api.elsewhere(name) if owner.kind == "module" else ""
        if place:
            return f"; it is in {place!r}"
        return suggestion(name, self._api.members(owner))

    def _add(
        self, use: Use, kind: str, name: str, message: str, node: ast.AST | None = None
    ) -> None:
        if kind in use.guarded:
            return
        node = node or use.node
        # An attribute of a call over several lines stands where it ends.
        at = "end_lineno" if isinstance(node, ast.Attribute) else "lineno"
        line = getattr(node, at, None) or 1
        context = self._lines[line - 1].strip() if line <= len(self._lines) else ""
        self.found.setdefault((line, name), UnknownName(name, line, context, message, kind))


def _shown(symbol: Symbol) -> str:
    """`vtkActor`, `Table.add_row`; modules whole."""
    if symbol.kind == "module":
        return symbol.name
    *_, owner, short = ("", *symbol.name.split("."))
    return f"{owner}.{short}" if symbol.kind == "method" else short
