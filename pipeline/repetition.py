"""Whether a text has come to say the same over and over, as small models do until they are stopped.
Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

REPEATED = 1200  # characters at least that are one piece over and over
TIMES = 4  # at least
_TAIL = 8000  # characters that are looked at: a piece of up to a quarter of it is found
DEFINED = 6  # times one after the other that one function of Python is defined
EXAMPLES = 40  # lines one behind the other that show what one function gives
_EXAMPLE = re.compile(r"(?:print\(|assert (?:not )?|self\.assert\w+\()([A-Za-z_][\w.]{0,99})\(")
_FUNCTION = re.compile(r"^([ \t]*)(?:async )?def (\w+)\(.*:[ \t]*(?:#.*)?$", re.MULTILINE)
_DOCSTRING = re.compile(r'\A\s*[rR]?("""|\'\'\').*?\1', re.DOTALL)
_LEAST_BODY = 60  # characters: shorter ones may well be alike
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
    it ends `DEFINED` times, one behind the other, under one name or with one body; None where that
    is not so. Between them stands nothing but their bodies: no decorator, class or statement that
    makes something of each."""
    return _before_second(pieces, _alike_at_end, DEFINED)


def _alike_at_end(text: str) -> list[int]:
    """Where the definitions of one function begin with which the text ends. The last one may not
    be whole yet, so bodies are those of the others."""
    found = _definitions_at_end(text)
    named = [*takewhile(lambda each: each.head == found[0].head, found)]
    whole = found[1:]
    alike = [*takewhile(lambda each: each.body == whole[0].body, whole)]
    is_code = bool(alike) and len(alike[0].body) >= _LEAST_BODY
    longest = alike if is_code and len(alike) > len(named) else named
    return [each.start for each in reversed(longest)]


@dataclass(frozen=True, slots=True)
class _Definition:
    """`head`: indentation and name; `body`: without its docstring."""

    start: int
    head: tuple[str, ...]
    body: str


def _definitions_at_end(text: str) -> list[_Definition]:
    """The functions with which the text ends, the last first."""
    found: list[_Definition] = []
    stop = len(text)
    for each in reversed([*_FUNCTION.finditer(text)]):
        own = text[each.end() : stop]
        if not _is_body(own, each[1]):
            break
        body = _DOCSTRING.sub("", own, count=1).strip()
        found.append(_Definition(each.start(), each.groups(), body))
        stop = each.start()
    return found


def before_examples(pieces: Sequence[str]) -> str | None:
    """The code that `pieces` make, up to the second of the `EXAMPLES` lines with which it ends that
    print or assert what one function gives; None where there are fewer. Blank lines and comments
    may stand between them."""
    return _before_second(pieces, _examples_at_end, EXAMPLES)


def _before_second(
    pieces: Sequence[str], places: Callable[[str], list[int]], least: int
) -> str | None:
    """The text up to the second of the `places` at its end, where there are enough of them."""
    if len(places(_tail(pieces))) < least:
        return None
    text = "".join(pieces)
    return text[: places(text)[1]]


def _examples_at_end(text: str) -> list[int]:
    """Where the lines begin that call one function; the last line may not be whole yet."""
    starts: list[int] = []
    called, at = "", text.rfind("\n") + 1
    while at > 0:
        begin = text.rfind("\n", 0, at - 1) + 1
        line = text[begin : at - 1].strip()
        at = begin
        if not line or line.startswith("#"):
            continue
        found = _EXAMPLE.match(line)
        if not found or called not in ("", found[1]):
            break
        called = found[1]
        starts.append(begin)
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
