"""Examples as bullets of a function of one text, with several texts for one result, or an error:

    * "10K", "10k" and "10 KB" → 10240
    * "" or None → ValueError (message is up to you)

Beside others with one text: else the texts may be several arguments. Rules ("KB" or "kb" → 1024)
look the same; they are written of shorter texts, and in doubt these are none."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.pair_examples import OF_ONE, OF_RULES, OTHER_REQUESTS
from pipeline.testcases.examples.stated_examples import ARROW, is_stated
from pipeline.testcases.examples.unquoted_texts import OF_OTHER_KIND
from pipeline.testcases.literals import MARKS, literal_at

_LEAST = 2  # pairs with a value
_MOST = 60
_BULLET = re.compile(rf"^[ \t>]{{0,12}}(?:[-*+•]|\d{{1,2}}[.)])[ \t]{{1,5}}{MARKS}", re.MULTILINE)
_HAS_ARROW = re.compile(rf"[ \t](?:{ARROW})[ \t]")
_AND = re.compile(
    rf"{MARKS}(?:,[ \t]{{1,3}}(?:and|or)\b|[ \t]{{1,3}}(?:and|or)\b|,)[ \t]{{1,3}}{MARKS}"
)
_LAST_AND = re.compile(r"\b(?:and|or)\b")
_JOINT = re.compile(rf"{MARKS}[ \t]{{1,40}}(?:{ARROW})[ \t]{{1,40}}(?:raises? (?:an? )?)?{MARKS}")
# Others may be what is to be returned, or come of another place.
_ERROR = re.compile(r"(?:Value|Type|Key|Index|Lookup|ZeroDivision|Attribute|Overflow)Error\b")
_ENDS = re.compile(
    rf"{MARKS}(?:[ \t](?:too|also|as well))?(?:,?[ \t](?i:and )?(?i:not)[ \t][^\n]{{1,60}}"
    r"|[ \t]{1,20}\([^()\n]{1,80}\))?[.;,]?[ \t]{0,20}$",
    re.MULTILINE,
)
_DOUBTED = re.compile(r"\b(?:wrong|should|currently|now|but|or|maybe|instead|e\.g)\b|\?")
# A text of which a part alone would be a rule, or a number.
_WHOLE_TEXT = re.compile(r"\d|\S[ \t]\S|\w{5}")
_FUNCTION = re.compile(r"\b(?i:function)\b|\b[a-z]{1,40}_\w{1,40}\b|\b[A-Za-z_]\w{0,80}\(")
# Of a function that takes more than one.
_OF_SEVERAL = re.compile(
    r"\(\*\w|\b(?:common|strings|words|texts|lists?|args|arguments|between|both|two|several"
    r"|any number|merge\w*|join\w*|combine\w*|compare\w*)\b",
    re.IGNORECASE,
)


class _Row(NamedTuple):
    given: list[Any]
    is_choice: bool  # of several, the last behind "and" or "or"
    expected: Any


def find(text: str) -> Found:
    """None where a bullet with an arrow is none."""
    if any(each.search(text) for each in (OTHER_REQUESTS, OF_RULES, _OF_SEVERAL)):
        return Found()
    one = OF_ONE.search(text)
    if one and ((one["type"] or "str") != "str" or OF_OTHER_KIND.fullmatch(one["name"])):
        return Found()
    if not _FUNCTION.search(text):
        return Found()
    bullets = [each for each in _BULLET.finditer(text) if _HAS_ARROW.search(_line(text, each))]
    rows = [_row(text, each.end()) for each in bullets[:_MOST]]
    known = [row for row in rows if row]
    if len(known) < len(rows) or not _are_examples(known):
        return Found()
    return Found(
        [Case(Arguments((each,)), row.expected, "") for row in known for each in row.given]
    )


def _line(text: str, bullet: re.Match[str]) -> str:
    return text[bullet.end() : bullet.end() + 200].partition("\n")[0]


def _are_examples(rows: list[_Row]) -> bool:
    """Whether some of them have one text and a value, and none may be a rule."""
    valued = [row for row in rows if not isinstance(row.expected, Raises)]
    if len(valued) < _LEAST or not any(len(row.given) == 1 for row in valued):
        return False
    if not all(row.is_choice or len(row.given) == 1 for row in rows):
        return False
    given = [each for row in valued for each in row.given]
    return all(isinstance(each, str) and _WHOLE_TEXT.search(each) for each in given)


def _row(text: str, start: int) -> _Row | None:
    given, stop, joints = list[Any](), start, list[str]()
    for value, end, joint in _values(text, start):
        given.append(value)
        stop = end
        joints.append(joint)
    arrow = _JOINT.match(text, stop) if given else None
    result = _result(text, arrow.end()) if arrow else None
    ends = _ENDS.match(text, result[1]) if result else None
    if result is None or ends is None or _DOUBTED.search(ends[0]) or not is_stated(text, start):
        return None
    if not all(each is None or isinstance(each, str) for each in given):
        return None
    return _Row(given, bool(_LAST_AND.search(joints[-1])), result[0])


def _values(text: str, start: int) -> Iterator[tuple[Any, int, str]]:
    """The values from there on, where each ends, and what stands before it."""
    value, joint = literal_at(text, start), ""
    while value:
        yield *value, joint
        further = _AND.match(text, value[1])
        joint = further[0] if further else ""
        value = literal_at(text, further.end()) if further else None


def _result(text: str, start: int) -> tuple[Any, int] | None:
    error = _ERROR.match(text, start)
    return (Raises(error[0]), error.end()) if error else literal_at(text, start)
