"""Whether a text has come to say the same over and over, as small models do until they are stopped.
Pure."""

import re
from collections.abc import Sequence

REPEATED = 1200  # characters at least that are one piece over and over
TIMES = 4  # at least
_TAIL = 8000  # characters that are looked at: a piece of up to a quarter of it is found
DEFINED = 6  # times one after the other that one function of Python is defined
_FUNCTION = re.compile(r"^([ \t]*)(?:async )?def (\w+)\(.*:[ \t]*(?:#.*)?$", re.MULTILINE)
_PROBE = 48  # characters at the end by which an earlier copy is looked for


def before_repetition(pieces: Sequence[str]) -> str | None:
    """The text that `pieces` make, up to where it begins to repeat itself, its first copy included;
    None where it does not end in a piece that stands `TIMES` times and fills `REPEATED` characters.
    Its cost is bounded by the tail that is looked at, and by one join where it repeats."""
    period = _period(_tail(pieces))
    if period is None:
        return None
    text = "".join(pieces)
    begin = len(text) - period
    while begin >= period and text[begin - period : begin] == text[begin : begin + period]:
        begin -= period
    return text[: begin + period]


def before_definitions(pieces: Sequence[str]) -> str | None:
    """The code that `pieces` make, up to the second definition of a function of Python with which
    it ends `DEFINED` times, one behind the other; None where that is not so. Between them stands
    nothing but their bodies: no decorator, class or statement that makes something of each."""
    if len(_alike_at_end(_tail(pieces))) < DEFINED:
        return None
    text = "".join(pieces)
    return text[: _alike_at_end(text)[1]]


def _alike_at_end(text: str) -> list[int]:
    """Where the definitions of one function begin with which the text ends."""
    starts: list[int] = []
    last, stop = None, len(text)
    for each in reversed([*_FUNCTION.finditer(text)]):
        is_other = last is not None and each.groups() != last.groups()
        if is_other or not _is_body(text[each.end() : stop], each[1]):
            break
        starts.append(each.start())
        last, stop = each, each.start()
    return starts[::-1]


def _is_body(text: str, indent: str) -> bool:
    """Whether each line is blank or stands deeper than `indent`."""
    deeper = (f"{indent} ", f"{indent}\t")
    return all(not line.strip() or line.startswith(deeper) for line in text.split("\n"))


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
