"""What a program printed, but for its labels: two right programs for one request print the same
values under words of their own ("Sum of primes: 328", "The sum of all primes = 328"). Pure.

A word may be the answer ("2024 is not a leap year", "odd: 1 3"), so only a label of several words
is left out; two programs that agree so are taken for right."""

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_PIECE = re.compile(r"[^\s,;(){}\[\]'\"|]+|[\[\]]")
_NUMBER = re.compile(r"([-+]?)0*(\d{1,30}(?:\.\d{1,10})?)")
# Of the request: a capital before a number, words in quotes, data that stand behind a colon.
_DATA = re.compile(
    r"""(?<!\w)([A-Z]\w{0,40})(?=[ ]?[:=]?[ ]\d)|["']([^\W\d_][^"'\n]{0,80})["']"""
    r"""|(?s::\s(?=[^"'\d]{0,200}["'\d])(.*))"""
)
_FORMAT = re.compile(
    r"decimal|digit|round|format|width|align|column|exactly|\bcommas?\b|separat|leading|\bzeros\b|\bpad"
    r"|\bbits?\b|\bcent(?:er|re)|pyramid|triangle|pattern|grid|\btable\b|\bas (?:an? )?(?:json|csv)"
    r"|\b(?:per|each on an?|own|an? single|new|separate|same|one|by) lines?\b",
    re.I,
)
# In a label an answer: what stands in quotes, and behind "is".
_SAID = re.compile(r"[\"']([^\"']+)[\"']|\b(?:is|are)\b([^\"']+)$")
_EMPTY_WORD = re.compile(
    r"an?|all|and|are|as|at|by|each|every|for|from|in|is|its?|of|on|or|that|their|the|this|to|what"
    r"|which|with"
)
# What the sandbox lacks: compared as it stands.
_FAILED = re.compile(r"^[ \t]*(?:error|traceback|usage|exception)\b|\[Errno|errno", re.I | re.M)
_LONGEST = 48  # characters of a number
_BRACKETS = ("[", "]")


def printed_values(printed: str, request: str) -> str:
    """What was printed, word by word, without labels of several words (up to a line's first colon
    or equals sign; of them what the request names as data stays, what is said to be so, numbers
    that it does not have, and of several the words that tell them apart and are the request's).
    Numbers are written alike, and lines are one text where only one without a label has several
    values: others are a table. "" where the lines have to be compared as they are."""
    if _FAILED.search(printed) or _FORMAT.search(request) or not _NUMBER.search(printed):
        return ""
    known = {word for match in _DATA.finditer(request) for word in _words(match)}
    numbers = {plain_number(piece.rstrip(".:!?")) for piece in _PIECE.findall(request)}
    lines = [*map(_split, printed.splitlines())]
    topics = _topics([label for label, _ in lines if label], request)
    rows, several = list[list[str]](), 0
    for label, value in lines:
        row = [*_kept(label, known, numbers, topics), *_values(value)]
        rows += [row] if row else []
        several += not label and len(row) > 1
    between = "\n" if several > 1 else " "
    return between.join(map(" ".join, rows))


def _split(line: str) -> tuple[str, str]:
    """A label of several words, or a call, and what stands behind it; else "" and the line."""
    ends = (n for mark in ":=" if (n := line.find(mark)) >= 0)
    end = min(ends, default=0)
    label, value = line[:end], line[end + 1 :]
    is_clock = label[-1:].isdigit() and value[:1].isdigit()
    is_data = line.lstrip()[:1] in ("{", "[", "(", "'", '"') or is_clock or value[:1] == "="
    if is_data or (len(_WORD.findall(label)) < 2 and "(" not in label):
        return "", line
    return label, value


def _topics(labels: list[str], request: str) -> set[str]:
    """The request's words that tell labels apart, where there are several."""
    words = [{word.casefold() for word in _WORD.findall(label)} for label in labels]
    if len(words) < 2:
        return set()
    asked = {word.casefold() for word in _WORD.findall(request)}
    telling = asked & (set().union(*words) - set.intersection(*words))
    return {word for word in telling if not _EMPTY_WORD.fullmatch(word)}


def _kept(label: str, known: set[str], numbers: set[str], topics: set[str]) -> Iterator[str]:
    """What in a label is no wording."""
    said = " ".join(filter(None, (part for match in _SAID.findall(label) for part in match)))
    known = known.union(_PIECE.findall(said))
    for piece in _PIECE.findall(label):
        number = plain_number(piece)
        if piece in known or (number and number not in numbers):
            yield number or piece
        elif piece.casefold() in topics:
            yield piece.casefold()


def _values(text: str) -> Iterator[str]:
    is_flat = text.count("[") < 2
    for piece in _PIECE.findall(text):
        if piece in _BRACKETS:
            yield from () if is_flat else (piece,)
        else:
            yield plain_number(piece) or piece


def _words(match: re.Match[str]) -> list[str]:
    return _WORD.findall(" ".join(filter(None, match.groups())))


def plain_number(piece: str) -> str:
    """`38`, `38.0` and `38.00` alike; "" for what is no plain number."""
    found = _NUMBER.fullmatch(piece) if len(piece) <= _LONGEST else None
    if found is None:
        return ""
    whole, _, part = found[2].partition(".")
    part = part.rstrip("0")
    return f"{'-' if found[1] == '-' else ''}{whole}{'.' + part if part else ''}"
