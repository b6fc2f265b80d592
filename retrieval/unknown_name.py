"""A name that the indexed library does not have, with the nearest one that it has."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UnknownName:
    """`kind` is the exception that Python would raise, `context` the source line."""

    name: str
    line: int
    context: str
    message: str
    kind: str


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
