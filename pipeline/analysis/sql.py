"""SQL by sqlglot: what statements do, which tables and columns they speak of, and the same in
SQLite's dialect. sqlglot reads thirty dialects and is no database: what it refuses is a hint.

It stays in the process of `syntax_process.py`, as a text may take it long.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from pipeline.analysis.python_syntax import MAX_PARSED
from pipeline.analysis.sql_trees import (
    OF_DATES,
    ctes_of,
    goes_beyond,
    made_in,
    names_in,
    to_be_tried,
    ungrouped_in,
    unique_in,
    used_in,
)
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from sqlglot import exp

SQLITE = "sqlite"
_DIALECTS = {
    SQLITE: r"sqlite3?",
    "postgres": r"postgres(?:ql)?|psql|plpgsql",
    "mysql": r"mysql|mariadb",
    "tsql": r"t-?sql|sql server|mssql",
    "oracle": r"oracle|pl/?sql",
    "duckdb": r"duckdb",
    "bigquery": r"bigquery",
    "snowflake": r"snowflake",
    "clickhouse": r"clickhouse",
    "redshift": r"redshift",
    "databricks": r"databricks|spark",
    "trino": r"trino|presto|athena",
}
_NAMED = {
    dialect: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for dialect, words in _DIALECTS.items()
}
DIALECTS = ("", SQLITE, "postgres", "mysql", "tsql")
_MOST_READ = 20_000  # characters of a request
_LINE = re.compile(r"Line (\d+)")
_NUMBERED = re.compile(r"(?<=[ =<>(,])\?\d{1,3}\b")  # SQLite's parameters, which sqlglot lacks
# What is no SQL by itself: templates, and commands of shells.
_NOT_ALONE = re.compile(
    r"\{\{|\{%|\$\{|<%|[=<>(,]\s*&&?\w|^[\\.][a-z]\w*|^go *$", re.IGNORECASE | re.MULTILINE
)
# Languages of procedures, of which sqlglot reads little.
_PROCEDURAL = re.compile(
    r"\bcreate\s+(?:or\s+\w+\s+)?(?:definer\s*=\s*\S+\s+)?"
    r"(?:event|function|package|proc(?:edure)?|trigger|type)\b"
    r"|\boutput\s+(?:deleted|inserted)\.|^[ \t]*(?:declare|delimiter|do|set[ \t]+serveroutput)\b"
    r"|^[ \t]*begin\b(?![ \t]*(?:;|tran|work))",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class ColumnUsage:
    """What statements do with a column, by its name: the values that they compare it with, and
    whether they compute with it, take it for a date, or ask whether it is NULL."""

    values: tuple[str | float, ...] = ()
    is_number: bool = False
    is_date: bool = False
    may_be_null: bool = False


@dataclass(frozen=True, slots=True)
class Statements:
    """`in_sqlite`: the same in SQLite's dialect, a statement each. `used`: columns by tables that
    are read or changed and not made here. `asks`: some statement reads or changes rows, and does
    not only make tables. `ungrouped`: a column that stands beside an aggregate without GROUP BY,
    which SQLite and old versions of MySQL take, with the value of any row. `names`: what
    stands in the place of columns and may be none: rows, units of time, output. `is_beyond`: they
    have what SQLite lacks, such as functions that give tables, so that what it misses says little.
    `unique`: columns by tables that have to be so, for an upsert."""

    in_sqlite: tuple[str, ...]
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    usage: Mapping[str, ColumnUsage] = field(default_factory=dict)
    asks: bool = False
    ungrouped: str = ""
    names: frozenset[str] = frozenset()
    is_beyond: bool = False
    unique: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


NOTHING = Statements(())


def dialect_of(request: str) -> str:
    """The dialect that a request names, as sqlglot calls it; "" for none."""
    text = request[:_MOST_READ]
    return next((dialect for dialect, named in _NAMED.items() if named.search(text)), "")


def stands_alone(text: str) -> bool:
    """Whether it is SQL without templates and the commands of a shell around it."""
    return not _NOT_ALONE.search(text)


def is_procedural(text: str) -> bool:
    """Whether it makes a procedure, a function or a trigger, or is a block of such a language."""
    return bool(_PROCEDURAL.search(text))


@lru_cache(maxsize=16)  # a draft is asked for its syntax, its tables and its other words
def statements_of(text: str, dialect: str) -> Statements | None:
    """None for what no dialect can read. Raises Unread."""
    return _read(text, dialect) if len(text) <= MAX_PARSED else None


def sql_error(text: str, dialect: str) -> str | None:
    """`syntax error at line 3`, where neither the dialect nor a usual one takes the text. Raises
    Unread."""
    if len(text) > MAX_PARSED or statements_of(text, dialect):
        return None
    return f"syntax error at line {_error_line(text, dialect)}"


@in_syntax_process
def _error_line(text: str, dialect: str) -> int:
    _, line = parsed(text, dialect)
    return line


@in_syntax_process
def _read(text: str, dialect: str) -> Statements | None:
    try:
        for each in dict.fromkeys((dialect, *DIALECTS)):
            trees, _ = parsed(text, each)
            if trees is not None:
                return _statements(trees, dialect, orders_null="nulls" in text.lower())
    except RecursionError:
        raise Unread from None
    return None


def parsed(text: str, dialect: str) -> "tuple[list[exp.Expr] | None, int]":
    """The trees, None with the line of the first error where it cannot be read. To be called in
    the syntax process alone."""
    import logging

    import sqlglot

    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    try:
        text = _NUMBERED.sub("?", text)
        return [tree for tree in sqlglot.parse(text, read=dialect or None) if tree], 0
    except sqlglot.errors.SqlglotError as error:
        found = _LINE.search(str(error))
        return None, int(found[1]) if found else 1


def _statements(trees: "list[exp.Expr]", dialect: str, *, orders_null: bool) -> Statements:
    from sqlglot import exp

    made = set(made_in(trees))
    used: defaultdict[str, dict[str, None]] = defaultdict(dict)
    usage: dict[str, ColumnUsage] = {}
    asks = False
    for tree in trees:
        if isinstance(tree, exp.Create) and not tree.expression:
            continue
        asks = True
        for table, column in used_in(tree, made | ctes_of(tree)):
            used[table].update({column: None} if column else {})
        for each in tree.find_all(exp.Column):
            name = each.name.lower()
            usage[name] = _joined(usage.get(name, ColumnUsage()), _usage(each))
    ungrouped = next(filter(None, (ungrouped_in(tree, dialect) for tree in trees)), "")
    return Statements(
        tuple(to_be_tried(tree, orders_null).sql("sqlite") for tree in trees),
        {table: tuple(columns) for table, columns in used.items()},
        usage,
        asks,
        ungrouped,
        frozenset(name for tree in trees for name in names_in(tree)),
        any(map(goes_beyond, trees)),
        dict(filter(None, map(unique_in, trees))),
    )


def _usage(column: "exp.Column") -> ColumnUsage:
    """What is done with it at one place."""
    from sqlglot import exp

    parent: Any = column.parent
    if isinstance(parent, exp.Is):
        outer = any(join.side for join in parent.root().find_all(exp.Join))
        return ColumnUsage(may_be_null=not outer)  # NULL stands there for a row that is missing
    while isinstance(parent, exp.Lower | exp.Upper | exp.Trim | exp.Paren | exp.Distinct):
        parent = parent.parent
    if isinstance(parent, exp.Sum | exp.Avg | exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
        return ColumnUsage(is_number=True)
    if isinstance(parent, exp.Predicate | exp.Between | exp.In):
        literals = [each for each in parent.iter_expressions() if isinstance(each, exp.Literal)]
        if isinstance(parent, exp.Like | exp.ILike):
            return ColumnUsage(tuple(value for each in literals for value in _alike(each.name)))
        return ColumnUsage(tuple(value for each in literals if (value := _value(each)) is not None))
    called = parent.name if isinstance(parent, exp.Anonymous) else type(parent).__name__
    return ColumnUsage(is_date=bool(OF_DATES.search(called)))


def _alike(pattern: str) -> Iterator[str]:
    """Texts that a pattern of LIKE is about: some that are like it, and some that nearly are."""
    text = pattern.replace("\\", "").replace("\0", "")
    for some, one in (("", "x"), ("ab", "_"), ("a_b", "y")):
        yield text.replace("_", one).replace("%", some)
    yield text.replace("%", "ab").upper()
    yield text.strip("%") + "c"


def _value(literal: "exp.Literal") -> str | float | None:
    """None for what is no number that a database has."""
    if literal.is_string:
        return literal.name.replace("\0", "")
    try:
        number = float(literal.name)
    except ValueError:  # `1e`
        return None
    if not isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _joined(one: ColumnUsage, other: ColumnUsage) -> ColumnUsage:
    return ColumnUsage(
        tuple(dict.fromkeys((*one.values, *other.values))),
        one.is_number or other.is_number,
        one.is_date or other.is_date,
        one.may_be_null or other.may_be_null,
    )
