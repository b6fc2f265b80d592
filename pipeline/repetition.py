"""Whether a text has come to say the same over and over, as small models do until they are stopped.
Pure."""

from collections.abc import Sequence

REPEATED = 1200  # characters at least that are one piece over and over
TIMES = 4  # at least
_TAIL = 8000  # characters that are looked at: a piece of up to a quarter of it is found
_PROBE = 48  # characters at the end by which an earlier copy is looked for


def before_repetition(pieces: Sequence[str]) -> str | None:
    """The text that `pieces` make, up to where it begins to repeat itself, its first copy included;
    None where it does not end in a piece that stands `TIMES` times and fills `REPEATED` characters.
    Its cost is bounded by the tail that is looked at, and by one join where it repeats."""
    tail = _tail(pieces)
    period = _period(tail)
    if period is None:
        return None
    text = "".join(pieces)
    begin = len(text) - period
    while begin >= period and text[begin - period : begin] == text[begin : begin + period]:
        begin -= period
    return text[: begin + period]


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
