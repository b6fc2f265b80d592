"""What a program reads, as lines of values; and texts of that shape. Pure."""

import random
import re
import string
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from pipeline.testcases.inputs.value_bounds import Bounds

_MOST = 2000  # of anything, whatever is said
FEW = 6  # of anything of which the input says how many
_LEAST_LOW, _SPAN = -9, 19
_FAR = 0.12  # of the values are as large as may be
_USUAL = {  # where nobody says
    "month": (1, 12),
    "day": (1, 28),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
    "year": (1800, 2100),
    "age": (1, 99),
}
_SAME = 0.25  # of the values of a list are there already
_WORDS = ("cat", "dog", "ab", "level", "x", "Anna", "zebra", "abc", "ba")
_LINES = ("The cat saw the dog, the end!", "hello world", "racecar", "A dog. one two three", "aab")

Order = Literal["", "distinct", "sorted", "descending", "permutation"]
Count = int | str | None
"""How many: a number, the name of a value that is read before (`n`, `n-1`), None for any number."""


@dataclass(frozen=True, slots=True)
class Number:
    """`name`: as the request calls it, or one of our own that begins with `#`; `low`, `high`: where
    the words beside it say so; `decimals`: it may have some."""

    name: str
    low: int | None = None
    high: int | None = None
    decimals: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A word without blanks, or what is left of the line. `letters`: of which it is made, "" for
    any; `length`: of how many, None for any. `once`: letters of which a grid has each in one place.
    """

    name: str
    whole_line: bool = False
    letters: str = ""
    length: Count = None
    once: str = ""


@dataclass(frozen=True, slots=True)
class Several:
    """Values of one kind in one line. `order`: they are "distinct", "sorted", "descending", or a
    "permutation" of the numbers from 1."""

    item: Number | Text
    count: Count = None
    order: Order = ""


@dataclass(frozen=True, slots=True)
class Line:
    """`between`: what stands between its values; a line feed: they are lines of their own."""

    items: tuple[Number | Text | Several, ...]
    between: str = " "


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that come again and again. `end`: the line that ends them, which is none of them."""

    lines: tuple["Line | Block", ...]
    count: Count = None
    end: str = ""


Value = Number | Text | Several | Block


@dataclass(frozen=True, slots=True)
class Input:
    """The form of what a program reads. `bounds`: between which the values lie, by their names."""

    lines: tuple[Line | Block, ...]
    bounds: Bounds

    def counts(self) -> frozenset[str]:
        """The names that say how many there are of something."""
        return frozenset(_counts(self.lines))

    @property
    def is_bounded(self) -> bool:
        """Whether the request says of each value between which ends it lies."""
        values = [*_items(self.lines)]
        names = {each.name for each in values}
        return all(self._is_bounded(each, names) for each in values)

    def _is_bounded(self, value: Number | Text, names: Set[str]) -> bool:
        if isinstance(value, Text):
            return value.length is not None
        ends = [*self.bounds.lows.get(value.name, ()), *self.bounds.highs.get(value.name, ())]
        has_low = value.low is not None or value.name in self.bounds.lows
        has_high = value.high is not None or value.name in self.bounds.highs
        return has_low and has_high and all(end.name in {"", *names} for end in ends)

    def written(self, seed: str, constants: Sequence[int] = ()) -> str | None:
        """One text of this shape, the same for the same seed; None where what it begins with leaves
        no value between the ends of another. `constants`: numbers of which the request speaks."""
        try:
            lines = [*_Writer(self, seed, constants).lines(self.lines)]
        except _NoValue:
            return None
        return "".join(f"{line}\n" for line in lines)


class _NoValue(Exception):
    """The least is greater than the most."""


