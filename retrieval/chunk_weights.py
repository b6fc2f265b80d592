"""Weights of chunks beside their words: a library's entry points count more, its deprecated parts
and release notes less."""

import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence

from retrieval.index_tables import marks

_OLD = re.compile(r"(?:^|\.)_?(?:v\d+|deprecated|legacy)(?:\.|$)")
_NEWS = re.compile(
    r"(?:^| › )v?\d+(?:\.\w+)+(?= › | \(|$)|what's changed|new contributors|change ?log", re.I
)
_WORTH_OLD, _WORTH_NEWS = 0.5, 0.4
_WORTH_REEXPORT, _WORTH_MEMBER = 1.4, 1.2


def worth(
    database: sqlite3.Connection, titles: Mapping[int, str], sources: Sequence[int]
) -> dict[int, float]:
    """By number of chunk. `sources`: the libraries in question."""
    reexported = _reexported(database, sources)
    return {row: _worth(title, reexported) for row, title in titles.items()}


def is_old(title: str) -> bool:
    return _OLD.search(title) is not None


def _worth(title: str, reexported: Collection[str]) -> float:
    """`v1.main.BaseModel` is old; `v2.11 › Fixes` is news, `2.1 Installing` is a chapter; what a
    library offers at its top (`aiohttp.ClientSession`) is what it is used by."""
    if _NEWS.search(title):
        return _WORTH_NEWS
    if is_old(title):
        return _WORTH_OLD
    if title in reexported:
        return _WORTH_REEXPORT
    return _WORTH_MEMBER if title.rpartition(".")[0] in reexported else 1.0


def _reexported(database: sqlite3.Connection, sources: Sequence[int]) -> set[str]:
    """What stands elsewhere and is offered at a library's top."""
    rows = database.execute(
        "SELECT alias_of FROM symbols WHERE alias_of != '' AND parent IN"
        f" (SELECT path FROM parts WHERE instr(path, '.') = 0 AND source IN ({marks(sources)}))",
        sources,
    )
    return {name for (name,) in rows}
