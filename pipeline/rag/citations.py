"""Marks such as `[2]` or `[1, 3]` in a text → those that lead somewhere, numbered anew. Pure."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from pipeline.analysis.fences import around_fences

_NUMBERS = r"\[ {0,2}\d{1,3}(?: {0,2}[,;–-] {0,2}\d{1,3}){0,20} {0,2}\]"
# What is written as code is never touched.
_MARKS = re.compile(
    rf"`[^`\n]*`|(?P<blank>[ \t]{{0,2}})(?P<marks>{_NUMBERS}(?: ?{_NUMBERS}){{0,20}})(?![(\]])"
)
_ONE = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_WORD_BEFORE = re.compile(r"[\w)]$")
_SEVERAL = re.compile(r"[,;–-]")
# What a value stands behind, and no mark: in code, and in prose.
_IN_CODE = re.compile(r"(?:\w\((?:[^()]{0,17},)?|[=\[→]) ?$")
_RETURNED = re.compile(
    r"\b(?:returns?|gives?|yields?|prints?|equals|ergibt|liefert) $", re.IGNORECASE
)
_SEVERAL_BEFORE = re.compile(
    r"(?:[+*] ?|\b(?:is|are|of|for|between|range|interval|list|array|vector|tuple|point|becomes?"
    r"|gibt|ist|von|für|zwischen|Bereich|Intervall|Liste) )$",
    re.IGNORECASE,
)
_BEFORE = 20  # characters
_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")
_EXAMPLE = re.compile(
    r"https?://(?:localhost|127\.|\[?::1|(?:[\w-]+\.)*example\.(?:com|net|org)\b)"
)
_MOST_ADDRESSES = 200  # that are looked for; each may cost a search through all that is known
NO_LINK = "(link left out: no document has it)"


@dataclass(frozen=True, slots=True)
class Cited:
    """A text whose marks count from 1 in the order in which they come. `numbers` are the chunks'
    own numbers in that order, `dropped` is how many marks led to nothing."""

    text: str
    numbers: list[int]
    dropped: int


def renumber(text: str, offered: Collection[int]) -> Cited:
    """Takes out the marks of chunks that were not offered. `points[0]` is no mark unless the number
    is one of those, `[0, 1]` none unless all of them are."""
    order: list[int] = []
    dropped = 0

    def put(found: re.Match[str]) -> str:
        nonlocal dropped
        if not found["marks"]:
            return found[0]
        before = found.string[max(0, found.start() - _BEFORE) : found.start("marks")]
        if not _are_marks(found["marks"], before, offered):
            value, bracket, marks = found[0].partition("]")
            is_list = _SEVERAL.search(value)  # with marks behind it: `in [0, 1] [2].`
            return value + bracket + (_MARKS.sub(put, marks) if is_list else marks)
        numbers = list(dict.fromkeys(_read(found["marks"])))
        kept = [number for number in numbers if number in offered]
        dropped += len(numbers) - len(kept)
        order.extend(number for number in kept if number not in order)
        marks = "".join(f"[{order.index(number) + 1}]" for number in kept)
        return f"{found['blank']}{marks}" if marks else ""

    parts = around_fences(text)
    parts[::2] = [_MARKS.sub(put, part) for part in parts[::2]]
    return Cited("".join(parts), order, dropped)


def _are_marks(marks: str, before: str, offered: Collection[int]) -> bool:
    """Whether it may be so: of several numbers between brackets all were offered, and more than two
    rise."""
    several = [each for each in re.findall(_NUMBERS, marks) if _SEVERAL.search(each)]
    if _IN_CODE.search(before):
        return False
    if not several:
        is_value = _RETURNED.search(before) or _WORD_BEFORE.search(before)
        return not is_value or any(number in offered for number in _read(marks))
    listed = [[int(number) for number in re.findall(r"\d+", each)] for each in several]
    many = [numbers for numbers in listed if len(numbers) > 2]
    rise = all(one < other for numbers in many for one, other in pairwise(numbers))
    known = all(number in offered for numbers in listed for number in numbers)
    return rise and known and not (_RETURNED.search(before) or _SEVERAL_BEFORE.search(before))


def _read(marks: str) -> Iterator[int]:
    for found in _ONE.finditer(marks):
        first, last = int(found[1]), int(found[2] or found[1])
        yield from range(first, min(last, first + 20) + 1)


def without_invented_links(text: str, known: str) -> tuple[str, int]:
    """The text without the addresses that stand nowhere in `known`, and how many there were. Those
    in blocks of code are what a program works with, those of this machine and of example.com
    (RFC 2606) lead nowhere. Of very many the first are looked for, the others count as invented."""
    invented = 0
    seen: dict[str, bool] = {}

    def is_known(address: str) -> bool:
        if address not in seen and len(seen) < _MOST_ADDRESSES:
            seen[address] = address in known
        return seen.get(address, False)

    def put(found: re.Match[str]) -> str:
        nonlocal invented
        address = found[0].rstrip(".,;:!?")
        if is_known(address) or _EXAMPLE.match(address):
            return found[0]
        invented += 1
        return NO_LINK + found[0][len(address) :]

    parts = around_fences(text)
    parts[::2] = [_URL.sub(put, part) for part in parts[::2]]
    return "".join(parts), invented
