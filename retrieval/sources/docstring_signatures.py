"""Signatures that stand at the head of a docstring, as those of compiled functions do. Pure."""

import ast
import builtins
import re

from pipeline.analysis.python_syntax import parse
from retrieval.sources.api_entry import Entry

_HEAD = re.compile(r"(?P<number>\d+\. )?(?:\w+\.)*(?P<name>\w+)(?=\()")
_RETURN = re.compile(r"\) *-> *(?P<returns>.+)$")
_BUILTINS = frozenset(dir(builtins)) - {"None"}
MAX_LINES = 300


def split_signatures(name: str, doc: str) -> tuple[list[str], str]:
    """The signatures, from their parenthesis on, and what is left of the text.

    Knows numpy's (`array(object, dtype=None)`), pybind11's numbered overloads, and VTK's, where
    each is followed by its C++ declaration.
    """
    lines = doc.split("\n")
    start = _HEAD.match(lines[0])
    if not start or start["name"] != name:
        return [], doc
    found: list[str] = []
    rest: list[str] = []
    number = 0
    while number < min(len(lines), MAX_LINES):
        line = lines[number]
        start = _HEAD.match(line)
        if start and start["name"] == name and (not rest or start["number"]):
            text, number = _whole(lines, number, line[start.end() :])
            found.append(text)
        elif line.startswith("C++: ") and not rest:
            number = _after_indented(lines, number + 1)
        else:
            rest += [line] if line.strip() or rest else []
            number += 1
    if "Overloaded function." in rest[:1]:
        found, rest = found[1:], rest[1:]
    return found, "\n".join([*rest, *lines[number:]]).strip()


def parameters(signatures: list[str]) -> list[str] | None:
    """The names that a call may give; None where that is not known."""
    names: dict[str, None] = {}
    for signature in signatures:
        tree = parse(f"def _{signature}: ...")
        function = tree.body[0] if tree else None
        if not isinstance(function, ast.FunctionDef) or function.args.kwarg:
            return None
        for argument in (*function.args.args, *function.args.kwonlyargs):
            names[argument.arg] = None
    names.pop("self", None)
    return list(names) if signatures else None


def returns(signatures: list[str]) -> str:
    """What all of the signatures return, where it is one name."""
    found = set()
    for signature in signatures:
        match = _RETURN.search(signature)
        found.add(match["returns"].strip() if match else "")
    only = found.pop() if len(found) == 1 else ""
    return only if all(part.isidentifier() for part in only.split(".")) else ""


def _whole(lines: list[str], number: int, text: str) -> tuple[str, int]:
    """A signature that may go on over lines, and the number of the line behind it."""
    number += 1
    while text.count("(") > text.count(")") and number < len(lines) and lines[number].strip():
        text = f"{text} {lines[number].strip()}"
        number += 1
    end = _after_indented(lines, number)
    return " ".join([text, *(line.strip() for line in lines[number:end])]), end


def _after_indented(lines: list[str], number: int) -> int:
    while number < len(lines) and lines[number][:1] == " " and lines[number].strip():
        number += 1
    return number


def completed(entry: Entry, classes: dict[str, str]) -> None:
    """Fills in what an entry and its members lack from the heads of their docstrings. `classes`:
    the qualified names of the source's classes by their short ones."""
    for each in entry.walk():
        if each.kind in ("class", "function", "method") and not each.alias_of:
            found, rest = split_signatures(each.short, each.doc)
            each.doc = rest
            if found and not each.signatures:
                each.signatures = found
                each.parameters = parameters(found)
                each.returns = returns(found) if each.kind != "class" else ""
        if each.returns and "." not in each.returns:
            known = f"builtins.{each.returns}" if each.returns in _BUILTINS else ""
            each.returns = classes.get(each.returns, known)
