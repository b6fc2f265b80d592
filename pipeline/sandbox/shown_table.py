"""A table as a request shows it, and whether a value is that table. Pure."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.sandbox.sandbox_scripts.value_json import Foreign

_MIDNIGHT = " 00:00:00"
_ON_THE_MINUTE = re.compile(r"^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d):00$")
_QUOTED = re.compile(r"\w+\(['\"]([^'\"]*)['\"]")  # `Timestamp('2024-01-15 00:00:00')`
_NUMBER = re.compile(r"[-+]?\d+(?:\.(\d+))?(?:e[-+]?\d+)?", re.IGNORECASE)
_GAPS = ("", "nan", "nat", "none", "null", "<na>", "(null)", "<null>")
DASHES = ("-", "–", "—", "--")
TRUTH = {"true": True, "t": True, "false": False, "f": False}
_NEAR = 1e-9  # of whole numbers


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Or an array. `columns` are its names, "" for one without; () where no names are shown. `rows`
    hold what stands in the cells. `ordered`: the rows have to come as they are shown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    ordered: bool = True

    def __repr__(self) -> str:
        lines = [self.columns] if any(self.columns) else []
        return "; ".join("  ".join(row).strip() for row in (*lines, *self.rows))

    def is_shown_by(self, value: Any) -> bool:
        """Whether it has these columns, in whatever order, and the cells of these rows. Numbers of
        rows do not count, nor in what type a cell is kept that is printed the same."""
        match value:
            case Foreign(held={"columns": list(columns)}):
                rows = self._rows_of([(str(name), [*items]) for name, items in columns])
            case [tuple(), *_] as items:  # of a query: its columns have no names
                rows = [[*row] if isinstance(row, tuple) else [row] for row in items]
            case Foreign(held=list(items)) | list(items) if self.columns:
                rows = self._rows_of([("", [*items])])
            case Foreign(held=list(items)) | list(items):
                rows = [row if isinstance(row, list) else [row] for row in items]
                rows = [[*items]] if len(self.rows) == 1 and len(items) > 1 else rows
            case dict() as held if len(self.columns) == 2:
                rows = [[*item] for item in held.items()]  # as good as a Series
            case _:
                return False
        if rows is None or len(rows) != len(self.rows):
            return False
        if self.ordered:
            return all(map(_is_row, rows, self.rows))
        left = [*rows]
        for wanted in self.rows:
            found = next((n for n, row in enumerate(left) if _is_row(row, wanted)), None)
            if found is None:
                return False
            left.pop(found)
        return True

    def _rows_of(self, named: list[tuple[str, list[Any]]]) -> list[list[Any]] | None:
        """The value's rows, their cells in the order of the columns here; None where it has others.
        Names of rows that are not shown are left out."""
        width = len(self.columns) or len(self.rows[0])
        if len(named) > width:
            named = [each for each in named if each[0]]
        if len(named) != width:
            return None
        left = [name for name, _ in named]
        if any(self.columns) and any(left):
            places = self._places(left)
            if places is None:
                return None
            named = [named[at] for at in places]
        return [[*row] for row in zip(*(items for _, items in named), strict=False)]

    def _places(self, names: list[str]) -> list[int] | None:
        """Where the columns stand among these names; one without a name is what is left."""
        by_name = {column: names.index(column) for column in self.columns if column in names}
        left = iter(at for at, name in enumerate(names) if at not in by_name.values())
        places = [by_name[each] if each in by_name else next(left) for each in self.columns]
        pairs = zip(self.columns, (names[at] for at in places), strict=True)
        return None if any(a != b and a and b for a, b in pairs) else places


def is_gap(cell: str) -> bool:
    """Whether it is what stands where a value is missing."""
    return cell.lower() in _GAPS


def _is_row(cells: Sequence[Any], shown: Sequence[str]) -> bool:
    return len(cells) == len(shown) and all(map(_is_cell, cells, shown))


def _is_cell(value: Any, shown: str) -> bool:
    text = _printed(value)
    if value in (0, 1) and shown.lower() in TRUTH:
        return bool(value) == TRUTH[shown.lower()]
    if is_gap(shown) or (shown in DASHES and is_gap(text)):
        return is_gap(text)
    number, own = _NUMBER.fullmatch(shown), _NUMBER.fullmatch(text)
    if number is None or own is None:
        return _without_seconds(text) == _without_seconds(shown)
    digits = len(number[1] or "")
    near = 0.5001 * 10.0**-digits if digits else _NEAR
    return math.isclose(float(text), float(shown), rel_tol=_NEAR, abs_tol=near)


def _printed(value: Any) -> str:
    """As a table is printed: a moment without its midnight."""
    if isinstance(value, Foreign):
        quoted = _QUOTED.match(value.shown)
        return (quoted[1] if quoted else value.shown).removesuffix(_MIDNIGHT)
    return "" if value is None else str(value).strip()


def _without_seconds(text: str) -> str:
    """A moment at the beginning of a minute, as people write it."""
    return _ON_THE_MINUTE.sub(r"\1", text)
