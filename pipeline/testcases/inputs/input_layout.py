"""The form of a program's input, read from a layout of names: `n q`, `a_1 a_2 ... a_n`, and below
each other `u_1 v_1`, `...`, `u_m v_m`. Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pipeline.analysis.fences import FENCE
from pipeline.testcases.inputs.input_shapes import Block, Line, Number, Several, Text
from pipeline.testcases.inputs.value_bounds import NAME, base_name

_ELLIPSIS = r"(?:\.\.\.|:|⋮|\\vdots|\\ldots)"
_LAYOUT = re.compile(rf"[ \t]*(?:{NAME}|{_ELLIPSIS})(?:[ \t]+(?:{NAME}|{_ELLIPSIS})){{0,12}}[ \t]*")
_LEFT_OUT = re.compile(_ELLIPSIS)
_SUBSCRIPT = re.compile(r"(?:_\{?|(?<=^[A-Za-z])|\[)([A-Za-z]|\d)\}?\]?$")
_MOST_LINES = 30


def layout_in(text: str, strings: frozenset[str]) -> tuple[Line | Block, ...]:
    """Of the longest stretch of such lines; () where there is none of two lines, or of one that
    leaves something out. `strings`: names that stand for texts."""
    lines = (line for line in text.splitlines() if line.strip() and not FENCE.match(line))
    runs = (list(run) for is_one, run in groupby(lines, key=_is_layout) if is_one)
    longest = max(runs, key=len, default=[])
    if len(longest) > _MOST_LINES:
        return ()
    if len(longest) < 2 and not any(_LEFT_OUT.search(line) for line in longest):
        return ()
    return tuple(_lines_of(longest, strings))


def _is_layout(line: str) -> bool:
    return bool(_LAYOUT.fullmatch(line)) and not re.fullmatch(r"[ \t]*[aAI][ \t]*", line)


def _lines_of(rows: Sequence[str], strings: frozenset[str]) -> Iterator[Line | Block]:
    at = 0
    while at < len(rows):
        names = rows[at].split()
        end = _last_of_column(rows, at)
        if end > at:
            yield Block((Line(tuple(_values(names, strings))),), _subscript(rows[end].split()[-1]))
            at = end
        elif not _is_ellipsis(rows[at]):
            alone = {"S", "T", "s", "t"}.intersection(names) if len(names) == 1 else set()
            yield Line(tuple(_values(names, strings | alone)))
        at += 1


def _last_of_column(rows: Sequence[str], at: int) -> int:
    """The last of rows of the same names with others left out between them; `at` for none."""
    bases = _bases(rows[at])
    end = at + 1
    while end < len(rows) and not _is_ellipsis(rows[end]) and _bases(rows[end]) == bases:
        end += 1
    if end + 1 < len(rows) and _is_ellipsis(rows[end]) and _bases(rows[end + 1]) == bases:
        return end + 1
    return at


def _is_ellipsis(row: str) -> bool:
    return bool(_LEFT_OUT.fullmatch(row.strip()))


def _bases(row: str) -> list[str]:
    return [base_name(name) for name in row.split()]


def _values(names: Sequence[str], strings: frozenset[str]) -> Iterator[Number | Text | Several]:
    """`a_1 a_2 ... a_n` are as many as the last one says."""
    at = 0
    while at < len(names):
        base = base_name(names[at])
        left_out = next((n for n in range(at, len(names)) if _LEFT_OUT.fullmatch(names[n])), 0)
        alike = left_out and {base_name(each) for each in names[at:left_out]} == {base}
        if alike and left_out + 1 < len(names):
            item = Text(base) if base in strings else Number(base)
            yield Several(item, _subscript(names[left_out + 1]))
            at = left_out + 2
            continue
        alone = sum(base_name(each) == base for each in names) == 1
        name = base if alone else names[at]
        yield Text(name) if base in strings else Number(name)
        at += 1


def _subscript(name: str) -> int | str | None:
    found = _SUBSCRIPT.search(name)
    if not found:
        return None
    return int(found[1]) if found[1].isdigit() else found[1]
