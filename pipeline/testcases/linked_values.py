"""The values of linked nodes as lists: those of a binary tree row by row, as LeetCode writes them,
with None where there is none below. Pure."""

import json
import re
from collections import deque
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

MOST_NODES = 200  # as many calls stand within each other where they are made
_FULL = (0.6, 0.85, 1.0)  # how many of the places of a tree hold something

Nested = tuple[Any, "Nested | None", "Nested | None"]
"""A tree: what it holds, and what is left and right below."""


def as_tree(values: Sequence[Any], chance: Random) -> list[Any]:
    """A tree of these, some places of which are left free."""
    placed, full = [*values[:1]], chance.choice(_FULL)
    for each in values[1:]:
        while chance.random() > full and _free(placed) > 1:
            placed.append(None)
        placed.append(each)
    return placed


def _free(placed: Sequence[Any]) -> int:
    """How many places are left below those that hold something."""
    return sum(2 for each in placed if each is not None) - len(placed) + 1


def without_ends(values: Sequence[Any]) -> list[Any]:
    """A tree's rows without what is missing at the end."""
    last = max((at for at, each in enumerate(values, 1) if each is not None), default=0)
    return [*values[:last]]


def as_mirrored(values: Sequence[Any]) -> list[Any]:
    """A tree of which the right half is the left one, mirrored."""
    found, rest, size = [*values[:1]], [*values[1:]], 1
    while rest:
        row = (rest[:size] + [None] * size)[:size]
        found += row + row[::-1]
        rest, size = rest[size:], size * 2
    return found


def as_search_tree(values: Iterable[Any]) -> list[Any]:
    """A binary search tree of these, put in one after the other, each once."""
    tree: list[Any] | None = None
    for value in dict.fromkeys(values):
        tree = _put_in(tree, value)
    return _rows(tree)


def as_nearly_search_tree(values: Sequence[int]) -> list[Any]:
    """One in which each value is on the right side of the one above, and one is not of the first:
    who compares neighbours alone takes it for a search tree."""
    tree: list[Any] | None = None
    for value in values:
        tree = _put_in(tree, value)
    for side, other, beyond in ((1, 2, 1), (2, 1, -1)):
        if tree and tree[side]:
            tree[side][other] = [tree[0] + beyond, None, None]
            break
    return _rows(tree)


def _put_in(tree: list[Any] | None, value: Any) -> list[Any]:
    if tree is None:
        return [value, None, None]
    side = 1 if value < tree[0] else 2
    tree[side] = _put_in(tree[side], value)
    return tree


def _rows(tree: list[Any] | None) -> list[Any]:
    found: list[Any] = []
    waiting = deque([tree])
    while any(each is not None for each in waiting):
        node = waiting.popleft()
        found.append(None if node is None else node[0])
        waiting.extend(node[1:] if node is not None else ())
    return found


_PIECES = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s(),]+|[(),]')


def read_shown(text: str) -> list[Any]:
    """The values of nodes as drivers show them: `1 -> 2`, or of a tree `1(2, -)`, row by row; []
    for anything else."""
    try:
        if "(" not in text:
            return [json.loads(each) for each in text.split(" -> ")]
        return _rows(_Shown(text).tree())
    except (ValueError, IndexError, RecursionError):
        return []


class _Shown:
    """A tree as it is shown, read piece by piece."""

    def __init__(self, text: str) -> None:
        self._pieces = deque(_PIECES.findall(text))

    def tree(self) -> list[Any] | None:
        """Raises ValueError and IndexError for what is none."""
        held = self._pieces.popleft()
        if held == "-":
            return None
        tree: list[Any] = [json.loads(held), None, None]
        if self._pieces and self._pieces[0] == "(":
            self._pieces.popleft()
            tree[1] = self.tree()
            if self._pieces.popleft() != ",":
                raise ValueError("no second one")
            tree[2] = self.tree()
            self._pieces.popleft()
        return tree


def nested(values: Sequence[Any]) -> Nested | None:
    """What hangs below what. Of a value that has no place nothing is left."""
    if not values or values[0] is None:
        return None
    root: list[Any] = [values[0], None, None]
    waiting, left = deque([root]), deque(values[1:])
    while left and waiting:
        node = waiting.popleft()
        for side in (1, 2):
            value = left.popleft() if left else None
            if value is not None:
                node[side] = [value, None, None]
                waiting.append(node[side])
    return _frozen(root)


def _frozen(tree: list[Any] | None) -> Nested | None:
    return None if tree is None else (tree[0], _frozen(tree[1]), _frozen(tree[2]))
