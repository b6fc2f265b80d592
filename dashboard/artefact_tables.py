"""What a mode made beyond its text (a record's `artefact`) → facts and tables. Pure, and whatever
is in it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.json_values import as_json, as_plain

_MOST_ROWS = 200
_MOST_COLUMNS = 12
_CELL = 2000
_MOST_LINES = 4
_BAD = (
    *("failed", "fail", "error", "red", "wrong", "raised", "unusable"),
    *("timeout", "cpu", "memory", "output", "died"),
)
_TONE_OF = dict.fromkeys(("passed", "pass", "ok", "green"), "good") | dict.fromkeys(_BAD, "bad")


@dataclass(frozen=True, slots=True)
class TableCell:
    """`tone` is good or bad, or "". A text that is folded up has a `name` to open it by."""

    text: str
    tone: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: list[str]
    rows: list[list[TableCell]]
    left_out: int


@dataclass(frozen=True, slots=True)
class Tables:
    """`facts` are names with what is a line or a list of lines, `rest` is readable JSON, or ""."""

    facts: list[tuple[str, str]]
    tables: list[Table]
    rest: str


def tables(artefact: Mapping[str, Any]) -> Tables:
    """Each list of objects as a table (tests, rounds, files …)."""
    facts, found, rest = [], [], {}
    for name, value in artefact.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            found.append(_table(name, value))
        elif (line := _fact(value)) is None:
            rest[name] = value
        elif line:
            facts.append((name, line))
    return Tables(facts, found, as_json(rest) if rest else "")


def _fact(value: object) -> str | None:
    """A value that needs no JSON; "" where there is nothing to tell."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)[:_CELL]
    if value is None or isinstance(value, str | int | float):
        return _plain(value)[:_CELL]
    return None


def _table(name: str, items: list[dict[str, Any]]) -> Table:
    columns = list(dict.fromkeys(key for item in items[:_MOST_ROWS] for key in item))
    columns = columns[:_MOST_COLUMNS]
    rows = [[_cell(item.get(key)) for key in columns] for item in items[:_MOST_ROWS]]
    return Table(name, columns, rows, max(0, len(items) - _MOST_ROWS))


def _cell(value: object) -> TableCell:
    if statuses := _statuses(value):
        return TableCell(statuses)
    line = _fact(value)
    text = _plain(value)[:_CELL] if line is None else line
    lines = len(text.splitlines())
    if lines > _MOST_LINES:
        return TableCell(text, name=f"{lines} lines")
    return TableCell(text, _TONE_OF.get(text, ""))


def _statuses(value: object) -> str:
    """A list of objects with a status each, counted; "" for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return ""
    words = [item.get("status") for item in value]
    if not all(isinstance(word, str) for word in words):
        return ""
    return ", ".join(f"{runs} {status}" for status, runs in Counter(words).most_common())


def _plain(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else as_plain(value)
