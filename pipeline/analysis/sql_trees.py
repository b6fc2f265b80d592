"""What sqlglot's trees of SQL say: tables and columns, aggregates, what SQLite lacks. Each is a
statement's. To be called in the syntax process alone."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

OF_DATES = re.compile(r"(?i:date|time|year|month|day|julian|extract)|Ts")
_OF_SYSTEM = frozenset(("information_schema", "performance_schema", "pg_catalog", "sys"))
_SYSTEM_TABLE = re.compile(r"dual$|pg_|sqlite_|(?:all|dba|user)_(?:con|ind|obj|seq|tab|view)")
_PSEUDO_COLUMNS = frozenset(
    ("ctid", "currval", "nextval", "oid", "rowid", "rownum", "sysdate", "tableoid", "xmin")
)
_PARTS = {"YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H", "MINUTE": "%M", "DOW": "%w"}
_BEGINNINGS = {"YEAR": "%Y-01-01", "MONTH": "%Y-%m-01", "DAY": "%Y-%m-%d"}
_UNITS = re.compile(
    r"(?:microsecond|millisecond|second|minute|hour|day|week|month|quarter|year|mm|dd|yy|yyyy|hh|mi"
    r"|ss)s?",
    re.IGNORECASE,
)


def made_in(trees: "Sequence[exp.Expr]") -> Iterator[str]:
    """The names of tables and views that the statements make."""
    from sqlglot import exp

    for tree in trees:
        for made in tree.find_all(exp.Create, exp.Into, exp.AlterRename):
            if isinstance(made.this, exp.Expr) and (table := made.this.find(exp.Table)):
                yield table.name.lower()


def to_be_tried(tree: "exp.Expr", orders_null: bool) -> "exp.Expr":
    """As a new database of SQLite takes it, which has one schema (names that two schemas have stay)
    and no views. NULL is ordered as SQLite does it where the text does not say how (`orders_null`):
    drafts are compared with this one that need no other words."""
    from sqlglot import exp

    if isinstance(tree, exp.Create):
        tree.set("replace", None)
    for unit in [*tree.find_all(exp.Extract, exp.TimestampTrunc, exp.DateTrunc)]:
        unit.replace(_by_format(unit))
    for ordered in () if orders_null else tree.find_all(exp.Ordered):
        ordered.set("nulls_first", not ordered.args.get("desc"))
    of_schemas = {(each.name, each.db) for each in tree.find_all(exp.Table)}
    if len({name for name, _ in of_schemas}) < len(of_schemas):
        return tree
    for each in [*tree.find_all(exp.Table, exp.Column)]:
        is_stored = not isinstance(each, exp.Table) or _is_stored(each)
        for part in ("db", "catalog") if is_stored else ():
            each.set(part, None)
    return tree


def _by_format(part: "exp.Expr") -> "exp.Expr":
    """A part of a day, or its beginning, by SQLite's `strftime`, where that has it."""
    from sqlglot import exp

    is_part = isinstance(part, exp.Extract)
    unit = part.name if is_part else part.text("unit")
    given = (_PARTS if is_part else _BEGINNINGS).get(unit.upper())
    day = part.expression if is_part else part.this
    if given is None:
        return part
    written = exp.func("strftime", exp.Literal.string(given), day.copy())
    return exp.cast(written, "int") if is_part else written


def _is_stored(table: "exp.Table") -> bool:
    """Not what a function gives, a variable, a table of this session alone, one of the system's."""
    from sqlglot import exp

    name = table.this
    return (
        isinstance(name, exp.Identifier)
        and not name.args.get("temporary")
        and table.db.lower() not in _OF_SYSTEM
        and not _SYSTEM_TABLE.match(table.name.lower())
    )


def goes_beyond(tree: "exp.Expr") -> bool:
    """Whether it has what SQLite lacks, so that what is missing there may be elsewhere."""
    from sqlglot import exp

    changed = tree.this if isinstance(tree, exp.Update | exp.Delete) else None
    return (
        bool(tree.find(exp.Lateral, exp.Unnest, exp.Pivot, exp.Connect, exp.MatchRecognize))
        or bool(tree.find(exp.Command, exp.Into, exp.Declare, exp.IfBlock))
        or any(not isinstance(each.this, exp.Identifier) for each in tree.find_all(exp.Table))
        or (isinstance(changed, exp.Table) and changed.name.lower() in ctes_of(tree))
    )


def ctes_of(tree: "exp.Expr") -> set[str]:
    from sqlglot import exp

    return {cte.alias.lower() for cte in tree.find_all(exp.CTE)}


