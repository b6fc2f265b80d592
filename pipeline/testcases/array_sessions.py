"""Sessions to try a function with that takes arrays or tables of numpy and pandas: arrays that fit
together in each call, tables with the columns of which the request speaks. What it gives counts;
where it gives nothing, what it made of what it was given. Pure."""

import ast
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import cycle
from random import Random

from pipeline.analysis.python_syntax import Function
from pipeline.sandbox.testcase import Case
from pipeline.testcases.array_items import items_of, shapes_of, speaks_of_rows
from pipeline.testcases.array_parameters import PLAIN_VALUES, libraries_of, table_kinds
from pipeline.testcases.entry_point import function_of, gives_value, needed_parameters
from pipeline.testcases.frame_cells import Tables, is_text
from pipeline.testcases.frame_columns import columns_of
from pipeline.testcases.session_arguments import as_cases, values_of

_COLUMN = re.compile(r"(?:^|_)(?:col|column|field|key|by|feature|target|spalte)(?:_name)?\d?$")
_COLUMNS = re.compile(r"(?:^|_)(?:cols|columns|fields|keys|features|spalten)$")
_SPEAKS_OF_DATES = re.compile(r"datetime|\btimestamps?\b", re.IGNORECASE)
_OF_GROUP = re.compile(r"group|key|\bby\b|cat", re.IGNORECASE)
# That say in what state the arguments are to be afterwards.
_SPEAKS_OF_CHANGE = re.compile(
    r"\bin[- ]?place\b|\bunchanged\b|\bmodif(?:y|ies|ied)\b"
    r"|\b(?:must|should|may) not (?:be )?chang",
    re.IGNORECASE,
)
_SPEAKS_OF_MOMENTS = re.compile(r"datetime ?index|\bindexed by (?:date|time)", re.IGNORECASE)
_USES_MOMENTS = re.compile(r"\.resample\(|\.index\.(?:normalize|date|year|month|day|hour|floor)\b")
_FIRST_DAY, _HOURS = datetime(2024, 2, 26), 24 * 6
_SIZES = (5, 4, 6, 3, 8)  # no fewer than windows and the like have
_MOST_READ = 20_000  # characters of a request
_TURNS = 60  # some of which are the same


def fallbacks_of(request: str) -> tuple[str, ...]:
    """What arrays and dates may be where nothing tells, the likelier first."""
    first, second = "items", "rows"
    if speaks_of_rows(request[:_MOST_READ]):
        first, second = second, first
    dates = ["texts", "dates"]
    if _SPEAKS_OF_DATES.search(request[:_MOST_READ]):
        dates.reverse()
    return tuple(f"{array}, {date}" for array in (first, second) for date in dates)


def sessions_with_arrays(
    program: str, function: str, request: str, n: int, fallback: str
) -> tuple[Case, ...]:
    """At most `n` sessions with a function that takes arrays or tables; () for others, and where
    nothing can be made that it takes beside them. The same for the same program and request.
    `fallback`: one of `fallbacks_of`."""
    found = function_of(program, function)
    libraries = libraries_of(program, request)
    if found is None or not libraries:
        return ()
    sessions = _Sessions(program, found, request[:_MOST_READ], fallback)
    imports = "import numpy as np"
    imports += "\nimport pandas as pd" if "pandas" in libraries else ""  # it may not be there
    return as_cases(sessions, n, imports) if sessions.are_possible else ()


class _Sessions(Random):
    """Sessions, many more than are wanted."""

    def __init__(self, program: str, function: Function, request: str, fallback: str) -> None:
        super().__init__(f"{function.name} {request}")
        self._function, self._request = function, request
        self._kinds = table_kinds(function, request)
        self._of_rows = "rows" in fallback
        self._has_moments = bool(
            _SPEAKS_OF_MOMENTS.search(request) or _USES_MOMENTS.search(ast.unparse(function))
        )
        self._tables = Tables(request, program, dates="dates" in fallback)
        frames = self._of_kind("frame")
        self._columns = {
            name: columns_of(function, name, request, is_only=len(frames) == 1) for name in frames
        }
        plain = [each for each in needed_parameters(function) if not self._is_table(each.arg)]
        known = {**PLAIN_VALUES, **dict(self._of_columns(each.arg for each in plain))}
        self._plain = {each.arg: values_of([each], "int", known) for each in plain}

    @property
    def are_possible(self) -> bool:
        return all(self._plain.values())

    def __iter__(self) -> Iterator[str]:
        arrays = self._of_kind("array")
        for _, size in zip(range(_TURNS), cycle(_SIZES), strict=False):
            given = {name: self.choice(values) for name, values in self._plain.items()}
            shapes = shapes_of(arrays, size, self._request, self, of_rows=self._of_rows)
            for name, shape in shapes.items():
                given[name] = f"np.array({items_of(name, shape, self._request, self)})"
            for name in self._of_kind("series"):
                items = items_of(name, (size + 2,), self._request, self)
                given[name] = f"pd.Series({items}{self._index(size + 2)})"
            for name, columns in self._columns.items():
                given[name] = self._tables.table(name, columns, 2 * size)
            yield self._call([given[name] for name in self._kinds])

    def _index(self, rows: int) -> str:
        """Of moments in a few days, one after the other, where there are such."""
        if not self._has_moments:
            return ""
        hours = sorted(self.sample(range(_HOURS), rows))
        moments = [f"{_FIRST_DAY + timedelta(hours=each):%Y-%m-%d %H:%M}" for each in hours]
        return f", index=pd.to_datetime({moments})"

    def _of_kind(self, kind: str) -> list[str]:
        return [name for name, each in self._kinds.items() if each == kind]

    def _is_table(self, name: str) -> bool:
        return self._kinds[name] in ("frame", "series", "array")

    def _call(self, given: list[str]) -> str:
        name = self._function.name
        gives = gives_value(self._function)
        at = next((n for n, each in enumerate(self._kinds) if self._is_table(each)), -1)
        if at < 0 or (gives and not _SPEAKS_OF_CHANGE.search(self._request)):
            return f"{name}({', '.join(given)})"
        table, given[at] = given[at], "given"
        if gives:
            return f"given = {table}\ngave = {name}({', '.join(given)})\n(gave, given)"
        return f"given = {table}\n{name}({', '.join(given)})\ngiven"

    def _of_columns(self, names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
        """What parameters may be given that name columns."""
        columns = next(iter(self._columns.values()), [])
        texts = [repr(each) for each in columns if is_text(each)]
        numbers = [repr(each) for each in columns if not is_text(each)]
        for name in names if columns else ():
            fitting = (texts if _OF_GROUP.search(name) else numbers) or [*map(repr, columns)]
            if _COLUMN.search(name):
                yield name, fitting
            elif _COLUMNS.search(name):
                yield name, [f"[{', '.join(fitting[:2])}]", f"[{fitting[0]}]"]