class _Writer(random.Random):
    def __init__(self, shape: Input, seed: str, constants: Sequence[int]) -> None:
        super().__init__(seed)
        self._shape, self._counts = shape, shape.counts()
        self._constants = [each for each in constants if abs(each) < 1000]
        self._known: dict[str, int] = {}
        self._low = _LEAST_LOW if self.random() < 0.3 else 0  # where nobody says

    def lines(self, lines: Sequence[Line | Block]) -> Iterator[str]:
        for each in lines:
            if isinstance(each, Line):
                yield each.between.join(map(str, self._values(each)))
                continue
            many = self._many(each.count, least=0 if each.end else 1)
            made = [line for _ in range(many) for line in self.lines(each.lines)]
            made = [line for line in made if line != each.end or not each.end]
            yield from self._with_marks(made, _once(each.lines))
            if each.end:
                yield each.end

    def _with_marks(self, grid: list[str], marks: str) -> list[str]:
        """With each of the marks in a place of its own, where there are enough."""
        places = [(row, at) for row, line in enumerate(grid) for at in range(len(line))]
        if len(places) < len(marks):
            return grid
        for mark, (row, at) in zip(marks, self.sample(places, len(marks)), strict=True):
            grid[row] = grid[row][:at] + mark + grid[row][at + 1 :]
        return grid

    def _many(self, count: Count, least: int = 1) -> int:
        """At most a few, where what is read before does not say so."""
        known = counted(count, self._known)
        if known is not None:
            return min(max(known, 0), _MOST)
        many = self.randint(least, FEW)
        if isinstance(count, str):  # which is no value of the input: the same everywhere
            self._known[count] = many
        return many

    def _values(self, line: Line) -> Iterator[object]:
        for item in line.items:
            if isinstance(item, Number):
                yield self._number(item)
            elif isinstance(item, Text):
                yield self._text(item)
            else:
                yield from self._several(item)

    def _several(self, several: Several) -> list[object]:
        n, item = self._many(several.count), several.item
        if several.order == "permutation":
            return list(self.sample(range(1, n + 1), n))
        if isinstance(item, Text):
            return [self._text(item) for _ in range(n)]
        made: list[object] = []
        for _ in range(n):
            again = made and several.order != "distinct" and self.random() < _SAME
            made.append(self.choice(made) if again else self._number(item))
        if several.order == "distinct":
            low, high = self._ends(item)
            within = range(low, max(min(high, low + 3 * n + 9), low + n - 1) + 1)
            return list(self.sample(within, n))
        if not several.order:
            return made
        down = several.order == "descending"
        return sorted(made, key=lambda each: float(str(each)), reverse=down)

    def _number(self, item: Number) -> int | str:
        low, high = self._ends(item)
        name = item.name
        if name in self._counts:
            value = self.randint(low, max(low, min(high, low + FEW - 1)))
        elif high - low > _SPAN and self.random() < _FAR:
            value = self.randint(high - 2, high)
        else:
            near = [each for each in self._constants if low <= each <= high]
            least = max(low, min(_LEAST_LOW, high - _SPAN))
            value = self.randint(least, min(high, least + _SPAN))
            if near and self.random() < 0.4:
                value = self.choice(near)
        self._known[name] = value
        if item.decimals and self.random() < 0.5:
            return f"{value + self.choice((0.5, 0.25, 0.75))}"
        return value

    def _ends(self, item: Number) -> tuple[int, int]:
        """What is stated beside it, what the constraints say, else a few of the usual ones."""
        low, high = self._shape.bounds.of(item.name, self._known)
        lows = [each for each in (low, item.low) if each is not None]
        highs = [each for each in (high, item.high) if each is not None]
        counted = item.name in self._counts
        if not highs and (usual := _USUAL.get(item.name.lstrip("#").rstrip("s"))):
            return usual
        least = max(lows) if lows else (1 if counted else self._low if item.name == "#" else 0)
        most = min(highs) if highs else least + _SPAN
        if least > most:
            raise _NoValue
        return least, most

    def _text(self, item: Text) -> str:
        if item.length is not None or item.letters:
            n = self._many(item.length)
            letters = item.letters or string.ascii_lowercase[:4]
            letters = "".join(each for each in letters if each not in item.once)
            few = self.sample(letters, min(len(letters), self.choice((2, 3, 5))))
            made = "".join(self.choices(few, k=n))
            if item.length is None and self.random() < 0.3:
                made += made[::-1]
            return made
        return self.choice(_LINES if item.whole_line else _WORDS)


def _items(lines: Sequence[Line | Block]) -> Iterator[Number | Text]:
    for each in lines:
        if isinstance(each, Block):
            yield from _items(each.lines)
            continue
        for item in each.items:
            yield item.item if isinstance(item, Several) else item


def _once(lines: Sequence[Line | Block]) -> str:
    match lines:
        case (Line(items=(Text(once=marks),)),):
            return marks
    return ""


def _counts(lines: Sequence[Line | Block]) -> Iterator[str]:
    for each in lines:
        if isinstance(each, Block):
            if isinstance(each.count, str):
                yield _name_of(each.count)
            yield from _counts(each.lines)
            continue
        for item in each.items:
            count = item.count if isinstance(item, Several) else None
            count = item.length if isinstance(item, Text) else count
            if isinstance(count, str):
                yield _name_of(count)
            inner = item.item if isinstance(item, Several) else None
            if isinstance(inner, Text) and isinstance(inner.length, str):
                yield _name_of(inner.length)


def counted(count: Count, known: Mapping[str, int]) -> int | None:
    """How many `n-1` are, None where nobody says it."""
    if count is None or isinstance(count, int):
        return count
    value = known.get(_name_of(count))
    return None if value is None else value + int(count[len(_name_of(count)) :] or 0)


def _name_of(count: str) -> str:
    return re.sub(r"[-+]\d+$", "", count)
