"""What the names in a program's tests mean, by what the tests import and define. Pure."""

import ast
import sys
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from pipeline.analysis.python_syntax import ERRORS, Function
from pipeline.testcases.literals import BUILTINS, value_of

MUTABLE = (list, dict, set)


@dataclass(frozen=True, slots=True)
class NameScope:
    """What names mean in the tests: what else but a function of the program's, functions by another
    name, modules that are the program, and constants."""

    classes: set[str]
    others: set[str]
    renamed: dict[str, str] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    constants: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module, program: ast.Module) -> "NameScope":
        functions = {node.name for node in program.body if isinstance(node, Function)}
        classes = {node.name for node in program.body if isinstance(node, ast.ClassDef)}
        scope = cls(classes, {*BUILTINS} - functions)
        for node in tree.body:
            scope._take(node)
        return scope

    def function(self, node: ast.expr) -> str | None:
        """The program's function that is meant, if one is: what nothing else is."""
        match node:
            case ast.Name(name):
                known = self.renamed.get(name)
                found = known or (None if name in self.others else name)
            case ast.Attribute(module, name):
                found = name if ast.unparse(module) in self.modules else None
            case _:
                return None
        return None if found in self.classes else found

    def _take(self, node: ast.stmt) -> None:
        match node:
            case ast.ImportFrom(module=str(module)):
                for alias in node.names:
                    self._bind(alias.asname or alias.name, alias.name, module)
            case ast.Import():
                names = {alias.asname or alias.name: alias.name for alias in node.names}
                self.others.update(names)
                self.modules.update(name for name, of in names.items() if not _is_standard(of))
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                self.others.add(name)
            case ast.Assign([ast.Name(name)], value):
                self.others.add(name)
                self._keep(name, value)

    def _bind(self, name: str, original: str, module: str) -> None:
        self.others.add(name)
        if not _is_standard(module):
            self.renamed[name] = original

    def _keep(self, name: str, node: ast.expr) -> None:
        try:
            value = value_of(deepcopy(node))
        except ERRORS:
            return
        if not isinstance(value, MUTABLE):  # one test could change it for the next
            self.constants[name] = value


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names or module == "pytest"
