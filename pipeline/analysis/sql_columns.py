"""Columns of tables: of what kind their values are, by type, by name, and by what statements do
with them. Pure."""

import re
from dataclasses import dataclass, replace
from typing import Literal, Self

from pipeline.analysis.sql import ColumnUsage

Kind = Literal["id", "reference", "number", "text", "date", "time", "flag"]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBERS = (
    "amount|anzahl|balance|betrag|budget|calories|capacity|cost|count|distance|duration|gehalt"
    "|goals|grade|gram|height|hours|income|length|level|mark|menge|minutes|month|num_|pages"
    "|percent|points|position|preis|price|prio|profit|qty|quantity|quarter|rank|rate|rating|salary"
    "|score|seats|seconds|size|speed|stars|stock|temp|total|value|votes|weight|year"
)
_OF_NAME: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("reference", re.compile(r"_ids?$|_n[or]$|_number$")),
    ("time", re.compile(r"_at$|timestamp|datetime|(?:^|_)time$|^ts$")),
    (
        "date",
        re.compile(
            r"date|datum|(?:^|_)(?:arrival|birthday|checkin|checkout|day|departure|due|from|until"
            r"|since)$|_on$|^(?:born|hired|opened|placed|joined|valid_to|eintritt|austritt)$"
        ),
    ),
    ("flag", re.compile(r"^(?:is|has)_|^(?:active|deleted|done|enabled)$")),
    ("number", re.compile(rf"{_NUMBERS}|(?:^|_)(?:age|alter|kg|km)$|^n$|^(?:starts?|ends?)$")),
)
_OF_TYPE: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("flag", re.compile(r"bool|\bbit\b", re.IGNORECASE)),
    ("time", re.compile(r"timestamp|datetime", re.IGNORECASE)),
    ("date", re.compile(r"\bdate\b", re.IGNORECASE)),
    ("number", re.compile(r"int|real|num|dec|float|double|money|serial", re.IGNORECASE)),
    ("text", re.compile(r"char|text|string|clob|uuid|json|enum", re.IGNORECASE)),
)


# What a name says more exactly than the type of the column.
_CLOSER = frozenset(
    (
        ("number", "id"),
        ("number", "reference"),
        ("number", "flag"),
        ("text", "date"),
        ("text", "time"),
    )
)


@dataclass(frozen=True, slots=True)
class Column:
    """`kind`: None where nothing tells. `values`: what statements compare it with. `required`: it
    is never NULL; `nullable`: NULL is spoken of."""

    name: str
    kind: Kind | None
    required: bool = False
    values: tuple[str | float, ...] = ()
    nullable: bool = False

    @classmethod
    def of(cls, name: str, type_: str, *, required: bool = False) -> Self:
        """`type_`: "" where nothing is said of it."""
        return cls(name, _kind(name, type_), required)

    def used(self, usage: ColumnUsage) -> Self:
        """With what is compared with it, of the kind that that shows where nothing else does."""
        kind = self.kind
        if kind in (None, "text") and usage.values and all(map(_is_day, usage.values)):
            kind = "date"
        if kind is None:
            numeric = usage.values and not any(isinstance(each, str) for each in usage.values)
            kind = "number" if usage.is_number or numeric else "date" if usage.is_date else "text"
        nullable = self.nullable or usage.may_be_null
        return replace(self, kind=kind, values=usage.values, nullable=nullable)


def says_type(text: str) -> bool:
    return any(pattern.search(text) for _, pattern in _OF_TYPE)


def _is_day(value: str | float) -> bool:
    return isinstance(value, str) and bool(_DAY.match(value))


def _kind(name: str, type_: str) -> Kind | None:
    """By the type, and where that may be several, by the name; None where neither says."""
    of_type = next((kind for kind, pattern in _OF_TYPE if pattern.search(type_)), None)
    of_name: Kind | None = "id" if name == "id" else None
    of_name = of_name or next((kind for kind, pattern in _OF_NAME if pattern.search(name)), None)
    if of_type is None or (of_type, of_name) in _CLOSER:
        return of_name
    return of_type
