"""Where the file ends in a reply of a small model that goes on: with the next file of the project,
or with tests until it is stopped; those that it began with are as good as any. Pure."""

import ast
import re
from collections.abc import Iterable

from pipeline.analysis.python_syntax import parse

_NO_CONTENT = (ast.Import, ast.ImportFrom, ast.Expr)
_TEST = re.compile(r"[ \t]*(?:async )?def test")
_BEGINS = re.compile(r"[ \t]*(?:(?:async )?def test|class\b|@)")
_TRIED = 8  # ends from the last on: a class without a test, and a decorator alone, do not parse


def before_next_file(text: str, path: str, paths: Iterable[str]) -> str:
    """A file in Python without what follows a comment that is the name of another one, where a
    whole file stands before it: a comment over an import names a file as well. Nor with the files
    that stand before its own name."""
    own = {path, path.rpartition("/")[2]}
    names = {name for each in paths for name in (each, each.rpartition("/")[2])} - own
    if not names or not path.endswith(".py"):
        return text
    other, mine = _heading(names), _heading(own).search(text)
    if mine and other.search(text, 0, mine.start()) and _is_file(text[: mine.start()]):
        text = text[mine.start() :]
    found = other.search(text)
    before = text[: found.start()] if found else text
    return before.rstrip() + "\n" if found and _is_file(before) else text


def _heading(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"^# ?(?:{'|'.join(map(re.escape, names))})[ \t]*$", re.MULTILINE)


def _is_file(text: str) -> bool:
    """Whether more than imports and documentation stands in it."""
    tree = parse(text)
    return tree is not None and not all(isinstance(node, _NO_CONTENT) for node in tree.body)


def whole_tests(text: str) -> str:
    """A file of tests that was cut off, up to the last test that is whole; "" where none is."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if _TEST.match(line)), len(lines))
    ends = [number for number, line in enumerate(lines) if number > first and _BEGINS.match(line)]
    for end in reversed(ends[-_TRIED:]):
        kept = "\n".join(lines[:end]).rstrip() + "\n"
        if parse(kept) is not None:
            return kept
    return ""
