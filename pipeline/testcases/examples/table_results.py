"""Examples of tables and arrays: one that a request shows, and the one that is to come of it ("I
have …, I want …", "`top_n(df, 2)` should be …").

Which function is meant, and whether it takes dates or texts, only a draft tells. Pure."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.analysis.python_syntax import Function, top_level
from pipeline.sandbox.shown_table import ShownTable
from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.entry_point import gives_value, taken_by
from pipeline.testcases.examples.printed_arrays import arrays_in
from pipeline.testcases.examples.printed_tables import Printed, series_at, tables_in
from pipeline.testcases.examples.table_source import source_of
from pipeline.testcases.literals import arguments_of, calls_of, parenthesised
from pipeline.testcases.table_values import is_in_any_order, speaks_of_order

_IS_RESULT = re.compile(
    r"\b(?:should|want\w*|need|expect\w*|desired|results?|outputs?|becomes?|gives?|get|returns?"
    r"|returned|turned? into|into|converted|after(?:wards)?|transformed|produces?|yields?|then"
    r"|looks? like|to this|target|final\w*|solution|soll|sollen|ergibt|ergebnis|gewünscht\w*|wird"
    r"|werden|lösung|also so|aussehen|daraus|nachher|möchte|hätte|erwarte\w*|résultat|attendu\w*"
    r"|voudrais|souhait\w+|resultado|quiero|esperad[oa])\b|->|=>|→|^\W*to\W*$",
    re.IGNORECASE,
)
# What comes today. Code that is not the function's call gives that, too.
_IS_WRONG = re.compile(
    r"\b(?:but (?:i|it) (?:get|gives?|got)|instead (?:i|it)|(?:get|gives?) (?:this )?instead|wrong"
    r"|incorrect|what (?:i|it) (?:now )?(?:gets?|gives?|prints?)|current(?:ly)?|actual\w*"
    r"|at the moment|my (?:code|attempt)|so far|not what|right now|prints? now|falsch|stattdessen"
    r"|derzeit|actuellement|obtengo)\b|\w\.\w+\(|\w\[['\"]",
    re.IGNORECASE,
)
_IS_GIVEN = re.compile(
    r"\b(?:merg|join|combin|compar|match|multipl)\w*\b[^.\n]{0,60}\b(?:with|to|by|against)\b[^.\n]{0,40}$",
    re.IGNORECASE,
)
# What is given is more than what is shown, or what is shown is none of it.
_IS_PART = re.compile(
    r"\.head\(|\bfirst (?:few |couple of |\d+ )?(?:rows|lines|entries)\b(?! of (?:each|every))"
    r"|\bexcerpt|\b(?:part|extract|snippet|beginning|sample|subset) of (?:my|the|a|our)\b"
    r"|\b(?:and so on|etc|made[- ]up|invented|only about the format|auszug|usw)\b",
    re.IGNORECASE,
)
_SO_NOT = re.compile(
    r"\b(?:(?:is|'s) ?n[o']t (?:right|correct|what)|wrong|incorrect|no sense|not what|stimmt nicht"
    r"|falsch)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"^>>> *(.*)\s*\Z", re.MULTILINE)
_GOES_ON = re.compile(r"\s{0,20}(?:\.\.\.|…)")
_FENCES = re.compile(r"^[ \t]*(?:```.*|~~~.*|[-+|][-+|= ]{3,})$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-zß-ÿ]|`)|\n\s*\n")
_OF_PANDAS = re.compile(r"\b(?:pandas|pd|df|DataFrame|data ?frame)\b", re.IGNORECASE)
_OF_TABLES = re.compile(rf"{_OF_PANDAS.pattern}|\b(?:numpy|np|ndarray)\b|\barray\(", re.IGNORECASE)
_MADE = re.compile(r"(?=\b(?:pd|pandas)\.DataFrame)")
_MOST = 12  # tables
_MOST_READ = 20_000  # characters of what a program prints
_MOST_BETWEEN = 500  # characters that say what a table is


@dataclass(slots=True)
class _Reading:
    """The tables since the last result, and where what is said of them begins."""

    given: list[Printed] = field(default_factory=list)
    since: int = 0
    is_over: bool = False  # a result has come of them

    def give(self, table: Printed) -> None:
        self.given = [table] if self.is_over else [*self.given, table]
        self.is_over = False


def examples_of_tables(request: str, program: str, function: Function) -> Iterator[Case]:
    """Sessions that call the program's function with what is shown, and what is to come; none where
    it takes more than that."""
    for n, (reading, table) in enumerate(
        _results(request, _shown(request, program), function.name), 1
    ):
        session = _session(request, reading, table.begin, program, function)
        if session and all(each.is_whole for each in reading.given):
            wanted = _wanted(table, request)
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
    results = [_wanted(table, request) for _, table in found]
    return results[0] if len(results) == 1 else None


def prints(wanted: ShownTable, program: str, printed: str) -> bool:
    """Whether what a program prints has that table or array, and its source has it not."""
    source = _MADE.sub("\n", program)  # each on a line of its own
    own, made = (
        any(wanted.is_shown_by(each.as_value) for each in _all_in(text, program))
        for text in (source, printed)
    )
    return made and not own


def results_in(
    request: str, shown: Sequence[Printed], *, is_given: bool = False
) -> Iterator[tuple[list[Printed], Printed]]:
    """Tables that are to come, each with those that are given. `is_given`: there is something that
    is not among those shown."""
    for reading, table in _results(request, shown, "", is_given=is_given):
        yield reading.given, table


def _results(
    request: str, shown: Sequence[Printed], function: str, *, is_given: bool = False
) -> Iterator[tuple[_Reading, Printed]]:
    if _IS_PART.search(request):
        return
    reading = _Reading()
    for n, table in enumerate(shown):
        begin = shown[n - 1].end if n else 0
        said = _last_said(request[max(begin, table.begin - _MOST_BETWEEN) : table.begin])
        asked = _ASKED.search(said)
        called = bool(function) and any(calls_of(function, asked[1] if asked else said))
        has_given = bool(is_given or reading.given)
        if has_given and asked and not called and _is_computed(asked[1], request):
            continue  # what something else gives
        end = shown[n + 1].begin if n + 1 < len(shown) else len(request)
        if has_given and _is_wrong(said, request[table.end : end], called=called):
            continue
        is_result = _IS_RESULT.search(f"{said} {table.label}") and not _IS_GIVEN.search(said)
        if not (has_given and (called or is_result)):
            reading.give(table)
            continue
        if table.is_plain and not _GOES_ON.match(request, table.end):
            yield reading, table
        reading.since, reading.is_over = table.end, True


def _is_computed(expression: str, request: str) -> bool:
    """Of a session: whether it is no name of something that only stands there."""
    if not expression.isidentifier():
        return True
    return bool(re.search(rf"^>>>.*\b{expression}\b[\w, ]*=", request, re.MULTILINE))


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
    found = tables_in(request) if "pandas" in program else []
    if len(found) == 1 and (last := series_at(request, found[0].end)):
        found.append(last)
    return (found or arrays_in(request))[:_MOST]


def _last_said(text: str) -> str:
    """The sentence or line that leads to a table."""
    pieces = _SENTENCE.split(_FENCES.sub("\n", text))
    return next((each for each in reversed(pieces) if each.strip()), "")


def _is_wrong(before: str, behind: str, *, called: bool) -> bool:
    """Whether a table is what comes today."""
    if _SO_NOT.search(next(filter(str.strip, _SENTENCE.split(_FENCES.sub("\n", behind))), "")):
        return True
    return not called and bool(_IS_WRONG.search(before))


def _session(request: str, reading: _Reading, end: int, program: str, function: Function) -> str:
    """The call that the text before a result writes, or the function with the only table; "" where
    it is none that can be made."""
    said, given, name = request[reading.since : end], reading.given, function.name
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
