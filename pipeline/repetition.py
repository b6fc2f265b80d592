"""Whether a text has come to say the same over and over, as small models do until they are stopped.
Pure."""

import re
from collections.abc import Sequence

REPEATED = 1200  # characters at least that are one piece over and over
TIMES = 4  # at least
_TAIL = 8000  # characters that are looked at: a piece of up to a quarter of it is found
DEFINED = 6  # times one after the other that one function of Python is defined
_FUNCTION = re.compile(r"^([ \t]*)(?:async )?def (\w+)\(", re.MULTILINE)
# What registers functions may give them one name, and so may classes that do one thing each.
_MAY_BE_ALIKE = re.compile(r"^[ \t]*(?:@|class\b)", re.MULTILINE)
_PROBE = 48  # characters at the end by which an earlier copy is looked for


def before_repetition(pieces: Sequence[str]) -> str | None:
    """The text that `pieces` make, up to where it begins to repeat itself, its first copy included;
    None where it does not end in a piece that stands `TIMES` times and fills `REPEATED` characters,
    or in `DEFINED` definitions of one name. Its cost is bounded by the tail that is looked at, and
    by one join where it repeats."""
    tail = _tail(pieces)
    period = _period(tail)
    if period is None:
        return _before_definitions("".join(pieces)) if _defines_again(tail) else None
    text = "".join(pieces)
    begin = len(text) - period
    while begin >= period and text[begin - period : begin] == text[begin : begin + period]:
        begin -= period
    return text[: begin + period]


def _defines_again(text: str) -> bool:
    last = list(_FUNCTION.finditer(text))[-DEFINED:]
    if len(last) < DEFINED or len({each.groups() for each in last}) > 1:
        return False
    return not _MAY_BE_ALIKE.search(text, last[0].start())


def _before_definitions(text: str) -> str:
    """Up to the second of the definitions at the end that have one name."""
    defined = list(_FUNCTION.finditer(text))
    first = len(defined) - 1
    while first and defined[first - 1].groups() == defined[-1].groups():
        first -= 1
    return text[: defined[first + 1].start()]


def without_copies(pieces: Sequence[str]) -> str:
    """The text that `pieces` make, of those at its end that are alike the first alone."""
    kept = len(pieces)
    while kept > 1 and pieces[kept - 1].strip() == pieces[kept - 2].strip():
        kept -= 1
    return "".join(pieces[:kept])


def _tail(pieces: Sequence[str]) -> str:
    taken: list[str] = []
    size = 0
    for piece in reversed(pieces):
        taken.append(piece)
        size += len(piece)
        if size >= _TAIL:
            break
    return "".join(reversed(taken))[-_TAIL:]


def _period(tail: str) -> int | None:
    """How long the piece is that the tail repeats at its end."""
    earlier = tail.rfind(tail[-_PROBE:], 0, len(tail) - 1)
    period = len(tail) - _PROBE - earlier
    needed = max(REPEATED, TIMES * period)
    if earlier < 0 or needed > len(tail):
        return None
    end = tail[-needed:]
    return period if end[period:] == end[:-period] else None
