"""Where a reply goes on with the next file of the project, as small models do when they have
written the one that they were asked for. Pure."""

import ast
import re
from collections.abc import Iterable

from pipeline.analysis.python_syntax import parse

_NO_CONTENT = (ast.Import, ast.ImportFrom, ast.Expr)


def before_next_file(text: str, path: str, paths: Iterable[str]) -> str:
    """A file in Python without what follows a comment that is the name of another one, where a
    whole file stands before it: a comment over an import names a file as well."""
    names = {name for each in paths for name in (each, each.rpartition("/")[2]) if each != path}
    heading = re.compile(rf"^# ?(?:{'|'.join(map(re.escape, names))})[ \t]*$", re.MULTILINE)
    found = heading.search(text) if names and path.endswith(".py") else None
    before = text[: found.start()] if found else text
    return before.rstrip() + "\n" if found and _is_file(before) else text


def _is_file(text: str) -> bool:
    """Whether more than imports and documentation stands in it."""
    tree = parse(text)
    return tree is not None and not all(isinstance(node, _NO_CONTENT) for node in tree.body)
