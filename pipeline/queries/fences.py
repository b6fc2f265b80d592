"""The fenced blocks of a text (CommonMark 4.5: one without an end goes to the end). Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fence:
    """`start` and `end` are offsets of the whole block, `code` is what stands in it."""

    start: int
    end: int
    code: str


def fences(text: str) -> Iterator[Fence]:
    """In their order; one look at each line."""
    opening: re.Match[str] | None = None
    for found in _FENCE.finditer(text):
        mark, rest = found.groups()
        if opening is None:
            opening = None if mark[0] == "`" and "`" in rest else found
        elif mark.startswith(opening[1]) and not rest.strip():
            yield _between(text, opening, found.start(), found.end())
            opening = None
    if opening is not None:
        yield _between(text, opening, len(text), len(text))


def without_fences(text: str) -> str:
    """The text beside its fenced blocks."""
    kept, place = [], 0
    for fence in fences(text):
        kept.append(text[place : fence.start])
        place = fence.end
    return "".join([*kept, text[place:]])


def _between(text: str, opening: re.Match[str], stop: int, end: int) -> Fence:
    return Fence(opening.start(), end, text[opening.end() + 1 : stop].removesuffix("\n"))
