"""A program's scopes: what each name is bound to, everywhere that it is. Pure; nothing is ordered,
because a name that is bound to different things is one of which nothing is said."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

How = Literal[
    "module",  # import a.b as name: `text` is the module
    "member",  # from a import b as name: `text` is a.b
    "value",  # name = node
    "annotation",  # name: node
    "entered",  # with node as name
    "item",  # for name in node
    "caught",  # except node as name
    "self",  # the first parameter of a method of the class `node`
    "class",
    "function",
    "unknown",
]


@dataclass(frozen=True, slots=True)
class Binding:
    """One way in which a name gets what it stands for. `scope` is where `node` is to be read."""

    how: How
    node: ast.AST | None = None
    scope: "Scope | None" = None
    text: str = ""


@dataclass(eq=False, slots=True)
class Scope:
    """A module, class, function or comprehension. `stars`: modules whose names all are here."""

    above: "Scope | None" = None
    node: ast.AST | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    elsewhere: set[str] = field(default_factory=set)  # `global` and `nonlocal` names

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    def bind(self, name: str, binding: Binding) -> None:
        if name in self.elsewhere and self.above is not None:
            self.above.bind(name, binding)
        else:
            self.bindings.setdefault(name, []).append(binding)

    def outwards(self) -> "Iterator[Scope]":
        """This scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.above

    def look_up(self, name: str) -> list[Binding]:
        """From a class's own scope its names are seen; from the functions in it they are not."""
        for scope in self.outwards():
            if name in scope.bindings and (scope is self or not scope.is_class):
                return scope.bindings[name]
        return []

    def all_stars(self) -> list[str]:
        return [star for scope in self.outwards() for star in scope.stars]


@dataclass(slots=True)
class Use:
    """An expression or import that takes a name from something. `guarded`: the exceptions that the
    program expects there."""

    node: ast.Attribute | ast.Call | ast.Import | ast.ImportFrom
    scope: Scope
    guarded: frozenset[str]


@dataclass(slots=True)
class Program:
    """All of a program's uses of names, with what bears on them wherever it stands.

    `asked`: names that it tests for (`hasattr`). `narrowed`: variables and attributes whose class
    it tests. `stored`: attributes that it gives to objects. `own`: for each of its classes the
    attributes that methods set on their first parameter. `imported`: modules."""

    uses: list[Use] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    narrowed: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    own: dict[ast.ClassDef, dict[str, list[Binding]]] = field(default_factory=dict)
    scopes: dict[ast.AST, Scope] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
