"""The names that code takes from libraries, and the data files that it names. Pure."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from pipeline.analysis.imports import imports_in, is_foreign
from pipeline.analysis.python_syntax import dotted_name, parse

_VTK = re.compile(r"\bvtk[A-Z]\w*")
_MODULE = re.compile(r"vtkmodules\.(\w+)")
# A name of a file is a run of such characters up to its last suffix. In one pattern the two would
# take a time that grows with the square of the run's length.
_RUN = re.compile(r"[\w./\\-]+")
_SUFFIX = re.compile(r"(?<=\w)\.[A-Za-z]\w{0,5}\b")
_MOST_FILES = 100  # each of them is looked for in the code
_LOOKED_AT = 100_000  # characters of a text
_LONGEST_CHAIN = 20  # `a.b.c` of so many names; longer ones are nobody's API


def library_symbols(code: str) -> list[str]:
    """Qualified by what they are imported from, in the order of their imports and uses:
    `numpy.array`, `vtkmodules.vtkCommonCore.vtkPoints`. Of other languages' code, VTK's classes
    alone."""
    tree = parse(code)
    if tree is None:
        return list(dict.fromkeys(_VTK.findall(code)))
    modules: dict[str, str] = {}
    found: dict[str, None] = {}
    for each in imports_in(tree):
        if each.name is None:
            modules[each.local] = each.target[0]
        elif is_foreign(each.module):
            found[f"{each.module}.{each.name}"] = None
    for node in ast.walk(tree):
        first, _, rest = dotted_name(node, _LONGEST_CHAIN).partition(".")
        if rest and first in modules and is_foreign(modules[first]):
            found[f"{modules[first]}.{rest}"] = None
    owners = {owner for name in found for owner in _owners(name)}
    return [name for name in found if name not in owners]


def _owners(name: str) -> Iterator[str]:
    """`a.b` and `a` of `a.b.c`."""
    while (name := name.rpartition(".")[0]) != "":
        yield name


def vtk_classes(symbols: Iterable[str]) -> list[str]:
    """VTK's classes among the symbols, by their own names."""
    symbols = list(symbols)
    parts = (part for symbol in symbols for part in symbol.split(".")[-2:])
    named = (part for part in parts if _VTK.fullmatch(part) and not part.startswith("vtkmodules"))
    modules = {word for symbol in symbols for word in _MODULE.findall(symbol)}
    return list(dict.fromkeys(name for name in named if name not in modules))


def data_files_in(code: str, *texts: str) -> list[str]:
    """The files that the texts name and the code uses, each once; of very many the first."""
    named = dict.fromkeys(name for text in texts for name in _file_names(text))
    return [name for name in islice(named, _MOST_FILES) if name in code]


def _file_names(text: str) -> Iterator[str]:
    for run in _RUN.findall(text[:_LOOKED_AT]):
        ends = [suffix.end() for suffix in _SUFFIX.finditer(run)]
        if ends:
            yield run[: ends[-1]]
