"""Imports of what the standard library does not have. Pure.

Whatever a sandbox lacks, Python's own modules are there: `from math import multiply` fails
everywhere.
"""

import ast
import re
import sys
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse

_NO_NAME = re.compile(r"ImportError: cannot import name '(\w+)' from '([\w.]+)'")
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+\.\w+)'")
# Modules of which each system has its own names, and how such names look.
_OF_SYSTEM = frozenset(
    (
        *("asyncio", "ctypes", "errno", "fcntl", "mmap", "multiprocessing", "os", "pty"),
        *("resource", "select", "selectors", "signal", "socket", "ssl", "stat", "subprocess"),
        *("termios", "time"),
    )
)
_OF_A_SYSTEM = re.compile(
    r"[A-Z][A-Z0-9_]+|\w*(?:[Ww]in|Proactor)\w*|Pipe\w+|(?:ole|py)dll|startfile|add_dll_directory"
    r"|kqueue|kevent|devpoll|l?ch(?:mod|flags)|plock"
)
_NO_PART_OF_PYTHON = frozenset({"test"})  # a name that people give to modules of their own
_MAYBE_NOT_INSTALLED = frozenset({"ensurepip", "idlelib", "lib2to3", "tkinter", "turtledemo"})


def is_import_of_nothing(error: str, code: str) -> bool:
    """Whether the error is that of an import in this code, outside of `try`, of something that the
    standard library has nowhere."""
    name, module = _NO_NAME.match(error), _NO_MODULE.match(error)
    if name:
        wanted = (name[2], name[1])
    elif module:
        wanted = (module[1], "")
    else:
        return False
    top = wanted[0].partition(".")[0]
    if top not in sys.stdlib_module_names - _NO_PART_OF_PYTHON - _MAYBE_NOT_INSTALLED:
        return False
    if top in _OF_SYSTEM and _OF_A_SYSTEM.fullmatch(wanted[1] or wanted[0].rpartition(".")[2]):
        return False
    tree = parse(code)
    return tree is not None and wanted in set(_imported(tree))


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Module and name ("" for the module itself, and for those that it stands in) of what is
    imported, but for what stands inside `try`: there a program provides for its want."""
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        match node:
            case ast.Try() | ast.TryStar():
                continue
            case ast.Import(names):
                for each in names:
                    yield from _with_parents(each.name)
            case ast.ImportFrom(str(module), names, 0):
                yield from _with_parents(module)
                yield from ((module, each.name) for each in names)
        nodes += ast.iter_child_nodes(node)


def _with_parents(module: str) -> Iterator[tuple[str, str]]:
    parts = module.split(".")
    yield from ((".".join(parts[:n]), "") for n in range(1, len(parts) + 1))
