"""Arrays that a text shows: as numpy prints them, or as the source of an `np.array`. Pure."""

import re
from collections.abc import Iterator

from pipeline.testcases.examples.printed_tables import Printed, label_of, uncommented
from pipeline.testcases.literals import matching

_BEGIN = re.compile(
    r"(?:(?<![\w.])(\w+)[ \t]*=[ \t]*)?(?:(?:\b(?:np|numpy)\.)?(\barray\()|(?<![\w\])]))(?=\[)"
)
_ITEMS = re.compile(r"[\s\d.,+\-\[\]]*|(?:[\s\d.,+\-\[\]e]|nan|inf|True|False)*")
_ROW = re.compile(r"\[([^\[\]]*)\]")
_GAP = re.compile(r"[\s,]+")
_ASKED = re.compile(r">>> ([A-Za-z_]\w*)\s*$")
_DIGITS = 8  # that numpy prints of a fraction
_LONGEST = 2000
_BEHIND = 40  # characters between a call and what it gives


def arrays_in(text: str) -> list[Printed]:
    """Of one dimension or two, in their order."""
    return [*_arrays(uncommented(text))] if "[" in text else []


def _arrays(text: str) -> Iterator[Printed]:
    """Not those in a call, nor what that gives: such calls are read elsewhere."""
    done = of_call = 0
    for match in _BEGIN.finditer(text):
        end = matching(text, match.end(), _LONGEST) if match.start() >= done else None
        inside = text[match.end() : end] if end else ""
        done = end or done
        if end and text[match.start() - 1 : match.start()] == "(":
            of_call = end + _BEHIND
        if match.start() < of_call:
            continue
        if end is None or not (match[2] or "," not in inside) or not _ITEMS.fullmatch(inside):
            continue
        rows = [[*filter(None, _GAP.split(row))] for row in _ROW.findall(inside)]
        if not rows or not rows[0] or len({*map(len, rows)}) > 1 or "[[[" in inside:
            continue
        yield _array(text, match, end, rows, is_flat=not inside.startswith("[["))


def _array(
    text: str, match: re.Match[str], end: int, rows: list[list[str]], *, is_flat: bool
) -> Printed:
    before = text[max(0, match.start() - 200) : match.start()]
    asked = _ASKED.search(before)
    label = match[1] or (asked[1] if asked else label_of(before))
    lines = [f"[{', '.join(_value(cell) for cell in row)}]" for row in rows]
    items = lines[0] if is_flat else f"[{', '.join(lines)}]"
    digits = max(len(cell.partition(".")[2]) for row in rows for cell in row) or _DIGITS
    cells = tuple(tuple(_padded(cell, digits) for cell in row) for row in rows)
    return Printed(match.start(), end, (), cells, label, f"np.array({items})")


def _value(cell: str) -> str:
    return f"np.{cell.lstrip('-')}" if cell.lstrip("-") in ("nan", "inf") else cell


def _padded(cell: str, digits: int) -> str:
    """A fraction with the digits that numpy leaves out: `2.` is 2.00000000."""
    whole, point, fraction = cell.partition(".")
    return f"{whole}.{fraction.ljust(digits, '0')}" if point and "e" not in cell else cell
