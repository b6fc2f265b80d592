"""Examples of tables: one that a request shows, and the one that is to come of it ("I have …, I
want …", "`top_n(df, 2)` should be …"), as pandas prints them, as Markdown or as the source of a
`pd.DataFrame`.

Which function is meant, and whether it takes dates or texts, only a draft tells. Pure."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from pipeline.analysis.python_syntax import Function
from pipeline.sandbox.shown_table import ShownTable
from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.entry_point import gives_value, taken_by
from pipeline.testcases.examples.printed_tables import PrintedTable, series_at, tables_in
from pipeline.testcases.literals import arguments_of, calls_of, parenthesised
from pipeline.testcases.table_values import speaks_of_order

_IS_RESULT = re.compile(
    r"\b(?:should|want\w*|need|expect\w*|desired|results?|outputs?|becomes?|gives?|get|returns?"
    r"|returned|turned? into|into|converted|after(?:wards)?|transformed|produces?|yields?|then"
    r"|soll|sollen|ergibt|ergebnis|wird|werden|daraus|möchte|erwarte\w*)\b|->|=>|→",
    re.IGNORECASE,
)
_IS_WRONG = re.compile(
    r"\b(?:but (?:i|it) (?:get|gives?|got)|instead (?:i|it)|(?:get|gives?) (?:this )?instead|wrong"
    r"|incorrect|currently|actual\w*|at the moment|my (?:code|attempt)|so far|not what|falsch"
    r"|stattdessen|derzeit)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_GAPS = ("", "NaN", "nan", "NaT", "None", "<NA>", "null")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?")
_OF_MOMENTS = re.compile(
    r"\.dt\b|\bGrouper\b|\.resample\(|\bTimestamp\b|\btimedelta|\.rolling\(['\"]"
)
_MOST = 6
_MOST_BETWEEN = 500  # characters that say what a table is


def examples_of_tables(request: str, program: str, function: Function) -> Iterator[Case]:
    """Sessions that call the program's function with the tables shown, and the table that is to
    come; none where it takes more than they are."""
    given: list[PrintedTable] = []
    is_read, end, n = True, 0, 0
    for table in _tables(request):
        said = f"{request[max(end, table.begin - _MOST_BETWEEN) : table.begin]} {table.label}"
        end = table.end
        if _IS_WRONG.search(said):
            return  # which of them shall come is not sure
        is_result = _IS_RESULT.search(said) or any(calls_of(function.name, said))
        if not (given and is_result):
            given = [*given, table] if is_read else [table]
            is_read = True
            continue
        is_read = False
        session = _session(said, given, program, function)
        if session and table.is_plain and n < _MOST:
            n += 1
            wanted = ShownTable(table.columns, table.rows, speaks_of_order(request))
            yield Case(Arguments(), wanted, session=session, name=f"table {n}", anchor=True)


def _tables(request: str) -> Iterator[PrintedTable]:
    """Those with a head, and what stands in the place of a result without one."""
    found = tables_in(request)
    yield from found
    if len(found) == 1 and (last := series_at(request, found[0].end)):
        yield last


def _session(said: str, given: Sequence[PrintedTable], program: str, function: Function) -> str:
    """The call that the text before a result writes, or the function with the only table; "" where
    it is none that can be made."""
    name = function.name
    calls = (parenthesised(said, each.end() - 1) for each in calls_of(name, said))
    found = next(filter(None, calls), None)
    names = [*_names_in(found[0])] if found else []
    labels = [table.label for table in given]
    if len(given) == 1:
        labels = names[:1] or ["df"]
    least, most = taken_by(function)
    takes_one = least <= 1 and most != 0
    if found and {*names} == {*labels} and _has_literals(found[0], labels):
        call = f"{name}{ast.unparse(found[0])[1:]}"
    elif not found and len(given) == 1 and takes_one:
        call = f"{name}({labels[0]})"
    else:
        return ""
    tables = zip(labels, given, strict=True)
    made = [f"{label} = {table.source or _source(table, program)}" for label, table in tables]
    last = [] if gives_value(function) else [labels[0]]  # which it changes
    return "\n".join(["import pandas as pd", *made, call, *last])


def _names_in(call: ast.Call) -> Iterator[str]:
    values = (*call.args, *(each.value for each in call.keywords))
    return (each.id for each in values if isinstance(each, ast.Name))


def _has_literals(call: ast.Call, names: Sequence[str]) -> bool:
    """Beside these names."""
    try:
        arguments_of(call, dict.fromkeys(names))
    except ValueError:
        return False
    return True


def _source(table: PrintedTable, program: str) -> str:
    columns = zip(table.columns, zip(*table.rows, strict=True), strict=True)
    cells = (f"{name!r}: {_column(name, items, program)}" for name, items in columns)
    return f"pd.DataFrame({{{', '.join(cells)}}})"


def _column(name: str, cells: Sequence[str], program: str) -> str:
    """Its values: numbers and truth where all cells are such, moments where they are dates and the
    program takes them as these."""
    there = [cell for cell in cells if cell not in _GAPS]
    if all(map(_NUMBER.fullmatch, there)):
        return _listed(cells, str)
    if all(cell in ("True", "False") for cell in there):
        return _listed(cells, str)
    texts = _listed(cells, repr)
    if all(map(_DATE.fullmatch, there)) and _takes_moments(name, program):
        return f"pd.to_datetime({texts})"
    return texts


def _listed(cells: Sequence[str], written: Callable[[str], str]) -> str:
    return f"[{', '.join('None' if cell in _GAPS else written(cell) for cell in cells)}]"


def _takes_moments(column: str, program: str) -> bool:
    as_text = re.search(rf"\[['\"]{re.escape(column)}['\"]\]\.str\b", program)
    return bool(_OF_MOMENTS.search(program)) and not as_text
