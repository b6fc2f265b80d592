"""Names in Python code that nothing defines. Pure; pyflakes, nothing is executed."""

import ast
import re
from collections.abc import Sequence

from pipeline.analysis.python_syntax import ERRORS, Function, parse

_SHOWN = 5
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def undefined_names(text: str) -> list[str]:
    """The names that Python code uses and neither defines, imports nor has built in, each once, in
    the text's order; [] where it does not parse."""
    tree = parse(text)
    if tree is None:
        return []
    from pyflakes import checker, messages

    try:
        found = checker.Checker(tree, filename="<draft>").messages
    except ERRORS:
        return []
    kinds = (messages.UndefinedName, messages.UndefinedLocal)
    undefined = sorted((m for m in found if isinstance(m, kinds)), key=lambda m: (m.lineno, m.col))
    loops = [each for each in ast.walk(tree) if isinstance(each, _LOOPS)] if undefined else []
    names = [(str(message.message_args[0]), message.lineno) for message in undefined]
    unset = (name for name, line in names if not _is_set_before(loops, name, line))
    return list(dict.fromkeys(unset))


def _is_set_before(loops: Sequence[ast.stmt], name: str, line: int) -> bool:
    """Whether a turn of a loop may read, where something holds, what the turn before has set below
    that line."""
    for loop in (each for each in loops if _holds(each, line)):
        inner = [*ast.walk(loop)]
        is_asked = any(isinstance(each, ast.If) and _holds(each, line) for each in inner)
        if any(isinstance(each, ast.AugAssign) and each.lineno == line for each in inner):
            return False  # it needs what was there before
        set_at = (t.lineno for n in inner if isinstance(n, ast.Assign) for t in _names_set(n, name))
        if is_asked and any(at > line for at in set_at):
            return True
    return False


def _holds(statement: ast.stmt, line: int) -> bool:
    return statement.lineno < line <= (statement.end_lineno or 0)


def _names_set(assigned: ast.Assign, name: str) -> list[ast.Name]:
    inner = (each for target in assigned.targets for each in ast.walk(target))
    return [each for each in inner if isinstance(each, ast.Name) and each.id == name]


def words_in(text: str) -> set[str]:
    """All that could be a name in a text."""
    return set(re.findall(r"\w+", text))


def names_of(node: ast.AST) -> set[str]:
    """Names and attributes in a piece of a tree, however deep, and in annotations in quotes."""
    names = set[str]()
    for each in ast.walk(node):
        match each:
            case ast.Name(name) | ast.Attribute(attr=name):
                names.add(name)
            case ast.Constant(str(quoted)):
                names |= words_in(quoted)
    return names


def uncalled_names(text: str) -> set[str]:
    """The names that Python code uses and never calls, where it defines no function and no class;
    none where it does."""
    tree = parse(text)
    nodes = list(ast.walk(tree)) if tree else []
    if any(isinstance(each, ast.ClassDef | Function) for each in nodes):
        return set()
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    names = [each for each in nodes if isinstance(each, ast.Name)]
    return {each.id for each in names} - {each.id for each in names if id(each) in called}


def gone_names(text: str) -> set[str]:
    """The names that `except … as` gives, of those that are read below its block: they end with
    it."""
    tree = parse(text)
    nodes = list(ast.walk(tree)) if tree else []
    ends: dict[str, int] = {}
    for node in nodes:
        if isinstance(node, ast.ExceptHandler) and node.name:
            end = node.end_lineno or node.lineno
            ends[node.name] = min(end, ends.get(node.name, end))
    return {
        node.id
        for node in nodes
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.lineno > ends.get(node.id, node.lineno)
    }


def not_defined(names: Sequence[str]) -> str:
    """Of such names, one at least, in words: `the names x, y are not defined`. A name is not their
    first word: sentences begin with a capital letter."""
    if len(names) == 1:
        return f"the name {names[0]} is not defined"
    return f"the names {listed(names)} are not defined"


def listed(names: Sequence[str]) -> str:
    """The first of them: `x, y and 3 more`."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
