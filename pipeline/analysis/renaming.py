"""A name of Python in place of another, where it is a name and nothing else. Pure."""

import ast

from pipeline.analysis.python_syntax import Definition, parse


def with_name(code: str, old: str, new: str) -> str:
    """The code with functions, classes, parameters and variables of that name under the new one. As
    it is where that may mean something else as well: a keyword of a call, a name in an f-string."""
    tree = parse(code)
    if tree is None or any(_may_say(node, old) for node in ast.walk(tree)):
        return code
    lines = code.encode().split(b"\n")
    places = {place for node in ast.walk(tree) if (place := _place(node, old, lines))}
    for row, column in sorted(places, reverse=True):
        line, end = lines[row], column + len(old.encode())
        if line[column:end] != old.encode():
            return code
        lines[row] = line[:column] + new.encode() + line[end:]
    return b"\n".join(lines).decode()


def _may_say(node: ast.AST, name: str) -> bool:
    match node:
        case ast.keyword(arg):
            return arg == name
        case ast.Global(names) | ast.Nonlocal(names):
            return name in names
        case ast.alias(imported, alias):
            return name in (alias, imported.partition(".")[0])
        case ast.JoinedStr():
            return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
    return False


def _place(node: ast.AST, name: str, lines: list[bytes]) -> tuple[int, int] | None:
    """Line and byte, from 0, where the node has the name."""
    if isinstance(node, ast.Name) and node.id == name:
        return node.lineno - 1, node.col_offset
    if isinstance(node, ast.arg) and node.arg == name:
        return node.lineno - 1, node.col_offset
    if isinstance(node, Definition) and node.name == name:
        row = node.lineno - 1
        return row, lines[row].find(name.encode(), node.col_offset + len("def"))
    return None
