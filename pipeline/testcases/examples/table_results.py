"""Examples of tables and arrays: one that a request shows, and the one that is to come of it ("I
have …, I want …", "`top_n(df, 2)` should be …").

Which function is meant, and whether it takes dates or texts, only a draft tells. Pure."""

import ast
import re
from collections.abc import Iterator, Sequence

from pipeline.analysis.asked_language import language_asked_for
from pipeline.analysis.python_syntax import Function, top_level
from pipeline.sandbox.shown_table import ShownTable
from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.entry_point import gives_value, needed_parameters, taken_by
from pipeline.testcases.examples.printed_arrays import arrays_in
from pipeline.testcases.examples.printed_tables import Printed, series_at, tables_in
from pipeline.testcases.examples.table_roles import Result, results_in
from pipeline.testcases.examples.table_source import has_dates, source_of
from pipeline.testcases.literals import arguments_of, calls_of, parenthesised
from pipeline.testcases.table_values import is_in_any_order, speaks_of_order

_OF_PANDAS = re.compile(r"\b(?:pandas|pd|df|DataFrame|data ?frame)\b", re.IGNORECASE)
_OF_TABLES = re.compile(rf"{_OF_PANDAS.pattern}|\b(?:numpy|np|ndarray)\b|\barray\(", re.IGNORECASE)
_MADE = re.compile(r"(?=\b(?:pd|pandas)\.DataFrame)")
_MOST = 12  # tables
_MOST_READ = 20_000  # characters of what a program prints


def examples_of_tables(request: str, program: str, function: Function) -> Iterator[Case]:
    """Sessions that call the program's function with what is shown, and what is to come; none where
    it takes more than that."""
    found = results_in(request, _shown(request, program), function.name)
    for n, result in enumerate(found, 1):
        session = _session(request, result, program, function)
        if session and all(each.is_whole for each in result.given):
            wanted = _wanted(result.wanted, request)
            yield Case(Arguments(), wanted, session=session, name=f"table {n}", anchor=True)


def of_named_function(request: str, name: str, signature: str) -> list[Case]:
    """The same for a function that nobody has written yet; `signature` is `top(df, n=2)`, or ""
    where only a call in the request tells what it takes."""
    if not (name and _OF_TABLES.search(request)):
        return []
    head = top_level(f"def {signature or f'{name}()'}: return 0")
    function = head[0] if head and isinstance(head[0], Function) else None
    library = "pandas" if _OF_PANDAS.search(request) else "numpy"
    return [*examples_of_tables(request, f"import {library}", function)] if function else []


def result_shown(request: str, program: str) -> ShownTable | None:
    """The one table or array that is to come, for a program that is no function."""
    found = results_in(request, _shown(request, program))
    results = [_wanted(each.wanted, request) for each in found]
    return results[0] if len(results) == 1 else None


def shows_several(request: str, program: str) -> bool:
    """Whether a request shows tables or arrays of which one may be to come of the others."""
    return len(_shown(request, program)) > 1


def with_tables_made(request: str) -> str:
    """The request with the source of each table that has a name and that calls are given by it in
    place of what it looks like: `total(df) == 3`. Whether dates are texts nothing tells here."""
    if not _OF_PANDAS.search(request):
        return request
    parts, done = list[str](), 0
    for table in tables_in(request):
        is_given = table.label and re.search(
            rf"\w\([^()\n]{{0,80}}?\b{table.label}\b", request[table.end :]
        )
        if not is_given or table.source or not table.is_plain or has_dates(table):
            continue
        begin = request.rfind("\n", 0, table.begin) + 1
        before = request[done:begin]
        entered = re.search(rf"^[ \t]*>>> *{table.label}[ \t]*\n\Z", before, re.MULTILINE)
        prompt = ">>> " if entered else ""
        before = before[: entered.start()] if entered else before
        parts += [before, f"{prompt}{table.label} = {source_of(table, '', '')}"]
        done = table.end
    return "".join([*parts, request[done:]])


def lines_of_tables(request: str) -> set[int]:
    """Those, from 0, at which tables and arrays begin that are read for each draft."""
    shown = _shown(request, "")
    if not shown and language_asked_for(request) == "sql":
        shown = [*tables_in(request)]
    return {request.count("\n", 0, each.begin) for each in shown}


def prints(wanted: ShownTable, program: str, printed: str) -> bool:
    """Whether what a program prints has that table or array, and its source has it not."""
    source = _MADE.sub("\n", program)  # each on a line of its own
    own, made = (
        any(wanted.is_shown_by(each.as_value) for each in _all_in(text, program))
        for text in (source, printed)
    )
    return made and not own


def _wanted(table: Printed, request: str) -> ShownTable:
    is_open = is_in_any_order(request) or bool(table.columns and not speaks_of_order(request))
    return ShownTable(table.columns, table.rows, ordered=not is_open)


def _all_in(text: str, program: str) -> list[Printed]:
    text = text[:_MOST_READ]
    if "pandas" not in program:
        return arrays_in(text)
    return [*tables_in(text), *filter(None, [series_at(text, 0)])]


def _shown(request: str, program: str) -> list[Printed]:
    """Tables, also one without a head that can only be a result; arrays where there are none."""
    libraries = {each for each in ("numpy", "pandas") if each in program}
    found: list[Printed] = []
    if "pandas" in libraries or _OF_PANDAS.search(request):
        found = [*tables_in(request)]
    if len(found) == 1 and not found[0].foot and (last := series_at(request, found[0].end)):
        found.append(last)
    if not found and (libraries or _OF_TABLES.search(request)):
        found = arrays_in(request)
    return found[:_MOST]


def _session(request: str, result: Result, program: str, function: Function) -> str:
    """The call that the text before a result writes, or the function with the only table; "" where
    it is none that can be made."""
    said, given, name = result.said, result.given, function.name
    calls = [parenthesised(said, each.end() - 1) for each in calls_of(name, said)]
    labels = [table.label for table in given]
    call = ""
    for written, _ in filter(None, reversed(calls)):
        names = [*_names_in(written)]
        labels = names if len(given) == len(names) == 1 else labels
        if {*names} == {*labels} and _has_literals(written, labels):
            call = f"{name}{ast.unparse(written)[1:]}"
            break
    least, most = taken_by(function)
    if not call and len(given) == 1 and least <= 1 and most != 0:
        labels = ["a" if not given[0].columns else "df"]
        call = f"{name}({labels[0]})"
    elif not call and sorted(each.arg for each in needed_parameters(function)) == sorted(labels):
        call = f"{name}({', '.join(f'{each}={each}' for each in labels)})"
    if not call or len({*labels}) < len(labels):
        return ""
    tables = zip(labels, given, strict=True)
    made = [f"{label} = {source_of(table, program, request)}" for label, table in tables]
    imports = [f"import {each}" for each in ("numpy as np", "pandas as pd") if _uses(each, made)]
    last = [] if gives_value(function) else [labels[0]]  # which it changes
    return "\n".join([*imports, *made, call, *last])


def _uses(package: str, lines: Sequence[str]) -> bool:
    return any(f"{package[-2:]}." in line for line in lines)


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
