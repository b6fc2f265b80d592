"""What a program printed, but for its labels: two right programs for one request print the same
values under words of their own ("Sum of primes: 328", "The sum of all primes = 328"). Pure.

A word may be the answer ("2024 is not a leap year", "odd: 1 3"), so only a label of several words
is left out; two programs that agree so are taken for right."""

import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_][\w'-]*")
_PIECE = re.compile(r"[^\s,;(){}\[\]'\"|]+|[\[\]]")
_NUMBER = re.compile(r"([-+]?)0*(\d{1,30}(?:\.\d{1,10})?)")
# Of the request: a capital before a number, a word in quotes, what stands behind a colon.
_DATA = re.compile(
    r"""(?<!\w)([A-Z]\w{0,40})(?=[ ]?[:=]?[ ]\d)|["']([^\W\d_]\w{0,40})["']|(?s::\s(.*))"""
)
_FORMAT = re.compile(
    r"decimal|digit|round|format|width|align|column|exactly"
    r"|\b(?:per|each on an?|own|an? single) line",
    re.I,
)
# What happened in the sandbox is no answer, however many drafts say it.
_FAILED = re.compile(r"^[ \t]*(?:error|traceback|usage|exception)\b|\[Errno|errno", re.I | re.M)
_LONGEST = 48  # characters of a number
_BRACKETS = ("[", "]")


def printed_values(printed: str, request: str) -> str:
    """What was printed, word by word, without labels of several words (up to a line's first colon
    or equals sign; what the request names in them stays, and numbers that it does not have).
    Numbers are written alike, and lines are one text where only one without a label has several
    values: others are a table. "" where the lines have to be compared as they are."""
    if _FAILED.search(printed) or _FORMAT.search(request) or not _NUMBER.search(printed):
        return ""
    known = {word for match in _DATA.finditer(request) for word in _words(match)}
    numbers = set(_numbers(request))
    rows, several = list[list[str]](), 0
    for line in printed.splitlines():
        label, value = _split(line)
        row = [*_kept(label, known, numbers), *_values(value)]
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


def _kept(label: str, known: set[str], numbers: set[str]) -> Iterator[str]:
    """What in a label is no wording."""
    for piece in _PIECE.findall(label):
        number = _number(piece)
        if piece in known or (number and number not in numbers):
            yield number or piece


def _values(text: str) -> Iterator[str]:
    is_flat = text.count("[") < 2
    for piece in _PIECE.findall(text):
        if piece in _BRACKETS:
            yield from () if is_flat else (piece,)
        else:
            yield _number(piece) or piece


def _numbers(text: str) -> Iterator[str]:
    for piece in _PIECE.findall(text):
        if number := _number(piece.rstrip(".:!?")):
            yield number


def _words(match: re.Match[str]) -> list[str]:
    return _WORD.findall(" ".join(filter(None, match.groups())))


def _number(piece: str) -> str:
    """`38`, `38.0` and `38.00` alike; "" for what is no plain number."""
    found = _NUMBER.fullmatch(piece) if len(piece) <= _LONGEST else None
    if found is None:
        return ""
    whole, _, part = found[2].partition(".")
    part = part.rstrip("0")
    return f"{'-' if found[1] == '-' else ''}{whole}{'.' + part if part else ''}"
