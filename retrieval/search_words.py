"""Tokenizing texts and queries for search: identifiers also by their parts. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

MAX_QUERY = 20_000  # characters that are looked at
MAX_TERMS = 48
MAX_MENTIONS = 12
_MAX_WORD = 100  # characters; what is longer is data

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+[A-Z]?(?![a-z])|[^\W\d_A-Za-z]+")
# Letters of Latin script with marks (ä, ø, ế) are cut as those without are.
_MARKED = [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]
_PLAIN = {code: "A" if chr(code).isupper() else "a" for code in _MARKED if chr(code).isalpha()}
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_IDENTIFIER = re.compile(r"\w*[a-z0-9][A-Z]\w*|\w+_\w+|[A-Z]+[a-z]\w*")

_DOER = re.compile(
    r"[b-df-hj-np-tv-z]{0,3}(?P<vowels>[aeiouy]{1,2})(?P<end>[b-df-hj-np-tv-xz]{1,3})er",
    re.IGNORECASE,
)

_TEXT = """
a about all also an and any are as at basic be been beside but by can could did do does each
for from get gets give given had has have how i if in into is it its just let like make many
me much my need needs no not of on one only or other our please possible python set several
should show shows simple so some such take than that the their them then there these they this
those through to up upon us use used uses using via want was way we were what when where which
while who whose why will with would you your
"""
_STOP_WORDS = frozenset(_TEXT.split())


@dataclass(frozen=True, slots=True)
class SearchTerms:
    """`terms`: words in lower case, whole identifiers before their parts. `mentions`: names as
    code writes them (`vtkActor.SetMapper`), in their order."""

    terms: tuple[str, ...]
    mentions: tuple[str, ...]

    @classmethod
    def of(cls, query: str) -> "SearchTerms":
        text = query[:MAX_QUERY]
        words = dict.fromkeys(word.lower() for word in _split(text))
        terms = [word for word in words if word not in _STOP_WORDS] or list(words)
        return cls(tuple(terms[:MAX_TERMS]), tuple(_mentions(text)))


def spread(text: str) -> str:
    """The words of a text, with the parts of its identifiers behind them: `vtkActor vtk actor`."""
    words = list(_split(text))
    return " ".join([*words, *filter(None, map(_deed, words))]).lower()


def short_name(name: str) -> str:
    """What a qualified name ends with, or the last heading of a title."""
    last = name.rpartition(" › ")[2]
    return last if " " in last else last.rpartition(".")[2]


def _split(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        word = match[0]
        if len(word) <= _MAX_WORD and word.strip("_"):
            yield from _with_parts(word)


@lru_cache(maxsize=1 << 16)
def _with_parts(word: str) -> tuple[str, ...]:
    plain = word.translate(_PLAIN)  # as long as the word
    parts = [word[found.start() : found.end()] for found in _PART.finditer(plain)]
    return (word, *parts) if len(parts) > 1 else (word,)


def _deed(word: str) -> str:
    """What something is called after: `read`, `write`, `clip` of `reader`, `writer`, `clipper`;
    "" of other words. (Porter's stemming does that with longer words, `renderer`.)"""
    match = _DOER.fullmatch(word)
    if not match:
        return ""
    stem, vowels, end = match[0][:-2], match["vowels"], match["end"]
    if len(end) > 1 and end[-1] == end[-2]:
        return stem[:-1] if end[-1] not in "lsz" else stem
    return f"{stem}e" if len(vowels) == len(end) == 1 else stem


def _mentions(text: str) -> list[str]:
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = match[0]
        called = text[match.end() : match.end() + 1] in ("(", "`") or "." in name
        if len(name) <= 2 * _MAX_WORD and (called or _IDENTIFIER.fullmatch(name)):
            found[name] = None
            if len(found) == MAX_MENTIONS:
                break
    return list(found)
