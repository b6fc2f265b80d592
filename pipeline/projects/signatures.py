"""What a file offers to those that use it, for the prompt of one that does. Pure."""

import ast
from collections.abc import Iterable, Mapping
from contextlib import suppress

from pipeline.analysis import ecmascript
from pipeline.analysis.file_types import ECMASCRIPT, language_of_path
from pipeline.analysis.python_syntax import Definition, Function
from pipeline.analysis.syntax_process import Unread
from pipeline.projects.python_module import read_python

MAX_WHOLE = 1500  # characters: shorter files of other languages are shown whole
MAX_SHOWN = 6000  # characters of a file's signatures
_HEAD_LINES = 40


def signatures(texts: Mapping[str, str], paths: Iterable[str]) -> str:
    """The signatures of files under their paths; "" where none of them is there."""
    shown = (f"--- {path} ---\n{signature(texts[path], path)}" for path in paths if path in texts)
    return "\n\n".join(shown)


def signature(text: str, path: str) -> str:
    """A file's declarations without their bodies; the head of it in a language that is not
    known."""
    language = language_of_path(path)
    shown = ""
    if language == "python":
        with suppress(RecursionError):  # to write an expression takes more than to parse it
            shown = _of_python(text, path)
    elif language in ECMASCRIPT and ecmascript.parses(text, path):
        with suppress(Unread):
            shown = ecmascript.outline(text, path)
    shown = shown or _head(text)
    return shown if len(shown) <= MAX_SHOWN else shown[:MAX_SHOWN] + "\n…"


def _head(text: str) -> str:
    if len(text) <= MAX_WHOLE:
        return text.rstrip("\n")
    return "\n".join([*text[:MAX_SHOWN].split("\n")[:_HEAD_LINES], "…"])


def _of_python(text: str, path: str) -> str:
    module = read_python(text, path)
    if module is None:
        return ""
    lines: list[str] = []
    for node in module.tree.body:
        if isinstance(node, Function):
            lines += _of_function(node, "")
        elif isinstance(node, ast.ClassDef):
            lines += _of_class(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            lines.append(_of_constant(node))
    handed_on = [each.local for each in module.imports if each.early and each.level]
    if handed_on and path.endswith("__init__.py"):
        lines.insert(0, f"# hands on: {', '.join(handed_on)}")
    return "\n".join(lines)


def _of_function(node: Function, indent: str) -> list[str]:
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    decorators = [f"{indent}@{ast.unparse(each)}" for each in node.decorator_list]
    head = f"{indent}{word} {node.name}({ast.unparse(node.args)}){returns}: ..."
    return [*decorators, head + _said(node)]


def _of_class(node: ast.ClassDef) -> list[str]:
    bases = [ast.unparse(base) for base in [*node.bases, *node.keywords]]
    lines = [f"@{ast.unparse(each)}" for each in node.decorator_list]
    above = f"({', '.join(bases)})" if bases else ""
    lines.append(f"class {node.name}{above}:{_said(node)}")
    for each in node.body:
        if isinstance(each, Function):
            private = each.name.startswith("_") and not each.name.startswith("__")
            lines += [] if private else _of_function(each, "    ")
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            lines.append("    " + _of_constant(each))
    return lines


def _of_constant(node: ast.Assign | ast.AnnAssign) -> str:
    shown = " ".join(ast.unparse(node).split())
    return shown if len(shown) <= 100 else shown[:100] + " …"


def _said(node: Definition) -> str:
    """The first line of its docstring, as a comment."""
    said = (ast.get_docstring(node) or "").partition("\n")[0]
    return f"  # {said}" if said else ""
