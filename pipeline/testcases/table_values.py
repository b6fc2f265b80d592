"""What arrays and tables of numpy and pandas hold, as two programs' values are compared. Pure.

A request seldom says whether rows are to be numbered anew, whether one column is a Series, or what
its column is called: right programs differ in that. A name counts if the request asks for it: one
that nothing given has."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from pipeline.sandbox import Foreign
from pipeline.sandbox.value_comparison import in_one_order, written

_SPEAKS_OF_ORDER = re.compile(
    r"\bsort|\border(?:ed|ing)?\b(?! ?id)|\bfirst\b|\blast\b|\btop\b"
    r"|\b(?:larg|small|high|low|young|old)est\b|\bdescending|\bascending|\brank|\bchronolog|\breverse|\bhead\b|\btail\b|sortier|absteigend"
    r"|aufsteigend|\breihenfolge",
    re.IGNORECASE,
)
_IN_ANY_ORDER = re.compile(
    r"\border\b[^.;\n]{0,40}?(?:n[o']?t (?:matter|important|relevant)|irrelevant)"
    r"|\b(?:any|whatever|no particular) order\b|\bneither [\w ]{0,20}order\b"
    r"|n[o']?t care (?:about|for) (?:the )?(?:\w+ )?order\b|\border (?:does|is) not\b"
    r"|reihenfolge (?:\w+ ){0,3}(?:egal|unwichtig|keine rolle)|peu importe l'ordre",
    re.IGNORECASE,
)
_MISSING = ("NAType", "NaTType")
_MOST_READ = 20_000  # characters of a request


def with_plain_tables(value: Any, request: str, given: str = "") -> Any:
    """The value with a list in place of each array, and of each table its columns in one order,
    with the names that the request has for new ones, and its rows; in one order, too, where the
    request speaks of none. `given`: the source of what the function was called with."""
    request = request[:_MOST_READ]
    is_open = not speaks_of_order(request)
    return _plain(value, partial(_table, request=request, given=given, is_open=is_open))


def speaks_of_order(request: str) -> bool:
    """Whether the rows of a result have to come in one order."""
    return bool(_SPEAKS_OF_ORDER.search(request[:_MOST_READ])) and not is_in_any_order(request)


def is_in_any_order(request: str) -> bool:
    """Whether it says that they may come in any."""
    return bool(_IN_ANY_ORDER.search(request[:_MOST_READ]))


def _plain(value: Any, table: Callable[[Any], Any]) -> Any:
    match value:
        case Foreign(held=list(items)):
            return items
        case Foreign(held={"columns": list(columns)}):
            return table(columns) or value
        case list() | tuple():
            return type(value)(_plain(each, table) for each in value)
        case dict():
            return {key: _plain(each, table) for key, each in value.items()}
    return value


def _table(columns: list[Any], request: str, given: str, is_open: bool) -> list[Any] | None:
    """The names of the columns, then the rows; None where this is no table."""
    found: list[tuple[str, list[Any]]] = []
    for column in columns:
        match column:
            case [str(name), list(items)]:
                is_asked = _stands_in(name, request) and not _stands_in(name, given)
                found.append((name if is_asked else "", [*map(_filled, items)]))
            case _:
                return None
    if len({len(items) for _, items in found}) > 1:
        return None
    found.sort(key=lambda each: (each[0], written(sorted(each[1], key=written))))
    rows = [list(row) for row in zip(*(items for _, items in found), strict=True)]
    return [[name for name, _ in found], in_one_order(rows) if is_open else rows]


def _stands_in(name: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def _filled(item: Any) -> Any:
    """None for whatever stands where a value is missing."""
    if isinstance(item, float) and math.isnan(item):
        return None
    return None if isinstance(item, Foreign) and item.kind in _MISSING else item
