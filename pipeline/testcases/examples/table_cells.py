"""The names and the cells of lines that are a table: with bars, commas or tabs between them, or as
pandas and people align them. Pure."""

import re
from collections.abc import Sequence
from itertools import pairwise

Cells = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The columns' names, "" for one without, and the rows."""

RULE = re.compile(r"[ \t]*[-+|][-+|:= \t]{2,}")
VALUE = re.compile(r"-?\d+(?:\.\d+)?|NaN")
GAP = re.compile(r" {2,}|\t+")
_BLANKS = re.compile(r"[ \t]+")
_INDEX = re.compile(r"-?\d+")
_WORD = re.compile(r"\S+")
_HEADS = re.compile(r"\S+(?: \S+)*")
_NUMBERED = re.compile(r"\d+ ")
_NAME = re.compile(r"[^\W\d][\w.%#/-]*(?: [\w.%#/-]+){0,3}|\d{1,4}")
_MOST_COLUMNS = 12


def cells_of(lines: list[str]) -> Cells | None:
    """The columns' names and the cells of lines that are one table."""
    if "|" in lines[0]:
        return _ruled([line for line in lines if not RULE.fullmatch(line)])
    for mark in "\t", ",", ";":
        if mark in lines[0].strip():
            head, *rows = ([cell.strip() for cell in line.split(mark)] for line in lines)
            return _as_table(head, rows)
    lines = _with_one_head(lines)
    if found := _below(lines, _WORD) or _below(lines, _HEADS):
        return found
    if found := _by_beginnings(lines):
        return found
    apart, close = _split(lines, GAP), _split(lines, _BLANKS)
    if close and len(close[0]) > 1 and _are_aligned(lines):
        return close
    return apart if apart and (len(apart[0]) > 1 or _is_numbered(lines)) else None


def _with_one_head(lines: list[str]) -> list[str]:
    """With the name of the rows, which stands below the head, in it; what the columns are called
    together, which stands in that place, is left out."""
    names, *rest = (line.split() for line in lines[1:3])
    if len(lines) < 3 or len(names) != 1 or len(*rest) < 2 or lines[1][0] == " ":
        return lines
    head = (
        lines[0] if lines[0][0] == " " else _WORD.sub(lambda each: " " * len(each[0]), lines[0], 1)
    )
    name = names[0]
    if head[: len(name)].strip() or not head.strip():
        return lines
    return [f"{name}{head[len(name) :]}", *lines[2:]]


def _is_numbered(lines: list[str]) -> bool:
    """Whether numbers of rows stand before all lines but the head."""
    return all(_NUMBERED.match(line) for line in lines[1:]) and lines[0].startswith(" ")


def _split(lines: list[str], gap: re.Pattern[str]) -> Cells | None:
    head, *rows = ([*filter(None, gap.split(line.strip()))] for line in lines)
    are_numbers = all(len(row) == 2 and VALUE.fullmatch(row[1]) for row in rows)
    if len(head) == 1 and are_numbers and not lines[0][:1].isspace():
        head = [*head, ""]  # a Series has no head but the name of its rows
    if len(rows) == 1 and len(rows[0]) > len(head):
        return None  # words of a sentence, as likely
    return _as_table(head, rows)


def _below(lines: list[str], heads: re.Pattern[str]) -> Cells | None:
    """What stands below each name, which ends where it does: texts with blanks in them, and empty
    cells."""
    ends = [match.end() for match in heads.finditer(lines[0])]
    is_numbered = _is_numbered(lines)
    if not is_numbered and (len(ends) < 2 or {*map(len, lines)} != {ends[-1]}):
        return None
    if any(line[end : end + 1].strip() for line in lines for end in ends) or (
        any(len(line) > ends[-1] for line in lines)
    ):
        return None  # something stands below two names
    rows = []
    for line in lines[1:]:
        begins = [len(line.split(" ")[0]) if is_numbered else 0, *ends]
        rows.append([line[at:end].strip() for at, end in pairwise(begins)])
    is_full = all(any(column) for column in zip(*rows, strict=True))
    return _as_table(heads.findall(lines[0]), rows) if is_full else None


def _by_beginnings(lines: list[str]) -> Cells | None:
    """What begins where a name does, and empty cells where nothing does."""
    begins = [match.start() for match in _HEADS.finditer(lines[0])]
    rows = []
    for line in lines[1:]:
        cells = {match.start(): match[0] for match in _HEADS.finditer(line)}
        if not cells.keys() <= {*begins}:
            return None
        rows.append([cells.get(at, "") for at in begins])
    is_full = all(any(column) for column in zip(*rows, strict=True))
    has_gaps = any("" in row for row in rows)
    if len(begins) < 2 or len(rows) < 2 or not (is_full and has_gaps and all(r[0] for r in rows)):
        return None
    return _as_table(_HEADS.findall(lines[0]), rows)


def _ruled(lines: list[str]) -> Cells | None:
    if len(lines) < 2 or not all("|" in line for line in lines):
        return None
    if lines[0].strip().startswith("|"):
        lines = [line.strip().removeprefix("|").removesuffix("|") for line in lines]
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in lines)
    return _as_table(head, rows)


def _as_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Cells | None:
    """With the numbers of the rows left out."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not 0 < len(head) <= _MOST_COLUMNS:
        return None
    width = widths.pop()
    if width == len(head) + 1:
        head = ["", *head]
    if width != len(head) or not all(map(_NAME.fullmatch, filter(None, head))):
        return None
    if next(filter(None, head), "0").isdigit():
        return None
    if not head[0] and all(_INDEX.fullmatch(row[0]) for row in rows):
        head, rows = head[1:], [row[1:] for row in rows]
    if not any(head) or head.count("") > 1 or len({*head}) < len(head):
        return None
    return tuple(head), tuple(map(tuple, rows))


def _are_aligned(lines: list[str]) -> bool:
    """Whether words end where those of the head do, as pandas prints columns."""
    ends = [[match.end() for match in re.finditer(r"\S+", line)] for line in lines]
    return all(each[-len(ends[0]) :] == ends[0] for each in ends[1:])
