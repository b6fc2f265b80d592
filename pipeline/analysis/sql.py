"""SQL by sqlglot: what statements do, which tables and columns they speak of, and the same in
SQLite's dialect. sqlglot reads thirty dialects and is no database: what it refuses is a hint.

It stays in the process of `syntax_process.py`, as a text may take it long.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.analysis.python_syntax import MAX_PARSED
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
}
_NAMED = {
    dialect: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for dialect, words in _DIALECTS.items()
}
DIALECTS = ("", SQLITE, "postgres", "mysql", "tsql")
_MOST_READ = 20_000  # characters of a request
_OF_DATES = re.compile(r"(?i:date|time|year|month|day|julian|extract)|Ts")
_LINE = re.compile(r"Line (\d+)")


@dataclass(frozen=True, slots=True)
class Usage:
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
    which SQLite and old versions of MySQL take, with the value of any row. `unique`: columns by
    tables that have to be so, for what the statements do where rows are there already."""

    in_sqlite: tuple[str, ...]
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    usage: Mapping[str, Usage] = field(default_factory=dict)
    asks: bool = False
    ungrouped: str = ""
    unique: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


NOTHING = Statements(())


def dialect_of(request: str) -> str:
    """The dialect that a request names, as sqlglot calls it; "" for none."""
    text = request[:_MOST_READ]
    return next((dialect for dialect, named in _NAMED.items() if named.search(text)), "")


def statements_of(text: str, dialect: str) -> Statements | None:
    """None for what no dialect can read. Raises Unread."""
    return _read(text, dialect) if len(text) <= MAX_PARSED else None


def sql_error(text: str, dialect: str) -> str | None:
    """`syntax error at line 3`, where neither the dialect nor a usual one takes the text. Raises
    Unread."""
    if len(text) > MAX_PARSED or _read(text, dialect):
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
                return _statements(trees)
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
        return [tree for tree in sqlglot.parse(text, read=dialect or None) if tree], 0
    except sqlglot.errors.SqlglotError as error:
        found = _LINE.search(str(error))
        return None, int(found[1]) if found else 1


def _statements(trees: "list[exp.Expr]") -> Statements:
    from sqlglot import exp

    made = {
        tree.this.find(exp.Table).name.lower()
        for tree in trees
        if isinstance(tree, exp.Create) and tree.this.find(exp.Table)
    }
    used: defaultdict[str, dict[str, None]] = defaultdict(dict)
    usage: dict[str, Usage] = {}
    asks = False
    for tree in trees:
        ctes = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
        if isinstance(tree, exp.Create) and not tree.expression:
            continue
        asks = True
        for table, column in _used(tree, made | ctes):
            used[table].update({column: None} if column else {})
        for each in tree.find_all(exp.Column):
            name = each.name.lower()
            usage[name] = _joined(usage.get(name, Usage()), _usage(each))
    return Statements(
        tuple(tree.sql("sqlite") for tree in trees),
        {table: tuple(columns) for table, columns in used.items()},
        usage,
        asks,
        next(filter(None, map(_ungrouped, trees)), ""),
        dict(filter(None, map(_unique, trees))),
    )


def _used(tree: "exp.Expr", not_tables: set[str]) -> Iterator[tuple[str, str]]:
    """Tables with their columns, as they are spelt small; "" where a table is named alone. A column
    without its table is of the first."""
    from sqlglot import exp

    scopes: defaultdict[int, dict[str, str]] = defaultdict(dict)  # alias → table, "" for no table
    for table in tree.find_all(exp.Table):
        name = table.name.lower()
        is_table = bool(name) and name not in not_tables
        scopes[id(_scope(table))][table.alias_or_name.lower()] = name if is_table else ""
        if is_table:
            yield name, ""
    for derived in tree.find_all(exp.Subquery):
        if derived.alias and derived.find_ancestor(exp.From, exp.Join):
            scopes[id(_scope(derived))][derived.alias.lower()] = ""
    for column in tree.find_all(exp.Column):
        if found := _table_of(column, scopes):
            yield found, column.name.lower()
    for schema in tree.find_all(exp.Schema):
        if isinstance(schema.this, exp.Table) and isinstance(tree, exp.Insert):
            yield from (
                (schema.this.name.lower(), each.name.lower()) for each in schema.expressions
            )


