"""Which lines two versions of a text have in common, in bounded time. Pure.

difflib takes a time that grows with the square of the number of lines, and worse: 8,000 lines in
reverse order keep it busy for half a minute. Here lines that stand once in both texts are matched
first (patience diff), and difflib reads what lies between them, as far as its work stays small.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import pairwise, takewhile

MOST_WORK = 100_000  # pairs of lines that difflib may compare in one diff: a quarter of a second
_ROUNDS = 8  # of looking for unique lines between unique lines

Span = tuple[int, int, int, int]  # from and to in the one text, from and to in the other
Place = tuple[int, int]


class LineMatcher(SequenceMatcher[str]):
    """difflib's own, but for how the matching blocks are found. Short texts, and what is left of
    long ones without the lines at both ends that are equal, are matched exactly as difflib does."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        super().__init__(None, before, after)
        self._old, self._new, self._left = before, after, MOST_WORK

    def get_matching_blocks(self) -> list[Match]:
        """As difflib's: in order, the last one empty."""
        if len(self._old) * len(self._new) <= MOST_WORK:
            return super().get_matching_blocks()
        whole = (0, len(self._old), 0, len(self._new))
        return [*_joined(self._blocks(whole, _ROUNDS)), Match(whole[1], whole[3], 0)]

    def _blocks(self, span: Span, rounds: int) -> Iterator[Match]:
        """Equal beginnings, what is equal in the midst, and equal ends."""
        i, j, k, m = span
        head = _alike(zip(self._old[i:j], self._new[k:m], strict=False))
        i, k = i + head, k + head
        tail = _alike(zip(reversed(self._old[i:j]), reversed(self._new[k:m]), strict=False))
        yield Match(i - head, k - head, head)
        yield from self._midst((i, j - tail, k, m - tail), rounds)
        yield Match(j - tail, m - tail, tail)

    def _midst(self, span: Span, rounds: int) -> Iterator[Match]:
        i, j, k, m = span
        work = (j - i) * (m - k)
        if 0 < work <= self._left:
            self._left -= work
            found = SequenceMatcher(None, self._old[i:j], self._new[k:m]).get_matching_blocks()
            yield from (Match(i + each.a, k + each.b, each.size) for each in found)
        elif work and rounds and (anchors := _anchors(self._old, self._new, span)):
            for start, end in pairwise([(i, k), *anchors, (j, m)]):
                yield from self._blocks((start[0], end[0], start[1], end[1]), rounds - 1)


def _alike(pairs: Iterator[tuple[str, str]]) -> int:
    """How many pairs of equal lines come first."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _joined(blocks: Iterator[Match]) -> Iterator[Match]:
    """Without empty ones, and those that touch made one."""
    last = Match(0, 0, 0)
    for each in blocks:
        if each.size and (last.a + last.size, last.b + last.size) == (each.a, each.b):
            last = Match(last.a, last.b, last.size + each.size)
        elif each.size:
            if last.size:
                yield last
            last = each
    if last.size:
        yield last


def _anchors(a: Sequence[str], b: Sequence[str], span: Span) -> list[Place]:
    """The places of lines that stand once in both: the most that come in one order."""
    i, j, k, m = span
    there = _once(b, k, m)
    places = [(n, there[line]) for line, n in _once(a, i, j).items() if line in there]
    return _longest_rise(places)


def _once(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    """The lines that stand there once, with their places."""
    counts = Counter(lines[start:end])
    return {lines[n]: n for n in range(start, end) if counts[lines[n]] == 1}


def _longest_rise(places: Sequence[Place]) -> list[Place]:
    """The longest row in which the second numbers rise as the first do (patience sorting)."""
    ends: list[int] = []  # the least second number that a row of each length can end with
    rows: list[int] = []  # the place in which that row ends
    before: list[int | None] = []
    for n, (_, second) in enumerate(places):
        length = bisect_left(ends, second)
        ends[length : length + 1], rows[length : length + 1] = [second], [n]
        before.append(rows[length - 1] if length else None)
    row: list[Place] = []
    last = rows[-1] if rows else None
    while last is not None:
        row.append(places[last])
        last = before[last]
    return row[::-1]
