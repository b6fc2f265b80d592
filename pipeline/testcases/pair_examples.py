"""Examples as a value beside what becomes of it, without a call: `[1, 2, 2] -> [1, 2]`, "so that
'a b' becomes 'b a'", "e.g. [1, 2] gives 3"."""

import re
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.example import Found
from pipeline.testcases.literals import literal_end, read_literal
from pipeline.testcases.stated_examples import ARROW, goes_on, is_stated, sentence_goes_on

_MOST = 400
_STARTS = re.compile(r"(?:(?<=[\s(`*:])|^)(?=[\"'\[({\-\d]|(?:[Tt]rue|[Ff]alse|None|null)\b)", re.M)
_GAP, _MARKS = r"[ \t]{0,5}", r"[`*]{0,3}"
_MODAL = r"(?:should|must|would|will|has to|needs to)[ \t]{1,3}"
_AND = re.compile(rf"{_MARKS}{_GAP}(?:,|,?[ \t]and)[ \t]{{1,3}}{_MARKS}")
# `loose`: a word that also stands in sentences which are no examples.
_JOINT = re.compile(
    rf"{_MARKS},?{_GAP}(?:(?:{ARROW})|(?:{_MODAL})?(?:becomes?|turns? into|be turned into"
    rf"|be converted (?:in)?to|is turned into|is converted (?:in)?to)\b"
    rf"|(?P<loose>{_MODAL}(?:return|give|yield|be)|returns|gives|yields|is|=))"
    rf"[ \t]{{0,5}}{_MARKS}"
)
# What says of the value behind it that it is an example.
_EXAMPLE = re.compile(
    r"(?:^|\b(?:e\.?[ ]?g\.?|examples?|for instance|such as|like|sample|input))"
    r"[ \t]{0,3}[,:]?[ \t]{0,3}(?:\d{0,2}[,:.)]?[ \t]{0,3})?[`*(]{0,3}$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•][ \t]+)?")
_FILE_NAME = re.compile(r"[\w./\\-]*\.\w{1,5}")
_CALL = re.compile(r"\w\([^()]*$")  # `array('a' => 1, 'b' => 2)`
_STANDS_FOR_NODES = re.compile(r"\b(?:linked[ -]?lists?|trees?|nodes?)\b", re.IGNORECASE)


def find(text: str) -> Found:
    """Pairs of literals. Without a word such as "e.g." before it a pair counts where its first
    value is a collection or a text of two characters at least: single letters and numbers stand in
    rules ("'a' becomes 'b'") as often as in examples."""
    found, done = Found(), 0
    if _STANDS_FOR_NODES.search(text):
        return found
    for number, start in enumerate(_STARTS.finditer(text)):
        if number == _MOST:
            break
        if start.start() >= done:
            example, done = _read(text, start.start())
            if example:
                found.examples.append(example)
    return found


def _read(text: str, start: int) -> tuple[Case | None, int]:
    """An example that begins here, and where to look on."""
    first = _value(text, start)
    given, end = [], start + 1
    while first:
        given.append(first[0])
        end = first[1]
        further = _AND.match(text, end)
        first = _value(text, further.end()) if further else None
    joint = _JOINT.match(text, end) if given else None
    expected = _value(text, joint.end()) if joint else None
    if joint is None or expected is None:
        return None, end
    marked = _is_marked(text, start)
    plain = marked or (not joint["loose"] and len(given) == 1 and _speaks(given[0], expected[0]))
    if not plain or not _is_said(text, start, expected[1], loose=bool(joint["loose"])):
        return None, expected[1]
    return Case(Arguments(tuple(given)), expected[0], ""), expected[1]


def _value(text: str, start: int) -> tuple[Any, int] | None:
    """A literal and where it ends."""
    end = literal_end(text, start)
    if end is None or text[end : end + 1].isalnum():
        return None
    try:
        return read_literal(text[start:end]), end
    except ValueError:
        return None


def _line_before(text: str, start: int) -> str:
    begin = max(text.rfind("\n", 0, start) + 1, start - 200)
    return text[begin:start]


def _is_marked(text: str, start: int) -> bool:
    return bool(_EXAMPLE.search(_BULLET.sub("", _line_before(text, start))))


def _speaks(given: Any, expected: Any) -> bool:
    """Whether a pair is an example by its looks. Two file names are a program's input and
    output."""
    if isinstance(given, str):
        return len(given) > 1 and not (_FILE_NAME.fullmatch(given) and "." in str(expected))
    return isinstance(given, list | tuple | dict | set) and bool(given)


def _is_said(text: str, start: int, stop: int, *, loose: bool) -> bool:
    """Whether it stands in a sentence, on its own, and not in code or in a chain of steps."""
    before = _line_before(text, start)
    opened = any(before.count(one) > before.count(other) for one, other in ("[]", "{}"))
    opened = opened or bool(_CALL.search(before))
    steps = re.search(rf"(?:{ARROW})[ \t`*]*$", before) or re.match(
        rf"[`*]{{0,3}}[ \t]*(?:{ARROW})|[ \t]*,[ \t]*$", text[stop : stop + 200].split("\n", 1)[0]
    )
    if opened or steps or goes_on(text, stop) or not is_stated(text, start):
        return False
    return not (loose and sentence_goes_on(text, stop))