def _table_of(column: "exp.Column", scopes: Mapping[int, Mapping[str, str]]) -> str:
    """ "" for what is no column of a table: an alias of the query, one of a derived table."""
    alias, scope = column.table.lower(), _scope(column)
    while scope is not None:
        sources = scopes.get(id(scope), {})
        if alias in sources:
            return sources[alias]
        if sources and not alias:
            tables = [*sources.values()]
            return tables[0] if all(tables) and not _is_alias(column, scope) else ""
        scope = _scope(scope)
    return ""


def _is_alias(column: "exp.Column", scope: "exp.Expr") -> bool:
    """Whether it is the name that the query gives to one of its columns, used behind them."""
    from sqlglot import exp

    child: exp.Expr = column
    while child.parent is not None and child.parent is not scope:
        child = child.parent
    given = {each.alias.lower() for each in scope.expressions if isinstance(each, exp.Alias)}
    return child.arg_key != "expressions" and column.name.lower() in given


def _ungrouped(tree: "exp.Expr") -> str:
    """The column of a query, "" where there is none."""
    from sqlglot import exp

    for select in tree.find_all(exp.Select):
        of_select = [node for each in select.expressions for node in each.walk()]
        own = [node for node in of_select if node is select or _scope(node) is select]
        sums = any(isinstance(each, exp.AggFunc) and not _is_window(each) for each in own)
        if not sums or select.args.get("group"):
            continue
        for node in own:
            summed = node.find_ancestor(exp.AggFunc, exp.Filter, exp.WithinGroup)
            if isinstance(node, exp.Column) and not summed:
                return node.name
    return ""


def _is_window(aggregate: "exp.Expr") -> bool:
    from sqlglot import exp

    over = aggregate.parent
    while isinstance(over, exp.Filter | exp.IgnoreNulls | exp.RespectNulls | exp.WithinGroup):
        over = over.parent
    return isinstance(over, exp.Window)


def _scope(node: "exp.Expr") -> "exp.Expr | None":
    """The query or statement around it."""
    from sqlglot import exp

    return node.find_ancestor(exp.Select, exp.Update, exp.Delete, exp.Insert)


def _unique(tree: "exp.Expr") -> tuple[str, tuple[tuple[str, ...], ...]] | None:
    """Of an upsert, the table and the columns by which it knows a row."""
    from sqlglot import exp

    known = tree.args.get("conflict") if isinstance(tree, exp.Insert) else None
    table = tree.find(exp.Table)
    keys = known.args.get("conflict_keys") if known else None
    if not (table and keys):
        return None
    return table.name.lower(), (tuple(each.name.lower() for each in keys),)


def _usage(column: "exp.Column") -> Usage:
    """What is done with it at one place."""
    from sqlglot import exp

    parent: Any = column.parent
    if isinstance(parent, exp.Is):
        outer = any(join.side for join in parent.root().find_all(exp.Join))
        return Usage(may_be_null=not outer)  # NULL stands there for a row that is missing
    while isinstance(parent, exp.Lower | exp.Upper | exp.Trim | exp.Paren | exp.Distinct):
        parent = parent.parent
    if isinstance(parent, exp.Sum | exp.Avg | exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
        return Usage(is_number=True)
    if isinstance(parent, exp.Predicate | exp.Between | exp.In):
        literals = [each for each in parent.iter_expressions() if isinstance(each, exp.Literal)]
        if isinstance(parent, exp.Like | exp.ILike):
            return Usage(tuple(value for each in literals for value in _alike(each.name)))
        return Usage(tuple(map(_value, literals)))
    called = parent.name if isinstance(parent, exp.Anonymous) else type(parent).__name__
    return Usage(is_date=bool(_OF_DATES.search(called)))


def _alike(pattern: str) -> Iterator[str]:
    """Texts that a pattern of LIKE is about: some that are like it, and some that nearly are."""
    text = pattern.replace("\\", "")
    for some, one in (("", "x"), ("ab", "_"), ("a_b", "y")):
        yield text.replace("_", one).replace("%", some)
    yield text.replace("%", "ab").upper()
    yield text.strip("%") + "c"


def _value(literal: "exp.Literal") -> str | float:
    if literal.is_string:
        return literal.name
    number = float(literal.name)
    return int(number) if number.is_integer() else number


def _joined(one: Usage, other: Usage) -> Usage:
    return Usage(
        tuple(dict.fromkeys((*one.values, *other.values))),
        one.is_number or other.is_number,
        one.is_date or other.is_date,
        one.may_be_null or other.may_be_null,
    )
