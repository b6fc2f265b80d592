"""The database that a request shows, and what a query is to give or to leave on it: rows of tables
as they are printed, or in `INSERT` statements, with the result beside them. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.analysis.sql_tables import quoted
from pipeline.sandbox.shown_table import DASHES, TRUTH, ShownTable, is_gap
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.examples.printed_tables import Printed, tables_in, without_rules
from pipeline.testcases.examples.table_roles import results_in, roles_in
from pipeline.testcases.sample_databases import speaks_of_order
from pipeline.testcases.table_values import is_in_any_order

_CREATES = re.compile(r"\bcreate\s+table\b[^;]{1,2000}+;", re.IGNORECASE)
_INSERTS = re.compile(
    r"\binsert\s+into\s+[`\"]?\w+(?:[^;']|'[^'\n]{0,200}'){1,5000}+;", re.IGNORECASE
)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,15})(?:\.\d{1,10})?")
_OF_SCHEMA = ("column name", "column", "field", "spalte", "feld", "columna")
_COLUMN = re.compile(r"[A-Za-z_]\w*")
_MOST = 3  # databases
_MOST_READ = 20_000  # characters of a request


@dataclass(frozen=True, slots=True)
class ShownDatabase:
    """`case` makes and fills the tables; `wanted` is what comes of it, of a table that it changes
    (`changed`) what stands in it afterwards."""

    case: Case
    wanted: ShownTable
    changed: str

    def is_held_by(self, value: Any) -> bool:
        """By the rows that a query gives, or by all tables as it leaves them."""
        return self.wanted.is_shown_by(self._rows(value))

    def is_ordered_in_part_by(self, value: Any) -> bool:
        """Whether these rows come, and some column in its order: the others may be ties."""
        rows = self._rows(value)
        if not replace(self.wanted, ordered=False).is_shown_by(rows):
            return False
        columns = zip(zip(*self.wanted.rows, strict=True), zip(*rows, strict=True), strict=True)
        return any(
            ShownTable((), tuple((cell,) for cell in shown)).is_shown_by([(cell,) for cell in came])
            for shown, came in columns
        )

    def _rows(self, value: Any) -> Any:
        return value.get(self.changed) if isinstance(value, dict) else value


def shown_databases(request: str, used: Collection[str]) -> list[ShownDatabase]:
    """Those with a result, if the tables that a query uses, their names spelt small, are in it."""
    request = request[:_MOST_READ]
    filled = _INSERTS.findall(request)
    made = _CREATES.findall(request) if filled else []
    outside = _without((*made, *filled), request)
    tables = [each for each in tables_in(outside) if not _lists_columns(each)]
    found: list[ShownDatabase] = []
    for result in results_in(outside, tables, is_given=bool(made)):
        table, given = result.wanted, result.given
        named = {} if made else _named(outside, tables, given, used)
        if len(found) < _MOST and all(each.is_whole for each in given) and (made or named):
            setup = "\n".join(made or (_made(name, each) for name, each in named.items()))
            rows = "\n".join(filled or (_filled(name, each) for name, each in named.items()))
            case = Case(
                Arguments(), ANY_VALUE, name=f"shown {len(found) + 1}", setup=setup, session=rows
            )
            found.append(ShownDatabase(case, _wanted(table, outside), _changed(table, named, used)))
    return found


def shows_rows(request: str) -> bool:
    """Whether there are rows of two tables, or of one beside `INSERT` statements."""
    request = request[:_MOST_READ]
    filled = _INSERTS.findall(request)
    shown = [each for each in tables_in(_without(filled, request)) if not _lists_columns(each)]
    return len(shown) + bool(filled) > 1


def tables_told(request: str, used: Collection[str]) -> str:
    """The tables that are given or whose columns are listed in one, by the names that a query has
    for them, as people write them in words: `riders(id, name)`."""
    request = request[:_MOST_READ]
    shown = tables_in(request)
    lists = [each for each in shown if _lists_columns(each)]
    rows = [each for each in shown if not _lists_columns(each)]
    given = [table for role, table in roles_in(request, rows) if role == "given"]
    columns = {
        name: [(column, "") for column in table.columns]
        for name, table in _all_named(request, shown, given, used).items()
    }
    listed = _all_named(request, shown, lists, used).items()
    columns |= {name: [(row[0], row[1]) for row in table.rows] for name, table in listed}
    return "\n".join(
        f"{name}({', '.join(f'{column} {kind}'.rstrip() for column, kind in told)})"
        for name, told in columns.items()
        if all(_COLUMN.fullmatch(column) for column, _ in told)
        and not re.search(rf"\b{re.escape(name)} ?\(\w+,", request, re.IGNORECASE)  # told in words
    )


def _lists_columns(table: Printed) -> bool:
    return table.columns[0].lower() in _OF_SCHEMA and len(table.columns) > 1


def _without(parts: Sequence[str], request: str) -> str:
    for part in parts:
        request = request.replace(part, "")
    return request


def _wanted(table: Printed, request: str) -> ShownTable:
    is_ordered = speaks_of_order(request) and not is_in_any_order(request)
    return ShownTable(table.columns, table.rows, ordered=is_ordered)


def _named(
    request: str, shown: Sequence[Printed], given: Sequence[Printed], used: Collection[str]
) -> dict[str, Printed]:
    """The tables that a query uses, by their names; {} where one has none."""
    named = _all_named(request, shown, given, used)
    if not named and len(given) == len(used) == 1:
        named = dict(zip(used, given, strict=True))
    return named if named.keys() >= {*used} else {}


def _all_named(
    request: str, shown: Sequence[Printed], tables: Sequence[Printed], names: Collection[str]
) -> dict[str, Printed]:
    """Those of the tables that have one of these names: it stands between the one that is shown
    before it and this one, nowhere nearer to another."""
    found: list[tuple[int, str, Printed]] = []
    begin = 0
    for table in shown:
        said = without_rules(request[begin : table.begin].lower())
        begin = table.end
        if table in tables:
            places = ((_last(name, said), name) for name in names)
            found += [(len(said) - at, name, table) for at, name in places if at >= 0]
    named: dict[str, Printed] = {}
    for _, name, table in sorted(found, key=lambda each: each[0]):
        if name not in named and table not in named.values():
            named[name] = table
    return dict(sorted(named.items(), key=lambda each: each[1].begin))


def _last(name: str, said: str) -> int:
    """Where a name stands last, -1 where it does not."""
    return max((each.start() for each in re.finditer(rf"\b{re.escape(name)}\b", said)), default=-1)


def _made(name: str, table: Printed) -> str:
    return f"CREATE TABLE {quoted(name)} ({', '.join(map(quoted, table.columns))});"


def _filled(name: str, table: Printed) -> str:
    columns = [[*_literals(cells)] for cells in zip(*table.rows, strict=True)]
    rows = ", ".join(f"({', '.join(row)})" for row in zip(*columns, strict=True))
    return f"INSERT INTO {quoted(name)} VALUES {rows};"


def _literals(cells: Sequence[str]) -> Iterator[str]:
    """Of a column."""
    there = [cell for cell in cells if not (is_gap(cell) or cell in DASHES)]
    are_truth = all(cell.lower() in TRUTH for cell in there)
    are_numbers = all(map(_NUMBER.fullmatch, there))
    for cell in cells:
        if is_gap(cell) or (are_numbers and cell in DASHES):
            yield "NULL"
        elif are_truth:
            yield str(int(TRUTH[cell.lower()]))
        else:
            yield cell if _NUMBER.fullmatch(cell) else "'" + cell.replace("'", "''") + "'"


def _changed(table: Printed, named: dict[str, Printed], used: Collection[str]) -> str:
    """The table of these columns."""
    alike = [name for name, each in named.items() if each.columns == table.columns]
    return next(iter([*alike, *used]), "")
