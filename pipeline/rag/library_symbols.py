"""The names that code takes from libraries, and the data files that it names. Pure."""

import ast
import re
import sys
from collections.abc import Iterable

from pipeline.analysis.python_syntax import parse

_VTK = re.compile(r"\bvtk[A-Z]\w*")
_FILE = re.compile(r"[\w./\\-]*\w\.[A-Za-z]\w{0,5}\b")


def library_symbols(code: str) -> list[str]:
    """Qualified by what they are imported from, in the order of their imports and uses:
    `numpy.array`, `vtkmodules.vtkCommonCore.vtkPoints`. Of other languages' code, VTK's classes
    alone."""
    tree = parse(code)
    if tree is None:
        return list(dict.fromkeys(_VTK.findall(code)))
    doors: dict[str, str] = {}
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                local = each.asname or each.name.partition(".")[0]
                doors[local] = each.name if each.asname else local
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if not _is_foreign(node.module):
                continue
            found |= {f"{node.module}.{each.name}": None for each in node.names}
    for node in ast.walk(tree):
        chain = _chain(node) if isinstance(node, ast.Attribute) else ""
        first, _, rest = chain.partition(".")
        if rest and first in doors and _is_foreign(doors[first]):
            found[f"{doors[first]}.{rest}"] = None
    longer = tuple(found)
    return [name for name in found if not any(other.startswith(f"{name}.") for other in longer)]


def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] not in sys.stdlib_module_names


def _chain(node: ast.expr) -> str:
    """`a.b.c` where that is all names; else ""."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = _chain(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def vtk_classes(symbols: Iterable[str]) -> list[str]:
    """VTK's classes among the symbols, by their own names."""
    parts = (part for symbol in symbols for part in symbol.split(".")[-2:])
    named = (part for part in parts if _VTK.fullmatch(part) and not part.startswith("vtkmodules"))
    return list(dict.fromkeys(name for name in named if not _is_module(name, symbols)))


def _is_module(name: str, symbols: Iterable[str]) -> bool:
    return any(f"vtkmodules.{name}." in f"{symbol}." for symbol in symbols)


def data_files_in(code: str, *texts: str) -> list[str]:
    """The files that the texts name and the code uses."""
    named = dict.fromkeys(name for text in texts for name in _FILE.findall(text))
    return [name for name in named if name in code]
