"""Runs in the sandbox as the program: SQL statements on a database that is made for each call.

`query.json` beside it has the statements: `[as they were written, the same in SQLite's dialect]`,
the second "" where that is not known, and null where nothing but SQLite is meant.
"""

import json
import re
import sqlite3
from functools import partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_ROWS = 200
_MOST_STEPS = 3_000_000  # of SQLite's machine, for one database
_ADDED = re.compile(r"_row_number$|_w(?:_\d+)?$")  # columns by sqlglot, for DISTINCT ON and QUALIFY
_CHANGES = ("insert", "update", "delete", "replace")  # what they give back matters less
_NOT_SQLITE = (
    "syntax error",
    "no such function",
    "no such table",  # with a schema before its name
    "unrecognized token",
    "wrong number of arguments",
)

with open("query.json", encoding="utf-8") as _file:  # noqa: PTH123
    _WRITTEN, _TRANSLATED = json.load(_file)


def rows_of(setup: str, filled: str) -> "Any":
    """The rows of the last statement that gives some, else what stands in each table and view
    afterwards, if no statement gave any. Raises sqlite3.Error."""
    try:
        return _run(_WRITTEN, setup, filled)
    except sqlite3.Error as error:
        if not _TRANSLATED or not any(each in str(error) for each in _NOT_SQLITE):
            raise
        return _run(_TRANSLATED, setup, filled)


def _run(script: str, setup: str, filled: str) -> "Any":
    database = sqlite3.connect(":memory:", isolation_level=None)
    _add_functions(database, _TRANSLATED is None)
    database.executescript(setup + filled)
    known = _tables(database)
    database.set_progress_handler(lambda: 1, _MOST_STEPS)
    rows = None
    for statement in _statements(script):
        if _makes_again(statement, known):
            continue
        cursor = database.execute(statement)
        if cursor.description and not statement.lstrip().lower().startswith(_CHANGES):
            own = [at for at, each in enumerate(cursor.description) if not _ADDED.match(each[0])]
            rows = [tuple(row[at] for at in own) for row in cursor.fetchmany(_MOST_ROWS)]
    if rows is not None:
        return rows
    return {
        name: sorted(
            database.execute("SELECT * FROM " + _quoted(name)).fetchmany(_MOST_ROWS), key=repr
        )
        for name in _tables(database)
    }


def _statements(script: str) -> "list[str]":
    found, text = [], ""
    for part in script.replace(";", ";\0").split("\0"):
        text += part
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return [each for each in (*found, text) if each.strip(" \n\t\r;")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _makes_again(statement: str, known: "list[str]") -> bool:
    """Whether it makes a table that is there: an answer may be a whole script."""
    words = statement.replace("(", " ( ").lower().split()
    head = [each for each in words if each not in ("if", "not", "exists", "temp", "temporary")]
    return head[:2] == ["create", "table"] and head[2:3] != [] and head[2].strip('"`[]') in known


def _tables(database: "sqlite3.Connection") -> "list[str]":
    found = database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
    return sorted(name for (name,) in found if not name.startswith("sqlite_"))


def _add_functions(database: "sqlite3.Connection", is_sqlite: bool) -> None:
    """Those of newer versions, and of other dialects."""
    database.create_function("concat", -1, _concat, deterministic=True)
    if is_sqlite:
        return
    for name, first, last in (("year", 0, 4), ("month", 5, 7), ("day", 8, 10)):
        part = partial(_part, first=first, last=last)
        database.create_function(name, 1, part, deterministic=True)


def _concat(*values: object) -> str:
    return "".join(str(each) for each in values if each is not None)


def _part(day: object, first: int, last: int) -> "int | None":
    part = str(day)[first:last]
    return int(part) if part.isdigit() else None
