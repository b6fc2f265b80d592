"""Two texts → the rows of a diff, side by side or inline. Pure, and bounded on any input."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from markupsafe import Markup

from dashboard.highlight import Line, Piece, lines, to_html

MAX_LINES = 1500
"""Of each side; what comes after is not compared, and the diff says so."""
MAX_CHARS = 128 * 1024
_CONTEXT = 3
_MOST_WORDS = 80  # lines with more are marked as a whole
_WORDS_BUDGET_S = 0.15  # after so long, lines are marked as a whole
_ALIKE = 0.4  # pairs of lines less alike than this are two lines, not one that was changed

_NOTHING = Markup("")

Kind = Literal["same", "del", "add", "change", "gap"]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A row: a line on the left, on the right, or both. A `gap` stands for `skipped` equal lines.
    Numbers count from 1; None where that side has no line."""

    kind: Kind
    left: int | None = None
    right: int | None = None
    left_html: Markup = _NOTHING
    right_html: Markup = _NOTHING
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Diff:
    rows: list[DiffRow]
    added: int
    deleted: int
    cut: bool
    same: bool
    """Character for character; equal lines may end in different ways, the last one not at all."""

    @property
    def equal(self) -> bool:
        return not (self.added or self.deleted or self.cut)

    def inline(self) -> Iterator[DiffRow]:
        """The rows with one line each: what was deleted before what was added."""
        waiting: list[DiffRow] = []
        for row in self.rows:
            if row.kind == "change":
                yield DiffRow("del", row.left, None, row.left_html)
                waiting.append(DiffRow("add", None, row.right, _NOTHING, row.right_html))
                continue
            if row.kind != "add":
                yield from waiting
                waiting = []
            if row.kind == "add" and waiting:
                waiting.append(row)
            else:
                yield row
        yield from waiting


def diff(left: str, right: str, language: str | None = None) -> Diff:
    """The diff of two texts, by lines, with the changed words of changed lines marked."""
    (a, cut_a), (b, cut_b) = _split(left), _split(right)
    head = _same_from_start(a, b)
    tail = _same_from_start(a[head:][::-1], b[head:][::-1])
    middle = SequenceMatcher(None, a[head : len(a) - tail], b[head : len(b) - tail])
    blocks = [("equal", 0, head, 0, head)] if head else []
    for tag, i, j, k, m in middle.get_opcodes():
        blocks.append((tag, i + head, j + head, k + head, m + head))
    if tail:
        blocks.append(("equal", len(a) - tail, len(a), len(b) - tail, len(b)))
    coloured_a, coloured_b = lines("\n".join(a), language), lines("\n".join(b), language)
    rows = list(_rows(blocks, _Side(a, coloured_a), _Side(b, coloured_b)))
    added = sum(m - k for tag, _, _, k, m in blocks if tag != "equal")
    deleted = sum(j - i for tag, i, j, _, _ in blocks if tag != "equal")
    return Diff(rows, added, deleted, cut_a or cut_b, left == right)


def chosen_view(asked: Mapping[str, str]) -> str:
    """How a page shows a diff, by its `?view=`: `side`, `inline`, or "" for what the screen is wide
    enough for."""
    view = asked.get("view", "")
    return view if view in ("side", "inline") else ""


Block = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Side:
    plain: Sequence[str]
    coloured: Sequence[Line]

    def line(self, index: int) -> Line:
        # The colourer drops an empty last line.
        return self.coloured[index] if index < len(self.coloured) else []


def _split(text: str) -> tuple[list[str], bool]:
    """The lines that are compared, and whether some were left out."""
    kept = text[:MAX_CHARS].replace("\r\n", "\n").removesuffix("\n")
    made = kept.split("\n") if kept else []
    return made[:MAX_LINES], len(text) > MAX_CHARS or len(made) > MAX_LINES


def _same_from_start(a: Sequence[str], b: Sequence[str]) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((index for index, (x, y) in pairs if x != y), min(len(a), len(b)))


def _rows(blocks: list[Block], a: _Side, b: _Side) -> Iterator[DiffRow]:
    until = time.monotonic() + _WORDS_BUDGET_S
    for index, (tag, i, j, k, m) in enumerate(blocks):
        if tag == "equal":
            yield from _equal(i, j, k, a, first=index == 0, last=index == len(blocks) - 1)
            continue
        for offset in range(max(j - i, m - k)):
            left = i + offset if i + offset < j else None
            right = k + offset if k + offset < m else None
            yield _changed(left, right, a, b, by_word=time.monotonic() < until)


def _equal(i: int, j: int, k: int, a: _Side, *, first: bool, last: bool) -> Iterator[DiffRow]:
    """Equal lines: those next to a change, and a gap for the rest."""
    before, after = 0 if first else _CONTEXT, 0 if last else _CONTEXT
    hidden = j - i - before - after
    for index in range(i, j):
        offset = index - i
        if hidden > 1 and before <= offset < before + hidden:
            if offset == before:
                yield DiffRow("gap", skipped=hidden)
            continue
        html = to_html(a.line(index))
        yield DiffRow("same", index + 1, k + offset + 1, html, html)


def _changed(left: int | None, right: int | None, a: _Side, b: _Side, *, by_word: bool) -> DiffRow:
    if left is None or right is None:
        if left is not None:
            return DiffRow("del", left + 1, None, to_html(a.line(left)))
        assert right is not None
        return DiffRow("add", None, right + 1, _NOTHING, to_html(b.line(right)))
    marks_a, marks_b = _word_marks(a.plain[left], b.plain[right]) if by_word else ([], [])
    return DiffRow(
        "change",
        left + 1,
        right + 1,
        _marked(a.line(left), marks_a),
        _marked(b.line(right), marks_b),
    )


Span = tuple[int, int]


def _word_marks(x: str, y: str) -> tuple[list[Span], list[Span]]:
    """Where two lines differ, as ranges of characters; none if that would be most of them."""
    words_x, words_y = (re.findall(r"\w+|\s+|[^\w\s]", line) for line in (x, y))
    if max(len(words_x), len(words_y)) > _MOST_WORDS:
        return [], []
    matcher = SequenceMatcher(None, words_x, words_y, autojunk=False)
    equal = "".join("".join(words_x[i : i + size]) for i, _, size in matcher.get_matching_blocks())
    if 2 * _weight(equal) < _ALIKE * (_weight(x) + _weight(y)):
        return [], []
    marks_x: list[Span] = []
    marks_y: list[Span] = []
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            marks_x.append((len("".join(words_x[:i])), len("".join(words_x[:j]))))
            marks_y.append((len("".join(words_y[:k])), len("".join(words_y[:m]))))
    return marks_x, marks_y


def _weight(text: str) -> int:
    """How much a text says: blanks say nothing."""
    return len("".join(text.split()))


def _marked(line: Line, spans: list[Span]) -> Markup:
    """The line with ranges of it in <mark>, whatever their colours."""
    html, position = Markup(""), 0
    edges = sorted({edge for span in spans for edge in span})
    for kind, text in line:
        cuts = [edge - position for edge in edges if position < edge < position + len(text)]
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
            piece = to_html([Piece(kind, text[start:end])])
            inside = any(s <= position + start and position + end <= e for s, e in spans)
            html += Markup("<mark>{}</mark>").format(piece) if inside else piece
        position += len(text)
    return html
