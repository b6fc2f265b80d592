"""Which columns the tables have that a function of pandas is tried with: those that the request
lists, in words, as code or as a printed table, and those that the program asks for. Pure."""

import ast
import re
from collections.abc import Iterator

from pipeline.analysis.python_syntax import Function

_NAME = r"[`'\"]?[A-Za-z_]\w{0,39}[`'\"]?"
_MORE = rf"(?:(?:,[ \n]?(?:and |und |or )?| and | und |/){_NAME})"
_LISTED = re.compile(
    rf"\b(?:columns?|fields|[Ss]palten?)(?: are| is| named| called| namens|,)?:? \(?"
    rf"({_NAME}{_MORE}{{0,11}})"
)
_BEHIND = (
    rf"[`'\"]?(?: ?\(| (?:with|has|having|mit|hat) (?:the |die |den )?)({_NAME}{_MORE}{{1,11}})"
)
_OF_ANY = re.compile(rf"(?:\bdf|\b[Dd]ata ?[Ff]rame|\b[Ff]rame|\btable|\bcsv){_BEHIND}")
_BESIDE = re.compile(r"(?:[`'\"]([A-Za-z_]\w{0,39})[`'\"]|\b([a-z]{1,30}_[a-z_]{1,30})) column")
_SHOWN = re.compile(r"^ {2,40}([A-Za-z_]\w{0,39}(?: {1,40}[A-Za-z_]\w{0,39}){0,11}) *\n0 ", re.M)
_IN_CODE = re.compile(r"DataFrame\(\s{0,20}\{(.{1,2000}?)\}", re.DOTALL)
_KEY = re.compile(r"[\"'](\w{1,40})[\"']\s{0,3}:")
_IN_BRACKETS = re.compile(r" ?\([^()\n]{0,80}\)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_RESULT = re.compile(
    r"\b(?:return|output|result|add|new|give|gibt|neue[nr]?|become|form)(?:s|ing|ed)?\b[^.;\n]{0,80}$",
    re.IGNORECASE,
)
_NO_NAMES = {
    *("and", "und", "or", "of", "the", "a", "in", "with", "is", "are", "that", "to", "as", "by"),
    *("for", "from", "column", "columns", "each", "only", "which", "where", "per", "instead", "it"),
    *("one", "should", "has", "have", "on", "whose", "contains", "so", "i"),
}
_USUAL = ("name", "age", "price")
_MOST = 12  # columns of a table
_KEYWORDS = ("by", "on", "subset", "index", "columns", "values", "left_on", "right_on", "id_vars")
_METHODS = {"groupby", "sort_values", "set_index", "nlargest", "nsmallest", "drop_duplicates"}


def columns_of(function: Function, parameter: str, request: str, *, is_only: bool) -> list[str]:
    """Of the table that a parameter takes: those that the request lists for it or for all, and the
    program's own; the usual ones where there are none. `is_only`: there is no other table."""
    made = {*_made_in(function)} - _read_first_in(function)
    listed = _listed_for(parameter, request)
    asked = [*_taken_from("" if is_only else parameter, function)]
    if not listed:
        listed, asked = _listed(request), [*asked, *_named_in_calls(function)]
    own = [name for name in asked if name not in made]
    return list(dict.fromkeys([*listed, *own]))[:_MOST] or [*_USUAL]


def _listed_for(parameter: str, request: str) -> list[str]:
    """`orders (id, customer_id, amount)`, "orders with id and amount"."""
    found = re.search(rf"\b{re.escape(parameter)}{_BEHIND}", request)
    return _names_in(found[1]) if found else []


def _listed(request: str) -> list[str]:
    """Of any table, but for those of a result."""
    if shown := _SHOWN.search(request):
        return shown[1].split()
    found = [name for code in _IN_CODE.findall(request)[:1] for name in _KEY.findall(code)]
    request = _IN_BRACKETS.sub("", request)
    for pattern in (_OF_ANY, _LISTED):
        for match in pattern.finditer(request):
            if not _RESULT.search(request[max(0, match.start() - 100) : match.start()]):
                found += _names_in(match[1])
    found += [first or second for first, second in _BESIDE.findall(request)]
    return list(dict.fromkeys(found))


def _names_in(text: str) -> list[str]:
    return [name for name in _WORD.findall(text) if name not in _NO_NAMES]


def _taken_from(table: str, function: Function) -> Iterator[str]:
    """Columns that a program takes from a table, by their names; "" for any table."""
    for node in ast.walk(function):
        match node:
            case ast.Subscript(ast.Name(name), index) if table in ("", name):
                yield from _texts(index)


def _named_in_calls(function: Function) -> Iterator[str]:
    """Columns by which a program groups, joins or sorts tables."""
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Attribute(_, method), args, keywords) if method != "DataFrame":
                yield from (text for each in args if method in _METHODS for text in _texts(each))
                for keyword in keywords:
                    if keyword.arg in _KEYWORDS:
                        yield from _texts(keyword.value)


def _made_in(function: Function) -> Iterator[str]:
    """Columns that a program makes."""
    for node in ast.walk(function):
        match node:
            case ast.Subscript(_, ast.Constant(str(name)), ast.Store()):
                yield name
            case ast.Call(ast.Attribute(_, "DataFrame"), _, keywords):
                yield from (text for each in keywords for text in _texts(each.value))
            case ast.Call(ast.Attribute(attr="agg" | "assign" | "aggregate"), _, keywords):
                yield from (keyword.arg for keyword in keywords if keyword.arg)
            case ast.keyword("name" | "value_name" | "var_name", ast.Constant(str(name))):
                yield name
            case ast.keyword("columns", ast.Dict(_, values)):
                yield from (text for each in values for text in _texts(each))


def _read_first_in(function: Function) -> set[str]:
    """Columns that are there before the program makes them anew."""
    read: dict[str, int] = {}
    made: dict[str, int] = {}
    for node in ast.walk(function):
        match node:
            case ast.Subscript(_, ast.Constant(str(name)), context):
                lines = made if isinstance(context, ast.Store) else read
                lines[name] = min(node.lineno, lines.get(name, node.lineno))
    return {name for name, line in read.items() if line <= made.get(name, line)}


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(str(name)):
            yield name
        case ast.List(items) | ast.Tuple(items):
            for each in items:
                yield from _texts(each)
