"""Imports that Python code forgot, put in. Pure.

Only where there is one thing that the name can mean: `typing`'s names, classes and functions that
one module of the standard library alone has (`defaultdict`, `dataclass`), its modules where they
are used as modules (`re.sub`), and packages by the names that everybody gives them (`np.array`).
"""

import ast
import collections
import io
import sys
import typing
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pipeline.analysis.python_syntax import parse
from pipeline.analysis.undefined_names import undefined_names

# One home each: a name that two modules have (`product`, `sqrt`, `date`) is left to a model.
_HOMES = {
    "abc": ("ABC", "abstractmethod"),
    "collections": tuple(name for name in collections.__all__ if not name.startswith("User")),
    "concurrent.futures": ("ProcessPoolExecutor", "ThreadPoolExecutor"),
    "contextlib": ("contextmanager", "suppress"),
    "copy": ("deepcopy",),
    "dataclasses": ("dataclass",),
    "datetime": ("timedelta",),
    "decimal": ("Decimal",),
    "enum": ("Enum", "Flag", "IntEnum", "StrEnum", "auto"),
    "fractions": ("Fraction",),
    "functools": ("cache", "cached_property", "lru_cache", "partial", "reduce", "wraps"),
    "itertools": ("accumulate", "combinations", "groupby", "permutations", "zip_longest"),
    "pathlib": ("Path",),
    "typing": tuple(name for name in typing.__all__ if name[0].isupper() and len(name) > 1),
}
HOME = {name: module for module, names in _HOMES.items() for name in names}
del HOME["Text"]  # mostly tkinter's or rich's, and `typing.Text` is `str`
HOME |= dict.fromkeys(("Counter", "OrderedDict", "ChainMap"), "collections")  # typing has them too
_PACKAGES = {
    "np": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "sns": "seaborn",
    "tf": "tensorflow",
    **{name: name for name in ("aiohttp", "httpx", "numpy", "pandas", "pygame", "requests")},
    **{name: name for name in ("torch", "yaml")},
}
# Nobody indexes a function, looks for something in it or takes an attribute of it: that is data
# which the code forgot to make (`cache[n]`).
_FUNCTIONS = {"contextlib", "copy", "functools", "itertools"}
_OF_DATA = {name for kind in (list, dict, set, str) for name in dir(kind)}
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
    lines = sorted({line for name in missing for line in _imports_of(name, names)})
    return (_inserted(text, tree, lines), lines) if lines else (text, [])


def with_import_lines(text: str, lines: Sequence[str]) -> str:
    """Python code with these lines among its imports; as it is where it does not parse."""
    tree = parse(text)
    return _inserted(text, tree, lines) if tree else text


class _Names(NamedTuple):
    """How often a tree has each name, the attributes that are taken of it, each with those that are
    taken of that (`path`, `join`), and which names are used as data."""

    times: Counter[str]
    attributes: dict[str, list[list[str]]]
    data: set[str]

    @classmethod
    def of(cls, tree: ast.AST) -> "_Names":
        found = cls(Counter(), defaultdict(list), set())
        inner: set[ast.AST] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Name(name):
                    found.times[name] += 1
                case ast.Attribute() if node not in inner:
                    within, attributes = _chain(node)
                    inner.update(within)
                    if isinstance(within[-1], ast.Name):
                        found.attributes[within[-1].id].append(attributes)
                        found.data.add(within[-1].id)
                case ast.Subscript(ast.Name(name)):
                    found.data.add(name)
                case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(name)]):
                    found.data.add(name)
        return found


def _chain(node: ast.expr) -> tuple[list[ast.expr], list[str]]:
    """What an attribute is taken of, and what that is, to the first; the attributes from there."""
    within, attributes = list[ast.expr](), list[str]()
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
        within.append(node)
    return within, attributes[::-1]


def _imports_of(name: str, names: _Names) -> Iterator[str]:
    """The imports that can only have been meant; none where that is not certain."""
    uses = names.attributes.get(name, [])
    if name in HOME:
        if HOME[name] not in _FUNCTIONS or name not in names.data:
            yield f"from {HOME[name]} import {name}"
    elif name.startswith("_") or not (name in sys.stdlib_module_names or name in _PACKAGES):
        return
    elif not uses or len(uses) < names.times[name]:
        return  # it is used by itself somewhere, so it is no module there
    elif package := _PACKAGES.get(name):
        if not any(use[0] in _OF_DATA and use[0] != "get" for use in uses):  # requests.get
            yield f"import {package}" if package == name else f"import {package} as {name}"
    elif name == "datetime" and {use[0] for use in uses} <= _DATETIME_CLASS:
        yield "from datetime import datetime"
    else:
        modules = [_module_of(name, use) for use in uses]
        if all(m != name or _has(name, use[0]) for m, use in zip(modules, uses, strict=True)):
            yield from (f"import {module}" for module in modules)


def _module_of(name: str, attributes: Sequence[str]) -> str:
    """`xml.etree.ElementTree` for `xml` and what is taken of it: a package need not import its
    parts. Nothing is imported to find out."""
    spec = find_spec(name)
    folders = spec.submodule_search_locations if spec else None
    folder = Path(folders[0]) if folders else None
    for each in attributes:
        if not (folder and (Path(folder, each).is_dir() or Path(folder, f"{each}.py").is_file())):
            break
        name, folder = f"{name}.{each}", folder / each
    return name


def _has(module: str, attribute: str) -> bool:
    """Whether the module has it, as far as this process has the module loaded: nothing is imported
    because a model wrote its name. Of any other, what lists and texts have is meant of those."""
    loaded = sys.modules.get(module)
    return hasattr(loaded, attribute) if loaded else attribute not in _OF_DATA


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
    rows = [*io.StringIO(text, newline="")]  # as Python counts them: a form feed ends none
    if after == 0:
        while after < len(rows) and rows[after].startswith("#"):
            after += 1  # a shebang, an encoding
    new = "".join(f"{line}\n" for line in lines)
    gap = "" if after < len(rows) and rows[after].startswith(("import ", "from ")) else "\n"
    if after and not rows[after - 1].endswith("\n"):
        rows[after - 1] += "\n"
    return "".join([*rows[:after], new, gap, *rows[after:]])
