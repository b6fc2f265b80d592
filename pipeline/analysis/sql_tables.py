"""Tables as a request describes them: in `CREATE TABLE` statements, or in words (`orders(id,
customer_id, status)`, "a table sensors with columns id, place and value")."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.analysis.sql import DIALECTS, NOTHING, ColumnUsage, Statements, parsed
from pipeline.analysis.sql_columns import Column, says_type
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_READ = 20_000  # characters of a request
_MOST_TABLES, _MOST_COLUMNS = 12, 40
_LONGEST = 4_000  # characters of what makes a table
_CREATES = re.compile(r"\bcreate\s+(?:temp(?:orary)?\s+)?table\b[^(;]{1,200}\(", re.IGNORECASE)
_IN_WORDS = re.compile(
    r"(?<![\w.(])[`\"]?(?:[A-Za-z_]\w{0,60}\.)?([A-Za-z_]\w{0,60})[`\"]?( ?)"
    r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_ITEM = r"[`\"]?\w+[`\"]?(?: (?!and )\w+)?"
_LISTED = re.compile(
    r"\btable (?:named |called )?[`\"]?([A-Za-z_]\w{0,60})[`\"]?,? (?:with|has|having)"
    rf" (?:the |these )?columns?:? ({_ITEM}(?:, (?!and ){_ITEM})*(?:,? and [`\"]?\w+)?)",
    re.IGNORECASE,
)
_TABLE_WORD = r"(?:tables?|tabelle|tabla)"
_COLUMN_WORD = r"(?:attributes|columns|fields|spalten|felder|colonnes|columnas|campos)"
# "a users table (…)", "users with the columns (…)"
_BEFORE = re.compile(
    rf"([A-Za-z_]\w{{0,60}})[`\"]? (?:{_TABLE_WORD}"
    rf"|(?:{_TABLE_WORD} )?(?:with|has|having|contains|containing|mit|hat|avec|con)"
    rf" (?:(?:the|these|following|den|les|las) ){{0,2}}{_COLUMN_WORD}:?)\Z",
    re.IGNORECASE,
)
_MOST_BEFORE = 130  # characters
# "show customers (name, email)", "per region (north, south)"
_OF_RESULT = re.compile(
    r"\b(?:display|each|every|fetch|find|get|give|list|output|per|print|report|retrieve|return"
    r"|select|show|want|zeige?|liste|gib|finde|affiche|donne|muestra)\b[^.,:;\n]{0,60}\Z",
    re.IGNORECASE,
)
_OPEN = re.compile(  # not all columns are told
    r"(?:(?:and|or|und|oder|et|y) )?(?:etc|and|or|so on|so forth|more|others?|some|several|various"
    r"|among|amongst|plus|possibly|maybe|at least|such|like|including|further|usw|usf|unter|weitere"
    r"|andere|autres|otr[ao]s)\b",
    re.IGNORECASE,
)
_TWO = re.compile(r"([`\"]?\w+[`\"]?),? (?:and|und|et|y|&) (\S.*)", re.DOTALL | re.IGNORECASE)
_OF_COLUMN = re.compile(
    r"\b(?:pk|fk|key|primary|foreign|references|unique|not|null\w*|default|auto\w*|identity"
    r"|generated|check|optional|date|time|bit|json\w*|array|interval|bytea|blob|inet|geometry"
    r"|money|uuid)\b|->",
    re.IGNORECASE,
)
_INHERITS = re.compile(r"\s*inherits\b", re.IGNORECASE)
_OMITTED = re.compile(
    r"(?:--|/\*).*\b(?:more|other|others|etc|rest|omitted|further)\b|(?i:[(,]\s*like\s)"
)
_COLUMN = re.compile(r"[`\"]?([A-Za-z_]\w{0,60})[`\"]?(?:\s+(\S.*))?", re.DOTALL)
_BETWEEN = re.compile(r",? and |,")
_ITEMS = re.compile(r"(?:[^,()]|\([^()]*\))+")  # commas in parentheses are no others
_NO_TABLE = re.compile(  # functions and words of SQL
    r"abs|and|as|attributes|avg|boolean|by|cast|ceil|check|coalesce|columns?|concat|count|date|day"
    r"|dense_rank|extract|fields?|float|floor|for|from|group_concat|having|if|ifnull|in|insert|int"
    r"|into|is|join|key|lag|lead|left|length|like|lower|ltrim|max|min|mod|month|nullif|numeric|on"
    r"|or|order|output|over|primary|rank|references|replace|results?|returns?|round|row_number"
    r"|schema|select|strftime|substr|substring|sum|tables?|text|timestamp|trim|union|unique|upper|values|varchar"
    r"|where|with|year",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"an?|another|each|every|existing|following|my|new|one|our|same|single|temp|temporary|that|the"
    r"|this|two|which|eine[rn]?|die|der|la|las|les|una|une",
    re.IGNORECASE,
)
_UNIQUE = re.compile(r"\bprimary key\b|\bunique\b", re.IGNORECASE)
# The words of a sentence around it.
_NEAR_NULL = re.compile(r"[^.;\n]{0,60}\b(?:NULL|null|empty|missing|unknown)\b[^.;\n]{0,40}")


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
        columns = (f"{quoted(each.name)}{' NOT NULL' * each.required}" for each in self.columns)
        sets = (", ".join(map(quoted, names)) for names in self.unique)
        parts = ", ".join([*columns, *(f"UNIQUE ({each})" for each in sets)])
        return f"CREATE TABLE {quoted(self.name)} ({parts});"


def quoted(name: str) -> str:
    """As SQLite takes any name."""
    return '"' + name.replace('"', '""') + '"'


def tables_of(request: str, dialect: str, statements: Statements = NOTHING) -> tuple[Table, ...]:
    """Those that the request describes, and those that the statements use and it does not, with
    the columns that they use. Raises Unread."""
    tables = dict(_told(request[:_MOST_READ], dialect))
    for name, columns in statements.used.items():
        told = tables.get(name)
        if told is None:
            found = [(each, "") for each in dict.fromkeys(("id", *columns))]
            tables[name] = _table(name, found, is_told=False)
        elif not told.is_told:
            known = {each.name for each in told.columns}
            more = _table(name, [(each, "") for each in columns if each not in known])
            unique = tuple(dict.fromkeys((*told.unique, *more.unique)))
            tables[name] = replace(told, columns=(*told.columns, *more.columns), unique=unique)
    if statements.used:  # else "regions (north, south)" is one
        tables = {
            name: each for name, each in tables.items() if each.is_told or name in statements.used
        }
    usage = statements.usage
    return tuple(
        replace(
            table,
            columns=tuple(each.used(usage.get(each.name, ColumnUsage())) for each in table.columns),
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
        items = [*_items(_ITEMS.findall(found[3][:_LONGEST]))]
        is_open = any(map(_OPEN.match, items))
        columns = [_COLUMN.fullmatch(each) for each in items if not _OPEN.match(each)]
        before = outside[max(0, found.start() - _MOST_BEFORE) : found.end(1)]
        name = _name(found[1], before)
        if name and _are_columns(columns):
            listed = _of_words(name, columns, is_told=not is_open)
            is_result = found[2] and name == found[1] and _OF_RESULT.search(before[: -len(name)])
            is_told = listed.is_told and not (is_result and not _has_keys(listed, items))
            yield listed.name, nullable(replace(listed, is_told=is_told))
    for found in _LISTED.finditer(outside):
        items = [each.strip() for each in _BETWEEN.split(found[2])]
        columns = [_COLUMN.match(each) for each in items if not _OPEN.match(each)]
        if any(columns):
            is_told = not any(map(_OPEN.match, items))
            yield found[1].lower(), nullable(_of_words(found[1], columns, is_told=is_told))
    for each in statements:
        if table := _created(each, dialect):
            behind = request.partition(each)[2]
            is_told = not (_OMITTED.search(each) or _INHERITS.match(behind))
            yield table.name, nullable(replace(table, is_told=is_told))


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


def _name(word: str, before: str) -> str:
    """Of the table whose columns stand behind the word; "" for none."""
    if not _NO_TABLE.fullmatch(word):
        return word
    found = _BEFORE.search(before)
    return found[1] if found and not _NO_NAME.fullmatch(found[1]) else ""


def _items(found: Sequence[str]) -> Iterator[str]:
    """The last one may be two: `name, email and password`."""
    *items, last = (each.strip() for each in found) if found else ("",)
    yield from items
    two = _TWO.fullmatch(last)
    yield from two.groups() if two else (last,)


def _has_keys(table: Table, items: Sequence[str]) -> bool:
    """Or types: a list of what a query is to give has neither."""
    has_types = any(_is_type(each.partition(" ")[2]) for each in items)
    return has_types or any(each.kind in ("id", "reference") for each in table.columns)


def _are_columns(found: Sequence[re.Match[str] | None]) -> bool:
    """Not the one argument of a function."""
    names = [each[1].lower() for each in found if each and _may_be_remark(each[2] or "")]
    return len(names) == len(found) and (len(names) > 1 or names == ["id"])


def _may_be_remark(text: str) -> bool:
    """What may stand behind a column: "closed (NULL while it is open, else a day)" is no table."""
    return not text or text.isalpha() or text[0] in "(=:'\"-" or _is_type(text)


def _creating(request: str) -> Iterator[str]:
    """The statements that make tables, to the parenthesis that closes them."""
    for found in islice(_CREATES.finditer(request), _MOST_TABLES):
        depth = 0
        for at in range(found.end() - 1, min(len(request), found.end() + _LONGEST)):
            depth += {"(": 1, ")": -1}.get(request[at], 0)
            if depth == 0:
                yield request[found.start() : at + 1]
                break


def _of_words(name: str, columns: Sequence[re.Match[str] | None], *, is_told: bool = True) -> Table:
    """Of names with a type or a remark behind each; one word that is neither may be a part of the
    name."""
    told = [(found[1].lower(), found[2] or "") for found in columns if found][:_MOST_COLUMNS]
    unique = [(column,) for column, type_ in told if _UNIQUE.search(type_)]
    parts = [type_ for _, type_ in told if type_.isalpha() and not _is_type(type_)]
    return _table(name, told, unique, is_told=is_told and not parts)


def _is_type(word: str) -> bool:
    return bool(_OF_COLUMN.search(word)) or says_type(word)


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
