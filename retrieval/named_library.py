"""The indexed libraries that a question names, and what it asks of them."""

import re
import sqlite3
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, replace

from retrieval.search_words import MAX_QUERY, SearchTerms

_WORD = re.compile(r"\w+(?:[-.]\w+)*")
_BETWEEN = re.compile(r"[-_.]")
_BEFORE = re.compile(r"\b(?:from|in|under|using|via|with)\s+[`'\"]?$", re.IGNORECASE)
_BEHIND = re.compile(r"[`'\"]?(?::|['’]s\b|\s+(?:client|library|module|package)\b)")
_MODULES = 10_000  # of a library
_DEEPEST = 5  # packages in each other


@dataclass(frozen=True, slots=True)
class Asked:
    """`sources`: the numbers of the libraries; none where the question names none."""

    terms: SearchTerms
    sources: tuple[int, ...] = ()

    @classmethod
    def of(cls, database: sqlite3.Connection, query: str) -> "Asked":
        """The library's own name is no word to search by: all that is read is of that library."""
        terms = SearchTerms.of(query)
        named = _named(database, query)
        own = {part for _, name in named for part in (name, *name.split("_"))}
        others = tuple(term for term in terms.terms if term not in own)
        numbers = tuple(dict.fromkeys(number for number, _ in named))
        return cls(replace(terms, terms=others or terms.terms), numbers)


def named_modules(database: sqlite3.Connection, query: str) -> list[str]:
    """What code imports of these libraries, one name of each: the module that the query names, or
    the first of its distribution (`pillow` is imported as `PIL`). What is named as a library is
    ("with httpx", "httpx: …") stands before what may be a word ("several requests")."""
    named: dict[int, set[str]] = {}
    for number, name in _named(database, query):
        named.setdefault(number, set()).add(name)
    order = sorted(named, key=lambda number: _place(query[:MAX_QUERY], named[number]))
    found = (_module(database, number, named[number]) for number in order)
    return [module for module in found if module]


def _place(query: str, names: Set[str]) -> tuple[bool, int]:
    """How early one of the names stands in the query, those first that stand as a library's."""
    found = [word for word in _WORD.finditer(query) if _names(word[0]) & names]
    places = [(not _stands_as_library(query, word), word.start()) for word in found]
    return min(places, default=(True, len(query)))


def _stands_as_library(query: str, word: re.Match[str]) -> bool:
    return bool(
        _BEFORE.search(query[max(0, word.start() - 20) : word.start()])
        or _BEHIND.match(query, word.end())
    )


def _module(database: sqlite3.Connection, source: int, names: Collection[str]) -> str:
    """Of a package within a namespace (`google.cloud.storage`) the one that stands highest."""
    rows = database.execute(
        "SELECT path FROM parts WHERE source = ? AND path != 'README' LIMIT ?", (source, _MODULES)
    )
    modules = sorted((path for (path,) in rows), key=lambda path: (path.count("."), path))
    said = [module for module in modules if _plain(module) in names]
    return next(iter(said or modules), "")


def _named(database: sqlite3.Connection, query: str) -> Sequence[tuple[int, str]]:
    """By the names of its distribution and of its modules at the top: `pydantic-settings` is
    `pydantic_settings`, and not `pydantic`."""
    said = {name for word in _WORD.findall(query[:MAX_QUERY]) for name in _names(word)}
    rows = database.execute(
        "SELECT id, name FROM sources WHERE kind != 'folder'"
        " UNION SELECT sources.id, target FROM sources WHERE kind != 'folder'"
        " UNION SELECT sources.id, path FROM sources JOIN parts ON source = sources.id"
        " WHERE kind != 'folder' AND instr(path, '.') = 0 AND path != 'README'"
    )
    return [(number, plain) for number, name in sorted(rows) if (plain := _plain(name)) in said]


def _names(word: str) -> set[str]:
    """What a word may name: `google.cloud.storage.Client` each package that it stands in."""
    parts = word.split(".")[:_DEEPEST]
    return {_plain(".".join(parts[: n + 1])) for n in range(len(parts))}


def _plain(name: str) -> str:
    return _BETWEEN.sub("_", name.lower())
