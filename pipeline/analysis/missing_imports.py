"""Imports of the standard library that Python code forgot, put in. Pure.

Only where there is one thing that the name can mean: `typing`'s names, classes and functions that
one module alone has (`defaultdict`, `dataclass`), and modules that are used as modules (`re.sub`).
"""

import ast
import collections
import sys
import typing
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from pipeline.analysis.python_syntax import parse
from pipeline.analysis.undefined_names import undefined_names

# One home each: a name that two modules have (`product`, `sqrt`, `date`) is left to a model.
_HOMES = {
    "abc": ("ABC", "abstractmethod"),
    "collections": tuple(name for name in collections.__all__ if not name.startswith("User")),
    "contextlib": ("contextmanager", "suppress"),
    "copy": ("deepcopy",),
    "dataclasses": ("dataclass",),
    "datetime": ("timedelta",),
    "decimal": ("Decimal",),
    "enum": ("Enum", "IntEnum"),
    "fractions": ("Fraction",),
    "functools": ("cache", "cached_property", "lru_cache", "partial", "reduce", "wraps"),
    "itertools": ("accumulate", "combinations", "groupby", "permutations", "zip_longest"),
    "pathlib": ("Path",),
    "typing": tuple(name for name in typing.__all__ if name[0].isupper() and len(name) > 1),
}
HOME = {name: module for module, names in _HOMES.items() for name in names}
HOME |= dict.fromkeys(("Counter", "OrderedDict", "ChainMap"), "collections")  # typing has them too
# Of the class, not of the module of the same name.
_DATETIME_CLASS = {
    "now",
    "today",
    "strptime",
    "fromtimestamp",
    "fromisoformat",
    "utcnow",
    "combine",
}


def with_missing_imports(text: str, others: Collection[str] = ()) -> tuple[str, list[str]]:
    """The code with the import lines that it lacks, and these lines; itself and none where nothing
    is certain. `others`: names that may be meant to come from somewhere else."""
    missing, tree = [n for n in undefined_names(text) if n not in others], parse(text)
    if not missing or tree is None:
        return text, []
    names = _Names.of(tree)
    lines = sorted({line for name in missing if (line := _import_of(name, names))})
    return (_inserted(text, tree, lines), lines) if lines else (text, [])


def with_import_lines(text: str, lines: Sequence[str]) -> str:
    """Python code with these lines among its imports; as it is where it does not parse."""
    tree = parse(text)
    return _inserted(text, tree, lines) if tree else text


class _Names(NamedTuple):
    """How often a tree has each name, and which attributes of it."""

    times: Counter[str]
    attributes: dict[str, list[str]]

    @classmethod
    def of(cls, tree: ast.AST) -> "_Names":
        found = cls(Counter(), defaultdict(list))
        for node in ast.walk(tree):
            match node:
                case ast.Name(name):
                    found.times[name] += 1
                case ast.Attribute(ast.Name(name), attribute):
                    found.attributes[name].append(attribute)
        return found


def _import_of(name: str, names: _Names) -> str | None:
    """The import that can only have been meant, or None."""
    if name in HOME:
        return f"from {HOME[name]} import {name}"
    if name not in sys.stdlib_module_names or name.startswith("_"):
        return None
    uses = names.attributes.get(name, [])
    if not uses or len(uses) < names.times[name]:
        return None  # it is used by itself somewhere, so it is no module there
    if name == "datetime" and set(uses) <= _DATETIME_CLASS:
        return "from datetime import datetime"
    return f"import {name}" if all(_has(name, attribute) for attribute in uses) else None


def _has(module: str, attribute: str) -> bool:
    """Whether the module has it, as far as this process has the module loaded: nothing is imported
    because a model wrote its name."""
    loaded = sys.modules.get(module)
    return loaded is None or hasattr(loaded, attribute)


def _inserted(text: str, tree: ast.Module, lines: Sequence[str]) -> str:
    """Behind the docstring and the `__future__` imports, before everything else."""
    after = 0
    for number, node in enumerate(tree.body):
        docstring = (
            number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        )
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (docstring or future):
            break
        after = node.end_lineno or 0
    rows = text.splitlines(keepends=True)
    if after == 0:
        while after < len(rows) and rows[after].startswith("#"):
            after += 1  # a shebang, an encoding
    new = "".join(f"{line}\n" for line in lines)
    gap = "" if after < len(rows) and rows[after].startswith(("import ", "from ")) else "\n"
    if after and not rows[after - 1].endswith("\n"):
        rows[after - 1] += "\n"
    return "".join([*rows[:after], new, gap, *rows[after:]])
