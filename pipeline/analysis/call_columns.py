"""Calls with what comes of them in two columns and no sign between, as lines that have one:

    get(o, "z", 1)              0
    get(o, "n.whatever", "-")   "-"   <- there is no n

Measurements, tables of more columns, and what shall not be look the same: in doubt they stay as
they are. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

_LEAST = 2  # lines of one function
_LONGEST = 400  # characters of a line
_CALL = re.compile(r"[ \t>]{0,12}(?:[-*+•][ \t]{1,4})?(?:await )?([A-Za-z_$][\w$]{0,80})\(")
_GAP = re.compile(r"(?P<wide> {2,60}|[ ]?\t[ \t]{0,20})(?=\S)| (?=\S)")
_VALUE = re.compile(
    r"\"(?:[^\"\\]|\\.){0,300}\"|'(?:[^'\\]|\\.){0,300}'|-?\d[\d_]{0,40}(?:\.\d{1,40})?(?![\w.])"
    r"|(?:True|False|None|true|false|null|undefined|NaN|-?Infinity)\b"
    r"|(?:(?:throws?|raises?)[ ](?:an?[ ])?)?[A-Z]\w{0,60}(?:Error|Exception)\b"
)
_REMARK = re.compile(r"[ \t]{1,60}(?:<-|←|#|//|--|\()")
_TAKES_BACK = re.compile(
    r"\b(?:wrong|should|must|not|bugs?|currently|now|was|but|why|expect\w*|instead|or|random\w*|e\.?g"
    r"|today|falsch|soll\w*|aber|nicht|faux|mais|pero|mal)\b|n['’]t\b|\?|❌|✗|[≈~]",
    re.IGNORECASE,
)
_HEADS = re.compile(r"\S(?:\t| {2,60})\s{0,60}\S")
_OTHER_HEADS = re.compile(
    r"\b(?:now|current\w*|actual\w*|before|got|gives|old|wrong|today|time|ms|secs?|seconds|took|calls"
    r"|runs?)\b",
    re.IGNORECASE,
)
# Of lines beside them that say how it was, or that it shall not stay so.
_WAS = re.compile(
    r"\b(?:old|no longer|wrong|incorrect|not right|instead|currently|today|bugs?|buggy"
    r"|but (?:that|this|it))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?[\d_]+(?:\.\d+)?")
_MEASURES = re.compile(
    r"\b(?:slow\w*|fast\w*|speed\w*|optimi[sz]\w*|benchmark\w*|profil\w*|timings?|timed|took|takes"
    r"|runtime|seconds|performan\w*|langsam\w*|schnell\w*|lent\w*|rapide\w*)\b",
    re.IGNORECASE,
)


class _Row(NamedTuple):
    """A line that begins with a call and goes on behind blanks; "" for a value that is none. Where
    there is one blank alone (not `is_wide`), the value's `column` has to be that of the others."""

    number: int
    function: str
    call: str
    value: str
    column: int
    is_wide: bool


def with_signs(text: str, sign: str) -> str:
    """The text with the sign between such calls and values, and without the remarks behind them."""
    lines = text.split("\n")
    found = enumerate(row for n, line in enumerate(lines) if (row := _row(n, line)))
    is_measured = _MEASURES.search(text) is not None
    for _, block in groupby(found, key=lambda row: row[1].number - row[0]):
        rows = [row for _, row in block]
        if _are_examples(lines, rows, is_measured):
            for row in rows:
                lines[row.number] = f"{row.call} {sign} {row.value}"
    return "\n".join(lines)


def _row(number: int, line: str) -> _Row | None:
    call = _CALL.match(line) if len(line) <= _LONGEST else None
    end = closing(line, call.end()) if call else 0
    gap = _GAP.match(line, end) if end else None
    if not call or not gap:
        return None
    value = _VALUE.match(line, gap.end())
    stop = value.end() if value else _end_of_items(line, gap.end())
    rest = line[stop:].rstrip()
    is_whole = not rest or (_REMARK.match(rest) and not _TAKES_BACK.search(rest))
    said, is_wide = line[gap.end() : stop] if is_whole else "", gap["wide"] is not None
    return _Row(number, call[1], line[:end], said, gap.end(), is_wide) if is_wide or said else None


def _end_of_items(line: str, start: int) -> int:
    return closing(line, start + 1) if line[start] in "[{(" else 0


def _are_examples(lines: Sequence[str], rows: Sequence[_Row], is_measured: bool) -> bool:
    """Whether they are enough, each has a value, and no words above say that they are others."""
    most = max(Counter(row.function for row in rows).values())
    if most < _LEAST or not all(row.value for row in rows):
        return False
    wide = {row.column for row in rows if row.is_wide}
    if not wide or (len(wide) > 1 and not all(row.is_wide for row in rows)):
        return False
    if any(row.column not in wide for row in rows):
        return False
    if is_measured and all(_NUMBER.fullmatch(row.value) for row in rows):
        return False
    above = _first_words(reversed(lines[: rows[0].number]))
    if _WAS.search(above) or _WAS.search(_first_words(lines[rows[-1].number + 1 :])):
        return False
    return not (_HEADS.search(above) and _OTHER_HEADS.search(above))


def _first_words(lines: Iterable[str]) -> str:
    return next((line.strip() for line in lines if line.strip("`~- \t|")), "")


def closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one before `at`; 0 for none."""
    depth, quote = 1, ""
    for place in range(at, min(len(text), at + _LONGEST)):
        each = text[place]
        if quote:
            quote = "" if each == quote else quote
        elif each in "'\"`":
            quote = each
        elif each in "([{":
            depth += 1
        elif each in ")]}":
            depth -= 1
            if not depth:
                return place + 1
    return 0
