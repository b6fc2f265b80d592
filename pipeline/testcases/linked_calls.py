"""What functions that take linked nodes are called with: lists that are said to be sorted are so,
trees to be searched too, and what is beside them has to do with them. Pure."""

import re
from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Any

from pipeline.testcases.call_slots import Slot
from pipeline.testcases.linked_values import (
    as_mirrored,
    as_nearly_search_tree,
    as_search_tree,
    as_tree,
)
from pipeline.testcases.method_words import speaks_of_nothing
from pipeline.testcases.value_kinds import Kind

_SORTED = re.compile(
    r"\b(?<!not )(?:sorted|ordered|ascending|sortiert\w*|tri[ée]e?s?)\b", re.IGNORECASE
)
_SORTS = re.compile(r"\b(?:sorts?|sorting|sortieren?|trie[rz]?)\b", re.IGNORECASE)
_SEARCHED = re.compile(r"\bBST\b|\bsearch[ -]tree|\bsuchb[aä]um|\brecherche\b", re.IGNORECASE)
_VALIDATED = re.compile(r"\b(?:valid\w*|check\w*|whether)\b|\bis_?\w{0,9}BST\b", re.IGNORECASE)
_FROM_ZERO = re.compile(r"\b(?:0|zero)[- ]?(?:based|indexed)|\bindex\b|\bindices\b", re.IGNORECASE)
_DIGITS = re.compile(r"\bdigits?\b|\bziffern?\b|\bchiffres?\b", re.IGNORECASE)
_PLACE = re.compile(
    r"[ijkmn]|at|from|to|left|right|start|end|idx|index|pos|position|nth|steps?|parts?|size"
)
_ENDS = re.compile(
    r"l(?:o|ow|eft|ower)?|h(?:i|igh)?|r(?:ight)?|upper|m|n|min|max|start|end|from|to"
)
_MIRRORED = re.compile(r"\b(?:palindrom\w*|symmetri\w*|mirror\w*)\b", re.IGNORECASE)
_SAME = re.compile(r"\b(?:same|equal|identical|gleich\w*|identiques?)\b", re.IGNORECASE)
_LARGE = 0.15  # of the lists of numbers
_NEARLY = 0.3  # of the trees that may be search trees
_AMONG = 0.75  # of the values beside a list or a tree: one of its own
_UNSORTED = 0.7  # of the lists that are to be sorted, and spoken of as sorted
CIRCULAR = re.compile(r"\b(?:circular|cyclic|cycles?|loop(?:s|ed)? back)\b", re.IGNORECASE)
"""Of lists without an end, which no values say."""

_OF_OTHERS = {"p", "q", "node", "target"}  # they mostly stand for nodes of a tree that is given
_TWO = (["tree", "tree"], ["nodes", "nodes"])
_PLAIN = ("int", "char", "str", "float")


def takes_nodes(slots: Sequence[Slot]) -> bool:
    return any(_links(slot.kind) for slot in slots)


def are_alone(slots: Sequence[Slot], request: str) -> bool:
    """Whether nodes can be made for them: no circles, and none that is to be another one's."""
    linked = [slot.name for slot in slots if slot.kind.node]
    of_others = len(linked) > 1 and not _OF_OTHERS.isdisjoint(linked)
    return not (of_others or CIRCULAR.search(request))


def with_nodes(
    given: Sequence[Any], slots: Sequence[Slot], request: str, chance: Random
) -> list[Any]:
    """The values as what a request speaks of takes them. An empty list is none where it does not
    say what comes of it."""
    linked = _Linked(request, chance, slots)
    pairs = zip(slots, given, strict=True)
    values = [linked.of(slot.kind, value) for slot, value in pairs]
    names = [slot.kind.name for slot in slots]
    if names in _TWO and _SAME.search(request) and chance.random() < 0.5:
        values[1] = values[0]
    held = [each for each in _held(values, slots) if each is not None]
    beside = _Beside(chance, held, 0 if _FROM_ZERO.search(request) else 1)
    pairs = zip(slots, values, strict=True)
    return _in_order([beside.of(slot, value) for slot, value in pairs], slots)


