"""Tables of pandas, as their source: what stands in their columns, by the columns' names and what
request and program say of them. Pure."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from pipeline.testcases.array_items import speaks_of_gaps
from pipeline.testcases.shown_cells import cells_shown

_DAILY = re.compile(r"\b(?:each|every|per) day\b|\bdaily\b|\bconsecutive", re.IGNORECASE)
_IN_TEXTS = re.compile(r"\btext|\bstring|unknown|categor|\ball\b|\bany\b|\brows? with", re.I)
_CASE = re.compile(
    r"\b(?:lower|upper|title)[ -]?case\b|\bcase[- ]insensitiv|\bcapitali[sz]|\bupper and lower"
    r"|\bignor\w{1,5} (?:the )?case|(?:groß|klein)(?:schreib|buchst)",
    re.IGNORECASE,
)
_SPACES = re.compile(
    r"\bstrip|\btrim|\bwhitespace|\b(?:leading|trailing|extra) (?:spaces|blanks)|\bspaces around"
    r"|leerzeichen",
    re.IGNORECASE,
)
_VALID = re.compile(r"\b(?:in)?valid|\bexactly one", re.IGNORECASE)
_REPEATED_DATES = ("2024-01-15", "2024-02-29", "2023-12-31", "2024-02-01")
_DATES = (
    *_REPEATED_DATES,
    *("2024-01-31", "2023-07-04"),
    *(f"2024-{month:02}-{3 * month % 28 + 1:02}" for month in range(1, 13)),
)
# What stands in a column, by words of its name; numbers elsewhere.
_TEXTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("mail|email", ("ann@x.org", "bob@y.com", "li@x.org", "me@y.com")),
    ("full|fullname", ("Ann Lee", "Bob Ray", "Li Wu", "Cid Fox Jr")),
    ("gender|sex", ("F", "M")),
    ("phone|telephone|mobile|telefon", ("+49 171 555-01", "(0171) 555 01", "030/12345", "0171555")),
    ("month|monat", ("2024-01", "2024-02", "2023-12")),
    ("status|state", ("open", "done", "open", "new")),
    (
        "name|city|country|product|item|category|department|dept|title|type|user|customer|owner"
        "|color|colour|team|author|subject|level|region|brand|store|shop|genre|species|player"
        "|word|text|comment|description|event|page|url|employee|manager|student|group|key|label"
        "|class|letter|kategorie|stadt|abteilung|produkt|kunde|land|code|tag|tags|account|member|patient",
        ("Ann", "Bob", "Li", "Cid"),
    ),
)
_DATE = re.compile(r"(?:^|_)(?:date|day|time|timestamp|datum|created|joined|birth\w*)(?:_|$|at$)")
_FLAG = re.compile(r"^(?:is|has)_|^(?:active|passed|churned|returned|paid|survived)$")
_WHOLE = re.compile(r"count|quantity|qty|age|stock|units|views|visits|points|hours|number|menge")


_MAILS = ("ann@x.org", "bob@y.com", "no mail", "a@@b.org", "li@x.org")  # some are none


class Tables(Random):
    """Tables for one function. `dates`: they are dates, not texts."""

    def __init__(self, request: str, program: str, *, dates: bool) -> None:
        super().__init__(request)
        self._request, self._program = request, program.replace('"', "'")
        self._are_dates = dates
        self._has_cases = bool(_CASE.search(request))
        self._has_spaces = bool(_SPACES.search(request))

    def table(self, name: str, columns: Sequence[str], rows: int) -> str:
        """The source of one with so many rows. `name`: what is in it, as `customers`."""
        gaps = _with_gaps(columns, self._request)
        key = f"{name.removesuffix('s')}_id"
        cells = []
        for column in columns:
            values = self._values(column, rows, is_key=column == key or self._is_once(column))
            kept = [None if column in gaps and self.random() < 0.25 else each for each in values]
            is_date = self._are_dates and self._is_date(column)
            cells.append(f"{column!r}: {f'pd.to_datetime({kept!r})' if is_date else repr(kept)}")
        return f"pd.DataFrame({{{', '.join(cells)}}})"

    def _values(self, column: str, rows: int, *, is_key: bool) -> Sequence[object]:
        name = column.lower()
        if shown := cells_shown(column, self._request):
            return [self._varied(self.choice(shown)) for _ in range(rows)]
        if self._is_date(column):
            return self._dates(column, rows)
        if _FLAG.search(name):
            return [self.random() < 0.5 for _ in range(rows)]
        words = _words_for(column)
        words = words or (_words_for("name") if f"['{column}'].str" in self._program else ())
        if is_key or name == "id":
            order = self.sample(range(1, rows + 1), rows)
            return [f"{words[each % len(words)]}{each}" if words else each for each in order]
        if name.endswith("_id"):
            return [self.randint(1, 4) for _ in range(rows)]
        return [self._value(name, words) for _ in range(rows)]

    def _value(self, name: str, words: Sequence[str]) -> object:
        if words:
            is_any_mail = "mail" in name and _VALID.search(self._request)
            return self._varied(self.choice(_MAILS if is_any_mail else words))
        if name == "year":
            return self.choice((2022, 2023, 2024))
        if _WHOLE.search(name):
            return self.randint(1, 80)
        return self.choice((self.randint(1, 90), self.randint(2, 180) / 4))

    def _varied(self, text: str) -> str:
        """In other cases, and with blanks around it, where the request speaks of these."""
        if self._has_cases and self.random() < 0.4:
            text = self.choice((text.upper(), text.lower()))
        return f" {text} " if self._has_spaces and self.random() < 0.4 else text

    def _dates(self, column: str, rows: int) -> Sequence[str]:
        """Each once, but where rows of one date belong together."""
        if _DAILY.search(self._request):
            days = [str(date(2024, 2, 25) + timedelta(n)) for n in range(rows)]
            return self.sample(days, rows)
        together = rf"(?:groupby\(|index=|columns=)\[?[^)\]]{{0,60}}'{re.escape(column)}'"
        if rows > len(_DATES) or re.search(together, self._program):
            return [self.choice(_REPEATED_DATES) for _ in range(rows)]
        return self.sample(_DATES, rows)

    def _is_date(self, column: str) -> bool:
        made = rf"to_datetime\(\w{{1,40}}\['{re.escape(column)}'\]"
        is_used = f"['{column}'].dt" in self._program or re.search(made, self._program)
        name = rf"\b{re.escape(column)}[`'\"]?"
        kind = r"(?:as )?(?:an? )?(?:datetime|dates?\b|timestamp|datum)"
        said = rf"{name} \((?:both |all )?{kind}|{name} (?:and|und) \w{{1,40}} \(both {kind}"
        is_said = re.search(said, self._request, re.IGNORECASE)
        return bool(is_used or is_said or _DATE.search(column.lower()))

    def _is_once(self, column: str) -> bool:
        """Whether the request says that there is one row for each of its values."""
        said = rf"\b(?:one|a) row (?:per|for each|for every) {re.escape(column)}\b"
        return bool(re.search(said, self._request, re.IGNORECASE))


def is_text(column: str) -> bool:
    """Whether words stand in a column of this name."""
    return bool(_words_for(column))


def _with_gaps(columns: Sequence[str], request: str) -> set[str]:
    """The columns in which values are missing: those of which the request says so, else all with
    numbers, and with texts where it speaks of these."""
    if not speaks_of_gaps(request):
        return set()
    named = {
        name
        for name in columns
        if re.search(
            rf"missing[`'\" ]{{1,3}}{re.escape(name)}"
            rf"|\b{re.escape(name)}[`'\"]? (?:is|may be|can be) (?-i:NaT|NaN|None|empty|missing)\b",
            request,
            re.IGNORECASE,
        )
    }
    has_texts = _IN_TEXTS.search(request)
    return named or {name for name in columns if has_texts or not is_text(name)}


def _words_for(column: str) -> tuple[str, ...]:
    """() where numbers stand in it."""
    words = set(re.split(r"[_\W]+", column.lower()))
    if "id" in words:
        return ()
    return next((texts for named, texts in _TEXTS if words & set(named.split("|"))), ())
