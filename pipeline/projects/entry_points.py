"""The programs of a project: files that a text shows as a command. Pure."""

import ast
import re
from collections.abc import Iterable, Iterator

from pipeline.projects.fault import Fault
from pipeline.projects.python_module import PythonModule

_CALLED_ONE = ("main.py", "cli.py", "__main__.py")
_COMMAND = r"(?:python3?|node) (?:[\w./-]{1,200}/)?"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_program(path: str, said: str) -> bool:
    """Whether the text says how the file is started (`python todo.py`, or between backticks with
    what it is given), or that the file itself prints something."""
    name = re.escape(path.rpartition("/")[2])
    ways = (
        rf"\b{_COMMAND}{name}(?![\w.])",
        rf"`(?:\./)?{name} [^`\n]+`",
        rf"(?<![\w.]){name}\b(?:(?!\b(?:function|class|method)\b)[^.;(\n]){{1,120}}?\bprints\b",
    )
    return any(re.search(way, said) for way in ways)


def is_called_one(path: str) -> bool:
    """Whether the name says that it is a program. It may be one that another file starts."""
    return path.rpartition("/")[2] in _CALLED_ONE


def takes_arguments(path: str, said: str) -> bool:
    """Whether the text says that the program is given something when it is started: as a command
    with words behind it, or in so many words."""
    name = re.escape(path.rpartition("/")[2])
    ways = (
        rf"`(?:{_COMMAND}|\./)?{name} [^`\n]+`",
        rf"^[ \t$>]*{_COMMAND}{name} [^\s#|>&]",
        rf"(?<![\w.]){name}\b[^.;\n]{{0,99}}?(?:\barguments?\b|\bcommand line\b|(?<!\w)--\w)",
        rf"(?<![\w.]){name}\b takes (?:the |an? |one |two ){{0,2}}(?:name|path|file|argument)s?\b",
    )
    return any(re.search(way, said, re.MULTILINE) for way in ways)


def start_faults(modules: Iterable[PythonModule]) -> Iterator[Fault]:
    """Programs in Python that do nothing when they are started."""
    for module in modules:
        if _only_defines(module.tree):
            yield Fault(module.path, "start", "it is a program, and nothing in it is run")


def _only_defines(tree: ast.Module) -> bool:
    defined = any(isinstance(node, _DEFINITIONS) for node in tree.body)
    return defined and all(map(_is_passive, tree.body))


def _is_passive(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
        return not any(isinstance(each, ast.Call) for each in ast.walk(node))
    return isinstance(node, (*_DEFINITIONS, ast.Import, ast.ImportFrom))
