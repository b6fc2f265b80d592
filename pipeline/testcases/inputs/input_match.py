"""Whether a text has the form of a described input. Pure."""

import re
from collections.abc import Sequence

from pipeline.testcases.inputs.input_shapes import (
    Block,
    Count,
    Input,
    Line,
    Number,
    Several,
    Text,
    counted,
)

_WHOLE, _REAL = re.compile(r"[+-]?\d+"), re.compile(r"[+-]?\d+(?:\.\d+)?")


def matches(shape: Input, text: str) -> bool:
    """All of the text has to be of the form: as it is written for a program."""
    rows = [line for line in text.split("\n") if line.strip()]
    reading = _Rows(rows)
    return reading.have(shape.lines) and reading.at == len(rows)


class _Rows:
    def __init__(self, rows: Sequence[str]) -> None:
        self._rows, self.at = rows, 0
        self._known: dict[str, int] = {}

    def have(self, lines: Sequence[Line | Block]) -> bool:
        return all(
            self._has_line(each) if isinstance(each, Line) else self._has(each) for each in lines
        )

    def _has(self, block: Block) -> bool:
        """As often as it is said; where nobody says it, as often as there are rows."""
        many = self._many(block.count)
        n = 0
        while (n < many) if many is not None else (self.at < len(self._rows)):
            if block.end and many is None and self._rows[self.at].strip() == block.end:
                self.at += 1
                break
            if not self.have(block.lines):
                return False
            n += 1
        return True

    def _has_line(self, line: Line) -> bool:
        if line.between == "\n":
            return self._has_column(line)
        if self.at >= len(self._rows):
            return False
        row = self._rows[self.at]
        self.at += 1
        match line.items:
            case (Text(whole_line=True),):
                return True
        words = row.split(line.between.strip() or None)
        place = 0
        for item in line.items:
            many = self._many(item.count) if isinstance(item, Several) else 1
            many = len(words) - place if many is None else many
            kind = item.item if isinstance(item, Several) else item
            if many > len(words) - place or not all(
                self._is(kind, word.strip()) for word in words[place : place + many]
            ):
                return False
            place += many
        return place == len(words)

    def _has_column(self, line: Line) -> bool:
        """Values of one kind, each in a line of its own."""
        items = [each for each in line.items if isinstance(each, Several)]
        many = [self._many(each.count) for each in items]
        n = len(self._rows) - self.at if None in many else sum(each or 0 for each in many)
        rows = self._rows[self.at : self.at + n]
        self.at += n
        return len(rows) == n and all(self._is(items[0].item, row.strip()) for row in rows)

    def _many(self, count: Count) -> int | None:
        return counted(count, self._known)

    def _is(self, item: Number | Text, word: str) -> bool:
        if isinstance(item, Text):
            return True
        if _WHOLE.fullmatch(word):
            self._known[item.name] = int(word[:19])
            return True
        return bool(_REAL.fullmatch(word))
