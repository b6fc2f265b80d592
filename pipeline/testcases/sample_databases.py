"""Small databases to try queries with: rows for the tables that a request and a query speak of,
with ties, gaps, rows that nothing refers to, NULL, and none at all. Pure."""

import random
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from pipeline.analysis.sql_columns import Column
from pipeline.analysis.sql_tables import Table, quoted
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case

Value = str | float | None

_FILLS = "INSERT INTO "
_SIZES = (5, 3, 6, 8, 2, 7, 4, 1, 10, 0)  # rows of a table
_NULL_IN, _NARROW_IN = 2, 3  # every such database has some NULL, few values
_FEW = 3
_NULL = 0.3  # of the values of columns of which NULL is spoken
_COMPARED = 0.6  # of the values of columns that are compared with some
_QUOTED_PART = 0.3  # of texts: those that stand in quotation marks
_IDS = (1, 2, 3, 4, 5)  # that are referred to; some of them may not be there
_NUMBERS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 0)
_TEXTS = ("a", "b", "c", "d", "B", "two words")
_NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")
_MAILS = ("a@x.org", "b@x.org", "A@x.org", "c@y.com", "d@y.com")
_NAMED = re.compile(r"^(?:full_?)?name$|^tite?l$|^title$")
_OF_SAME_TABLE = re.compile(r"^(?:boss|manager|mentor|parent|previous|reports?_to|reply_to|superv)")
_NUMBER = re.compile(r"(?<![\w.-])\d{1,4}(?![\w-]|\.\d)")
_QUOTED = re.compile(r"'([^'%\0\n]{1,30})'")
_DATE = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_NOW = re.compile(
    r"\bnow\b|\bcurrent_|\bcurdate\b|\bgetdate\b|\bsysdate\b|\btoday\b", re.IGNORECASE
)
_TIMES = ("00:00:00", "09:30:00", "12:00:00", "23:59:59")
_FROM_NOW = (0, -1, -2, -6, -7, -8, -29, -30, -31, -90, -364, -366, 1, 5)  # days
_USUAL = date(2024, 2, 28)
_FROM_DAY = (0, 1, -1, 2, 31, -31, 60, 307, -60)
_OF_ORDER = re.compile(
    r"\b(?:sort|alphabet|ascending|descending|order(?:ed|ing)? (?:by|them|it|the)\b"
    r"|in (?:that )?order\b|asc\b|desc\b|by (?:name|date)\b|a-z\b|on top\b|comes? first\b"
    r"|at the (?:very )?(?:top|bottom)\b|(?:best|most|\w{1,20}est) (?:\w+ ){0,3}(?:first|last)\b"
    r"|sortiert|zuerst|aufsteigend|absteigend|geordnet|tri[ée]e?s?\b|orden)",
    re.IGNORECASE,
)
_MOST_READ = 20_000  # characters of a request


def is_database(case: Case) -> bool:
    return case.name.startswith("database")


def rows_in(database: Case) -> str:
    """What stands in its tables: `orders (1, 3), (2, NULL); customers (1, 'Ann')`."""
    filled = database.session.replace(f'{_FILLS}"', "").replace('" VALUES', "").replace(";\n", "; ")
    return filled.removesuffix(";") or "empty tables"


def sample_databases(
    tables: Sequence[Table], request: str, statements: str, n: int
) -> tuple[Case, ...]:
    """`n` cases: `setup` makes the tables, `session` fills them. Their rows may come in any order
    where the request asks for none. The same for the same tables, request and day."""
    made = _Rows(tables, request[:_MOST_READ], statements)
    setup = "\n".join(table.in_sqlite for table in tables)
    unordered = not speaks_of_order(request)
    return tuple(
        Case(
            Arguments(),
            ANY_VALUE,
            name=f"database {number + 1}",
            setup=setup,
            session="\n".join(made.filled(number)),
            unordered=unordered,
        )
        for number in range(n)
    )


def speaks_of_order(request: str) -> bool:
    """Whether the rows of a result have to come in one order."""
    return bool(_OF_ORDER.search(request[:_MOST_READ]))


