"""The programs of a project: files that a text shows as a command. Pure."""

import ast
import re
from collections.abc import Iterable, Iterator

from pipeline.projects.fault import Fault
from pipeline.projects.python_module import PythonModule

_BY_NAME = ("main.py", "cli.py", "__main__.py")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_program(path: str, said: str) -> bool:
    """Whether the text says how the file is started (`python todo.py`, or between backticks with
    what it is given), or that the file itself prints something; or its name says that it is one."""
    if path.rpartition("/")[2] in _BY_NAME:
        return True
    name = re.escape(path.rpartition("/")[2])
    ways = (
        rf"\b(?:python3?|node) (?:[\w./-]{{1,200}}/)?{name}(?![\w.])",
        rf"`(?:\./)?{name} [^`\n]+`",
        rf"(?<![\w.]){name}\b(?:(?!\b(?:function|class|method)\b)[^.;(\n]){{1,120}}?\bprints\b",
    )
    return any(re.search(way, said) for way in ways)


def takes_arguments(path: str, said: str) -> bool:
    """Whether the text says that the program is given something when it is started."""
    name = re.escape(path.rpartition("/")[2])
    ways = (
        rf"(?<![\w.-]){name} [^`\s]+[^`\n]*`",
        rf"(?<![\w.]){name}\b[^.;\n]{{0,99}}?(?:\b(?:arguments?|command line|takes)\b|(?<!\w)--\w)",
    )
    return any(re.search(way, said) for way in ways)


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
