"""Python's imports: what code imports, and the lines that import it, each thing once, sorted.
Pure."""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

WIDTH = 100
_FUTURE = "__future__"


@dataclass(frozen=True, slots=True)
class Import:
    """One imported thing: `module` is the dotted name with the dots before it, `name` what is taken
    out of it (None: the module itself), `alias` what it is called here."""

    module: str
    name: str | None
    alias: str | None
    comment: str = ""

    @property
    def local(self) -> str:
        """The name that it binds."""
        if self.name is None:
            return self.alias or self.module.partition(".")[0]
        return self.alias or self.name

    @property
    def target(self) -> tuple[str, str | None]:
        """What that name stands for: `import a.b` binds the package `a`."""
        if self.name is None and self.alias is None:
            return self.module.partition(".")[0], None
        return self.module, self.name


def imports_in(tree: ast.AST) -> Iterator[Import]:
    """What a tree imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield Import(each.name, None, each.asname)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for each in node.names:
                yield Import(module, each.name, each.asname)


def is_foreign(module: str) -> bool:
    """Neither the standard library's nor, as `.part`, the program's own."""
    top = module.partition(".")[0]
    return top != "" and top not in sys.stdlib_module_names


def import_lines(imports: Iterable[Import]) -> list[list[str]]:
    """Lines in groups: `__future__`, the standard library, the rest; names of one module
    together."""
    modules: dict[Import, None] = {}
    taken: dict[str, dict[str, str]] = {}
    for each in imports:
        if each.name is None:
            modules.setdefault(each)
        else:
            written = f"{each.name} as {each.alias}" if each.alias else each.name
            names = taken.setdefault(each.module, {})
            names[written] = names.get(written) or each.comment
    groups: list[list[str]] = [[], [], []]
    for each in sorted(modules, key=lambda each: (each.module, each.alias or "")):
        alias = f" as {each.alias}" if each.alias else ""
        groups[_group(each.module)].append(f"import {each.module}{alias}{_behind(each.comment)}")
    for module in sorted(taken):
        groups[_group(module)] += _from(module, taken[module])
    return [group for group in groups if group]


def _group(module: str) -> int:
    if module == _FUTURE:
        return 0
    return 1 if module.partition(".")[0] in sys.stdlib_module_names else 2


def _from(module: str, names: dict[str, str]) -> list[str]:
    """A star stands alone and first: names that are given win over it."""
    plain = sorted((name for name in names if name != "*"), key=str.lower)
    lines = [f"from {module} import *{_behind(names['*'])}"] if "*" in names else []
    if plain:
        comment = names[plain[0]] if len(plain) == 1 else ""
        line = f"from {module} import {', '.join(plain)}"
        if len(line) > WIDTH:
            rows = "".join(f"    {name},\n" for name in plain)
            line = f"from {module} import (\n{rows})"
        lines.append(line + _behind(comment))
    return lines


def _behind(comment: str) -> str:
    return f"  {comment}" if comment else ""
