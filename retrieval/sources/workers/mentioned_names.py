"""Which names of APIs a text uses. Pure."""

import ast
import re
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse

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
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                known[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def _qualified(node: ast.expr, known: dict[str, str]) -> str:
    parts = list(_chain(node))
    if not parts or parts[-1] not in known:
        return ""
    return ".".join([known[parts[-1]], *reversed(parts[:-1])])


def _chain(node: ast.expr) -> Iterator[str]:
    """`c`, `b`, `a` of `a.b.c`; nothing of any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        yield from (*parts, node.id)