class _Rows(random.Random):
    """Values for the columns of tables, with what the request and the statements speak of."""

    def __init__(self, tables: Sequence[Table], request: str, statements: str) -> None:
        super().__init__(request.encode(errors="replace"))  # a lone surrogate has no UTF-8
        self._tables = tables
        self._has_null = self._is_narrow = False
        self._few: dict[tuple[Value, ...], Sequence[Value]] = {}  # the values of a narrow one
        said = f"{request}\n{statements}"
        self._days = [*_days(said)]
        quoted: list[str] = _QUOTED.findall(said)
        self._quoted = [each for each in dict.fromkeys(quoted) if not _DATE.search(each)]
        numbers = (int(each) for each in _NUMBER.findall(request))
        self._numbers = (*_NUMBERS, *(each + off for each in numbers for off in (0, 1, -1)))

    def filled(self, number: int) -> Iterator[str]:
        """The statements that fill the tables of one database."""
        self._has_null = number % _NULL_IN == _NULL_IN - 1
        self._is_narrow = number % _NARROW_IN == _NARROW_IN - 1
        self._few.clear()
        for at, table in enumerate(self._tables):
            size = _SIZES[(number + at * (number % 3)) % len(_SIZES)]
            if rows := [*self._rows(table, size)]:
                values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
                yield f"{_FILLS}{quoted(table.name)} VALUES {values};"

    def _rows(self, table: Table, size: int) -> Iterator[Sequence[Value]]:
        """None that a unique set of columns forbids, and no name twice: people mean one by it, and
        sort by it."""
        names = [column.name for column in table.columns]
        named = ((name,) for name in names if _NAMED.search(name))
        sets = [[names.index(name) for name in each] for each in (*table.unique, *named)]
        known: list[set[tuple[Value, ...]]] = [set() for _ in sets]
        for number in self.sample(range(1, size + 1), size):
            row = [self._value(table, column, number) for column in table.columns]
            keys = [tuple(row[at] for at in places) for places in sets]
            if all(key not in seen for key, seen in zip(keys, known, strict=True)):
                for key, seen in zip(keys, known, strict=True):
                    seen.add(key)
                yield row

    def _value(self, table: Table, column: Column, number: int) -> Value:
        """Of the row of this number."""
        if column.kind == "id":
            return number
        has_ids = any(each.kind == "id" for each in table.columns)
        if has_ids and _OF_SAME_TABLE.search(column.name):
            above: list[Value] = [None, *range(max(1, number - 3), number)]  # in no circle
            return self.choice(above)
        if column.kind == "reference":
            return self._one_of(_IDS)  # never NULL: who refers to nothing is seldom meant
        if self._has_null and column.nullable and self.random() < _NULL:
            return None
        if column.values and self.random() < _COMPARED:
            return self._near(self.choice(column.values), column.kind)
        return self._of_kind(column)

    def _near(self, value: str | float, kind: str | None) -> Value:
        """The value that is compared with, or one that is hardly another."""
        if isinstance(value, str) or kind == "flag":
            return value
        return value + self.choice((0, 0, 1, -1))

    def _of_kind(self, column: Column) -> Value:
        match column.kind:
            case "number":
                return self._one_of(self._numbers)
            case "flag":
                return self.randint(0, 1)
            case "date":
                return self._one_of(self._days)
            case "time":
                return f"{self._one_of(self._days)} {self._one_of(_TIMES)}"
        if self._quoted and self.random() < _QUOTED_PART:
            return self.choice(self._quoted)
        if "mail" in column.name:
            return self._one_of(_MAILS)
        return self._one_of(_NAMES if _NAMED.search(column.name) else _TEXTS)

    def _one_of(self, values: Sequence[Value]) -> Value:
        if not self._is_narrow:
            return self.choice(values)
        few = self._few.setdefault(tuple(values), self.sample(values, min(_FEW, len(values))))
        return self.choice(few)


def _days(text: str) -> Iterator[str]:
    """Days around those that are spoken of, or around today."""
    found = [_day(*map(int, each)) for each in _DATE.findall(text)]
    days = [each for each in found if each]
    for year in _YEAR.findall(_DATE.sub("", text)):
        days += [date(int(year), 1, 1), date(int(year), 12, 31), date(int(year), 6, 15)]
        days += [date(int(year) - 1, 12, 31)]
    if _NOW.search(text):
        yield from (str(date.today() + timedelta(off)) for off in _FROM_NOW)
        if not days:
            return
    for day in dict.fromkeys(days or [_USUAL]):
        yield from (str(day + timedelta(off)) for off in _FROM_DAY[: 9 if not days else 5])


def _day(year: int, month: int, day: int) -> date | None:
    """None for what is no day, or so far off (9999-12-31) that there are none around it."""
    try:
        return date(year, month, day) if year in range(1000, 3000) else None
    except ValueError:
        return None


def _literal(value: Value) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int | float) else "'" + value.replace("'", "''") + "'"
