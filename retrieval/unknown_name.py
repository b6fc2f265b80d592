"""A name that the indexed library does not have, with the nearest one that it has."""

import ast
import difflib
from collections.abc import Iterable
from dataclasses import dataclass

MANY = 30  # findings; more are no help


@dataclass(frozen=True, slots=True)
class UnknownName:
    """`kind` is the exception that Python would raise, `context` the source line."""

    name: str
    line: int
    context: str
    message: str
    kind: str


class UnknownNames:
    """Each name once a line."""

    def __init__(self, code: str) -> None:
        self._lines = code.split("\n")
        self._found: dict[tuple[int, str], UnknownName] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, node: ast.AST, kind: str, name: str, message: str) -> None:
        # An attribute of a call over several lines stands where it ends.
        at = "end_lineno" if isinstance(node, ast.Attribute) else "lineno"
        line = getattr(node, at, None) or 1
        context = self._lines[line - 1].strip() if line <= len(self._lines) else ""
        self._found.setdefault((line, name), UnknownName(name, line, context, message, kind))

    def sorted(self) -> list[UnknownName]:
        """By line."""
        return [self._found[key] for key in sorted(self._found)][:MANY]


def nearest(wanted: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The name that was meant; "" where none is near. Case and underscores count for little:
    `set_radius` is near to `SetRadius`."""
    plain: dict[str, str] = {}
    for name in sorted(names):
        plain.setdefault(_plain(name), name)
    near = difflib.get_close_matches(_plain(wanted), plain, n=1, cutoff=cutoff)
    return plain[near[0]] if near else ""


def suggestion(wanted: str, names: Iterable[str]) -> str:
    """`; did you mean 'SetMapper'?`, or nothing."""
    near = nearest(wanted, names)
    return f"; did you mean {near!r}?" if near else ""


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
