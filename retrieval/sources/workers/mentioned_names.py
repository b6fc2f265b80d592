"""Which names of APIs a text uses. Pure."""

import ast
import re

from pipeline.analysis.imports import imports_in
from pipeline.analysis.python_syntax import dotted_name, parse

MAX_NAMES = 60

_MENTIONED = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z]+[a-z0-9]*[A-Z_]\w*)(?:\(.*\))?")


def mentioned(literal: str) -> list[str]:
    """The name that a piece of code in a sentence is: dotted, CamelCase or snake_case."""
    match = _MENTIONED.fullmatch(literal.strip())
    return [match[1]] if match else []


def used(code: str) -> list[str]:
    """The qualified names that a Python program imports and uses: what it imports, attributes of
    that (`numpy.linalg.norm`), and of variables that it makes by calling it (`a = Actor()` and
    `a.SetMapper(m)`: `pkg.Actor.SetMapper`). [] for what is no Python."""
    tree = parse(code)
    if tree is None:
        return []
    known = _imports(tree)
    found = dict.fromkeys(known.values())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            made = _qualified(node.value.func, known)
            for target in node.targets if made else ():
                if isinstance(target, ast.Name):
                    known.setdefault(target.id, made)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found[_qualified(node, known)] = None
    found.pop("", None)
    return list(found)[:MAX_NAMES]


def without_prompts(code: str) -> str:
    """A console session as a program: what it prints is a comment."""
    if not re.search(r"^\s*>>> ", code, re.MULTILINE):
        return code
    lines = []
    for line in code.split("\n"):
        text = line.lstrip()
        if text.startswith((">>> ", "... ")):
            lines.append(text[4:])
        elif text in (">>>", "..."):
            lines.append("")
        else:
            lines.append(f"# {line}" if text else "")
    return "\n".join(lines)


def _imports(tree: ast.Module) -> dict[str, str]:
    """Local names with what they stand for."""
    known: dict[str, str] = {}
    for each in imports_in(tree):
        if each.name is None:
            known[each.local] = each.target[0]
        elif each.name != "*" and not each.module.startswith("."):
            known[each.local] = f"{each.module}.{each.name}"
    return known


def _qualified(node: ast.expr, known: dict[str, str]) -> str:
    first, dot, rest = dotted_name(node).partition(".")
    return f"{known[first]}{dot}{rest}" if first in known else ""