def names_in(tree: "exp.Expr") -> Iterator[str]:
    """Names, spelt small, that stand where columns do and may be none; `.nextval` behind any
    other."""
    from sqlglot import exp

    yield "user"
    for name in _PSEUDO_COLUMNS:
        yield from (name, f".{name}")
    for table in tree.find_all(exp.Table):
        yield table.alias_or_name.lower()
    for column in tree.find_all(exp.Column):
        if is_unit(column) or _is_output(column):
            yield column.name.lower()
    for word in tree.find_all(exp.Var):
        yield word.name.lower()


def is_unit(column: "exp.Column") -> bool:
    """Of time: `DATEDIFF(day, a, b)`."""
    from sqlglot import exp

    called = column.parent
    if not isinstance(called, exp.Func) or column.table or not _UNITS.fullmatch(column.name):
        return False
    name = called.name if isinstance(called, exp.Anonymous) else type(called).__name__
    return bool(OF_DATES.search(name))


def _is_output(column: "exp.Column") -> bool:
    """Whether ORDER BY means a column of the result by it, which that has by another one's name."""
    from sqlglot import exp

    ordered = column.parent.parent if isinstance(column.parent, exp.Ordered) else None
    query = ordered.parent if isinstance(ordered, exp.Order) else None
    of_query = query.expressions if isinstance(query, exp.Select) and not column.table else ()
    given = (each for each in of_query if not isinstance(each, exp.Column) or each.table)
    return any(each.alias_or_name.lower() == column.name.lower() for each in given)


def used_in(tree: "exp.Expr", not_tables: set[str]) -> Iterator[tuple[str, str]]:
    """Tables with their columns, as they are spelt small; "" where a table is named alone. A column
    without its table is of the first."""
    from sqlglot import exp

    scopes: defaultdict[int, dict[str, str]] = defaultdict(dict)  # alias → table, "" for no table
    named = [*tree.find_all(exp.Table)]
    aliases = {each.alias.lower() for each in named if each.name.lower() != each.alias.lower()}
    for table in named:
        name = table.name.lower()
        if not table.alias and name in aliases:  # `DELETE a FROM orders a`
            continue
        is_table = name not in not_tables and _is_stored(table)
        scopes[id(_scope(table))][table.alias_or_name.lower()] = name if is_table else ""
        if is_table:
            yield name, ""
    for derived in tree.find_all(exp.Subquery):
        if derived.alias and derived.find_ancestor(exp.From, exp.Join):
            scopes[id(_scope(derived))][derived.alias.lower()] = ""
    for column in tree.find_all(exp.Column):
        found = "" if is_unit(column) else _table_of(column, scopes)
        if found and column.name.lower() not in _PSEUDO_COLUMNS:
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


def ungrouped_in(tree: "exp.Expr", dialect: str) -> str:
    """The column of a query, "" where there is none."""
    from sqlglot import exp

    for select in tree.find_all(exp.Select):
        of_select = [node for each in select.expressions for node in each.walk()]
        own = [node for node in of_select if node is select or _scope(node) is select]
        if select.args.get("group") or not any(map(_is_aggregate, own)):
            continue
        tables = {
            each.alias_or_name.lower()
            for each in select.find_all(exp.Table, exp.Subquery)
            if _scope(each) is select
        }
        fixed = _fixed(select) if dialect in ("", "mysql") else set[str]()
        for node in own:
            summed = node.find_ancestor(exp.AggFunc, exp.Filter, exp.WithinGroup)
            if not isinstance(node, exp.Column) or summed or is_unit(node):
                continue
            name = node.name.lower()
            is_user = name == "user" and dialect == "oracle"
            is_outer = bool(node.table) and node.table.lower() not in tables
            if not (is_outer or is_user) and name not in _PSEUDO_COLUMNS and name not in fixed:
                return node.name
    return ""


def unique_in(tree: "exp.Expr") -> tuple[str, tuple[tuple[str, ...], ...]] | None:
    """Of an upsert, the table and the columns by which it knows a row."""
    from sqlglot import exp

    known = tree.args.get("conflict") if isinstance(tree, exp.Insert) else None
    table = tree.find(exp.Table)
    keys = known.args.get("conflict_keys") if known else None
    if not (table and keys):
        return None
    return table.name.lower(), (tuple(each.name.lower() for each in keys),)


def _fixed(select: "exp.Select") -> set[str]:
    """Columns that WHERE holds to one value, which MySQL takes beside aggregates."""
    from sqlglot import exp

    where = select.args.get("where")
    return {
        each.this.name.lower()
        for each in (where.find_all(exp.EQ) if where else ())
        if isinstance(each.this, exp.Column) and isinstance(each.expression, exp.Literal)
    }


def _is_aggregate(node: "exp.Expr") -> bool:
    """Not `MAX(a, b)` of SQLite."""
    from sqlglot import exp

    of_values = isinstance(node, exp.Max | exp.Min) and node.expressions
    return isinstance(node, exp.AggFunc) and not of_values and not _is_window(node)


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
