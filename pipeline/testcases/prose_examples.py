"""Examples in the form of a sentence: "for 'abc' it returns 3", "for n = 4 and k = 2 it gives 6",
"for the list [1, 2] the output should be 3"."""

import re
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.example import Found
from pipeline.testcases.literals import literal_at, parse_expression

_MOST = 200
_FOR = re.compile(
    r"(?<!default )\b(?:[Ff]or|[Gg]iven|[Ww]ith)[ \t]{1,5}(?P<noun>(?:(?:an?|the)[ \t]{1,5})?"
    r"(?:input|(?:list|array)(?=:?[ \t`]{1,5}\[)|string(?=:?[ \t`]{1,5}[\"']))"
    r":?[ \t]{1,5})?"
)
_NAMED = re.compile(r"([A-Za-z_]\w*)[ \t]{0,3}=[ \t]{0,3}")
_QUOTED = re.compile(r"`([^`\n]{1,300})`")
_MARKS = re.compile(r"[`*]{0,3}")
_AND = re.compile(r"[`*]{0,3}[ \t]{0,3}(?:,|,?[ \t]{1,3}and)[ \t]{1,3}(?!(?:it|this|the)\b)")
_MODAL = r"(?:should|must|would|will|has to|needs to)[ \t]{1,3}"
_GIVES = re.compile(
    r"[`*]{0,3},?[ \t]{1,3}(?:(?P<subject>it|this|the (?:function|result|answer|return value"
    r"|(?:expected )?output)|you|we)[ \t]{1,3})?"
    rf"(?:returns|gives|yields|{_MODAL}(?:return|give|yield|be)|is|get)"
    r"[ \t]{1,3}[`*]{0,3}"
)
# What may stand behind a value that ends its sentence or its clause.
_ENDS = re.compile(r"[`*]{0,3}[ \t]*(?:$|[\n.;)]|,|and\b|as well\b|too\b|while\b|but\b|\()")


def find(text: str) -> Found:
    """Sentences whose values, given and returned, are all literals."""
    starts = islice(_FOR.finditer(text), _MOST)
    read = (_read(text, start.end(), bare=not start["noun"]) for start in starts)
    return Found([example for example in read if example])


def _read(text: str, start: int, *, bare: bool) -> Case | None:
    """`bare`: nothing is said of what the value is; else the verb needs a subject ("the weight of
    the string 'a' is 2")."""
    given: list[tuple[str, Any]] = []
    while True:
        named = _NAMED.match(text, start)
        value = _value(text, named.end() if named else start) or _quoted(text, start)
        if value is None:
            return None
        given.append((named[1] if named else "", value[0]))
        gives, further = _GIVES.match(text, value[1]), _AND.match(text, value[1])
        if gives:
            break
        if not further:
            return None
        start = further.end()
    expected = _value(text, gives.end()) if bare or gives["subject"] else None
    if expected is None or not _ENDS.match(text, expected[1]):
        return None
    return Case(_arguments(given), expected[0], "")


def _value(text: str, start: int) -> tuple[Any, int] | None:
    """A literal behind marks, and where it ends."""
    return literal_at(text, _MARKS.match(text, start).end())  # type: ignore[union-attr]  # or nothing


def _quoted(text: str, start: int) -> tuple[str, int] | None:
    """What stands between backticks and is no expression is a text as it is: `a=1 b="x y"`."""
    quoted = _QUOTED.match(text, start)
    if quoted is None or parse_expression(quoted[1]) is not None or "..." in quoted[1]:
        return None
    return quoted[1], quoted.end()


def _arguments(given: list[tuple[str, Any]]) -> Arguments:
    """By name where every value has one; these are the sentence's, and need not be the code's."""
    if all(name for name, _ in given):
        return Arguments((), tuple(given), labelled=True)
    return Arguments(tuple(value for _, value in given))