def _links(kind: Kind) -> bool:
    """Nodes, or many of them."""
    return bool(kind.node) or any(each.node for each in kind.items)


def _held(values: Sequence[Any], slots: Sequence[Slot]) -> list[Any]:
    found: list[Any] = []
    for value, slot in zip(values, slots, strict=True):
        if _links(slot.kind):
            found += value if slot.kind.node else chain.from_iterable(value)
    return found


class _Linked:
    """Values of nodes, as a request speaks of them."""

    def __init__(self, request: str, chance: Random, slots: Sequence[Slot]) -> None:
        self._chance = chance
        self._is_searched = _SEARCHED.search(request)
        self._is_validated = _VALIDATED.search(request)
        self._is_mirrored = _MIRRORED.search(request)
        self._is_sorted, self._sorts = _SORTED.search(request), _SORTS.search(request)
        self._of_digits = _DIGITS.search(request)
        self._least = 0 if speaks_of_nothing(request) else 3
        # A value that stands twice in a tree names no node.
        self._is_distinct = any(slot.kind.name in _PLAIN for slot in slots)

    def of(self, kind: Kind, value: Any) -> Any:
        if not _links(kind):
            return value
        if not kind.node:
            return [self.of(kind.items[0], each) for each in value]
        values = self._values(kind.items[0], value)
        return self._tree(values) if kind.name == "tree" else self._list(values)

    def _values(self, held: Kind, value: Sequence[Any]) -> list[Any]:
        few = "cab" if held.name in ("str", "char") else (3, 1, 2)
        values = [*value] or [held.fit(each) for each in few[: self._least]]
        if held.name == "int" and self._of_digits:
            return [abs(each) % 10 for each in values]
        if held.name == "int" and self._chance.random() < _LARGE:
            return [held.fit(each * 1000) for each in values]
        return values

    def _tree(self, values: list[Any]) -> list[Any]:
        if self._is_mirrored and self._chance.random() < 0.5:
            return as_mirrored(values)
        if self._is_searched and self._is_validated and self._chance.random() < _NEARLY:
            is_of_numbers = all(type(each) is int for each in values)
            return as_nearly_search_tree([*dict.fromkeys(values)]) if is_of_numbers else values
        is_any = self._is_validated and self._chance.random() < 0.5
        if self._is_searched and not is_any:
            return as_search_tree(values)
        return as_tree([*dict.fromkeys(values)] if self._is_distinct else values, self._chance)

    def _list(self, values: list[Any]) -> list[Any]:
        if self._is_mirrored and self._chance.random() < 0.5:
            return [*values, *values[::-1][self._chance.choice((0, 1)) :]]
        is_any = self._sorts and self._chance.random() < _UNSORTED
        return sorted(values) if self._is_sorted and not is_any else values


class _Beside:
    """What stands beside nodes: a place in the list, or mostly a value of its own."""

    def __init__(self, chance: Random, held: Sequence[Any], starts: int) -> None:
        self._chance, self._held, self._starts = chance, held, starts

    def of(self, slot: Slot, value: Any) -> Any:
        if _links(slot.kind):
            return value
        if slot.kind.name == "int" and _PLACE.fullmatch(slot.name):
            last = max(len(self._held) - 1 + self._starts, self._starts)
            return self._chance.randint(self._starts, last)
        own = [each for each in self._held if type(each) is type(value)]
        return self._chance.choice(own) if own and self._chance.random() < _AMONG else value


def _in_order(values: list[Any], slots: Sequence[Slot]) -> list[Any]:
    """The lower end first, where two numbers are called so."""
    ends = [at for at, slot in enumerate(slots) if _is_end(slot)]
    if len(ends) == 2:
        low, high = ends
        values[low], values[high] = sorted((values[low], values[high]))
    return values


def _is_end(slot: Slot) -> bool:
    return slot.kind.name == "int" and bool(_ENDS.fullmatch(slot.name))
