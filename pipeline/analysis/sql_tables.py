"""Tables as a request describes them: in `CREATE TABLE` statements, or in words (`orders(id,
customer_id, status)`, "a table sensors with columns id, place and value")."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.analysis.sql import DIALECTS, NOTHING, Statements, Usage, parsed
from pipeline.analysis.sql_columns import Column
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_READ = 20_000  # characters of a request
_MOST_TABLES, _MOST_COLUMNS = 12, 40
_LONGEST = 4_000  # characters of what makes a table
_CREATES = re.compile(r"\bcreate\s+(?:temp(?:orary)?\s+)?table\b[^(;]{1,200}\(", re.IGNORECASE)
_IN_WORDS = re.compile(
    r"(?<![\w.(])[`\"]?([A-Za-z_]\w{0,60})[`\"]? ?\(([^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_ITEM = r"[`\"]?\w+[`\"]?(?: (?!and )\w+)?"
_LISTED = re.compile(
    r"\btable (?:named |called )?[`\"]?([A-Za-z_]\w{0,60})[`\"]?,? (?:with|has|having)"
    rf" (?:the |these )?columns?:? ({_ITEM}(?:, (?!and ){_ITEM})*(?:,? and [`\"]?\w+)?)",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"[`\"]?([A-Za-z_]\w{0,60})[`\"]?(?:\s+(\S.*))?", re.DOTALL)
_BETWEEN = re.compile(r",? and |,")
_ITEMS = re.compile(r"(?:[^,()]|\([^()]*\))+")  # commas in parentheses are no others
_NO_TABLE = re.compile(  # functions and words of SQL
    r"abs|and|as|avg|by|cast|ceil|check|coalesce|concat|count|date|dense_rank|extract|float|floor|for"
    r"|from|group_concat|having|if|ifnull|in|insert|int|into|is|join|key|lag|lead|left|length|like"
    r"|lower|ltrim|max|min|mod|nullif|numeric|on|or|order|over|primary|rank|references|replace|round"
    r"|row_number|select|strftime|substr|substring|sum|trim|union|unique|upper|values|varchar|where"
    r"|with|year|month|day",
    re.IGNORECASE,
)
_TYPE = re.compile(
    r"[(=:'\"-]|(?:bigint|bit|blob|bool|char|date|dec|double|enum|fk|float|int|json|money|not null"
    r"|nullable|num|pk|primary|real|references|serial|smallint|text|time|tinyint|unique|uuid|var"
    r"|foreign|key|like|as text|as integer)\w*",
    re.IGNORECASE,
)
# The words of a sentence around it.
_NEAR_NULL = re.compile(r"[^.;\n]{0,60}\b(?:NULL|null|empty|missing|unknown)\b[^.;\n]{0,40}")
_UNIQUE = re.compile(r"\bprimary key\b|\bunique\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Table:
    """Names are spelt small. `unique`: sets of columns whose values occur once. `is_told`: the
    request says all of its columns."""

    name: str
    columns: tuple[Column, ...]
    unique: tuple[tuple[str, ...], ...] = ()
    is_told: bool = True

    def __str__(self) -> str:
        return f"{self.name}({', '.join(each.name for each in self.columns)})"

    @property
    def in_sqlite(self) -> str:
        """The statement that makes it."""
        columns = (f'"{each.name}"{" NOT NULL" * each.required}' for each in self.columns)
        sets = (", ".join(f'"{name}"' for name in names) for names in self.unique)
        parts = ", ".join([*columns, *(f"UNIQUE ({each})" for each in sets)])
        return f'CREATE TABLE "{self.name}" ({parts});'


def tables_of(request: str, dialect: str, statements: Statements = NOTHING) -> tuple[Table, ...]:
    """Those that the request describes, and those that the statements use and it does not, with
    the columns that they use. Raises Unread."""
    tables = dict(_told(request[:_MOST_READ], dialect))
    for name, columns in statements.used.items():
        found = [(each, "") for each in dict.fromkeys(("id", *columns))]
        tables.setdefault(name, _table(name, found, is_told=False))
    usage = statements.usage
    return tuple(
        replace(
            table,
            columns=tuple(each.used(usage.get(each.name, Usage())) for each in table.columns),
            unique=table.unique or statements.unique.get(table.name, ()),
        )
        for table in [*tables.values()][:_MOST_TABLES]
    )


def _told(request: str, dialect: str) -> Iterator[tuple[str, Table]]:
    """By their names. Of one that is told twice the last counts."""
    statements = [*_creating(request)]
    outside = request
    for each in statements:
        outside = outside.replace(each, "")
    nullable = _nullable_in(outside)
    for found in reversed([*_IN_WORDS.finditer(outside)]):  # "pairs of bookings (a, b)" is later
        columns = [_COLUMN.fullmatch(each.strip()) for each in _ITEMS.findall(found[2][:_LONGEST])]
        if not _NO_TABLE.fullmatch(found[1]) and _are_columns(columns):
            yield found[1].lower(), nullable(_of_words(found[1], columns))
    for found in _LISTED.finditer(outside):
        columns = [_COLUMN.match(each.strip()) for each in _BETWEEN.split(found[2])]
        yield found[1].lower(), nullable(_of_words(found[1], columns))
    for each in statements:
        if table := _created(each, dialect):
            yield table.name, nullable(table)


def _nullable_in(request: str) -> Callable[[Table], Table]:
    """Marks the columns of a table of which the request says that they may be NULL."""
    near = [set(re.findall(r"\w+", each.lower())) for each in _NEAR_NULL.findall(request)]
    spoken = set[str]().union(*near)

    def marked(table: Table) -> Table:
        columns = (
            replace(each, nullable=True) if each.name in spoken else each for each in table.columns
        )
        return replace(table, columns=tuple(columns))

    return marked


def _are_columns(found: Sequence[re.Match[str] | None]) -> bool:
    """Not the one argument of a function."""
    names = [each[1].lower() for each in found if each and _says_type(each[2] or "")]
    return len(names) == len(found) and (len(names) > 1 or names == ["id"])


def _says_type(remark: str) -> bool:
    """Nothing else stands behind a column: "closed (NULL while open, else a day)" is no table."""
    return not remark or bool(_TYPE.match(remark))


def _creating(request: str) -> Iterator[str]:
    """The statements that make tables, to the parenthesis that closes them."""
    for found in islice(_CREATES.finditer(request), _MOST_TABLES):
        depth = 0
        for at in range(found.end() - 1, min(len(request), found.end() + _LONGEST)):
            depth += {"(": 1, ")": -1}.get(request[at], 0)
            if depth == 0:
                yield request[found.start() : at + 1]
                break


def _of_words(name: str, columns: Sequence[re.Match[str] | None]) -> Table:
    """Of names with a type or a remark behind each."""
    told = [(found[1].lower(), found[2] or "") for found in columns if found][:_MOST_COLUMNS]
    unique = [(column,) for column, type_ in told if _UNIQUE.search(type_)]
    return _table(name, told, unique)


def _table(
    name: str,
    told: Sequence[tuple[str, str]],
    unique: Sequence[tuple[str, ...]] = (),
    required: frozenset[str] = frozenset(),
    *,
    is_told: bool = True,
) -> Table:
    """Of columns with their types, "" where nothing is said."""
    columns = dict(told)
    if "id" in columns and ("id",) not in unique:
        unique = (("id",), *unique)
    made = tuple(
        Column.of(each, type_, required=each in required) for each, type_ in columns.items()
    )
    return Table(name.lower(), made, tuple(dict.fromkeys(unique)), is_told)


@in_syntax_process
def _created(statement: str, dialect: str) -> Table | None:
    """What a `CREATE TABLE` statement makes; None where it cannot be read."""
    from sqlglot import exp

    try:
        for each in dict.fromkeys((dialect, *DIALECTS)):
            trees, _ = parsed(statement, each)
            if trees and isinstance(trees[0], exp.Create):
                return _of_tree(trees[0])
    except RecursionError:
        raise Unread from None
    return None


def _of_tree(tree: "exp.Create") -> Table | None:
    from sqlglot import exp

    name = tree.find(exp.Table)
    told: list[tuple[str, str]] = []
    unique: list[tuple[str, ...]] = []
    required = set[str]()
    for column in [*tree.find_all(exp.ColumnDef)][:_MOST_COLUMNS]:
        spelt = column.name.lower()
        told.append((spelt, column.kind.sql() if column.kind else ""))
        for constraint in column.find_all(exp.ColumnConstraint):
            if isinstance(constraint.kind, exp.NotNullColumnConstraint):
                required.add(spelt)
            if isinstance(
                constraint.kind, exp.PrimaryKeyColumnConstraint | exp.UniqueColumnConstraint
            ):
                unique.append((spelt,))
    for key in tree.find_all(exp.PrimaryKey):
        unique.append(tuple(each.name.lower() for each in key.expressions))
    for several in tree.find_all(exp.UniqueColumnConstraint):
        if isinstance(several.this, exp.Schema):
            unique.append(tuple(each.name.lower() for each in several.this.expressions))
    if name is None or not told:
        return None
    known = {spelt for spelt, _ in told}
    sets = [each for each in unique if each and known.issuperset(each)]
    return _table(name.name, told, sets, frozenset(required))
