"""Texts that stand in a column of a table, as a request shows them: `phone such as "0171 5"`, or
in the code of a table; and others of their form. Pure."""

import re

from pipeline.testcases.literals import read_literal

_TEXT = re.compile(r'"([^"\n]{1,40})"')
_SAYS = r"(?:[\w,]{1,12} ){0,3}?(?:like|such as|e\.g\.|for example|wie|z\. ?B\.)"
_TEXTS = r"((?:\"[^\"\n]{1,40}\"(?:, | or | and | und | oder )?){1,6})"
_DATE, _TIME = re.compile(r"\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?"), re.compile(r"\d{1,2}:\d\d")
_TIMES = ("08:15", "08:00", "09:05", "12:30", "08:20", "12:40")
_NO_VALUE = re.compile(
    r"\b(?:na[nt]|none|null|empty|missing|an?|the|not|less|more)\b", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")


def cells_shown(column: str, request: str) -> tuple[str, ...]:
    """() where it shows none, and where they are dates."""
    name = rf"\b{re.escape(column)}[`'\"]?"
    one = re.search(rf"{name},? \(?{_SAYS} {_TEXTS}", request)
    of_two = rf"{name} (?:and|und) \w{{1,40}} \((?:strings|texts|both|times|beide)\b[\w, ]{{0,12}}"
    found = one or re.search(rf"{of_two}(?:like|such as|wie) {_TEXTS}", request)
    texts = _TEXT.findall(found[1]) if found else _in_code(column, request)
    if any(_DATE.fullmatch(each) for each in texts):
        return ()
    if any(_TIME.fullmatch(each) for each in texts):
        return _TIMES
    texts = texts or [*either_of(column, request)]
    return tuple(dict.fromkeys([*texts, *(_next_digits(each) for each in texts)]))


def _next_digits(text: str) -> str:
    return _DIGIT.sub(lambda digit: str((int(digit[0]) + 1) % 10), text)


def _in_code(column: str, request: str) -> list[str]:
    listed = re.search(
        r"DataFrame\(\s{0,20}\{[^}]{0,1000}?"
        rf"[\"']{re.escape(column)}[\"']: (\[[^\]]{{1,400}}\])",
        request,
    )
    try:
        cells = read_literal(listed[1]) if listed else []
    except ValueError:
        return []
    return [each for each in cells if isinstance(each, str)]


def either_of(column: str, request: str) -> tuple[str, ...]:
    """The two words of which one stands in each row: `present is yes or no`; () where it says no
    such thing."""
    said = re.search(
        rf"\b{re.escape(column)}[`'\"]? (?:is|are|ist) (?:either )?[`'\"]?(\w{{1,20}})[`'\"]? "
        r"(?:or|oder) [`'\"]?(\w{1,20})\b",
        request,
        re.IGNORECASE,
    )
    if said is None or _NO_VALUE.search(f"{said[1]} {said[2]}"):
        return ()
    return (said[1], said[2], said[1], said[2], said[1])
