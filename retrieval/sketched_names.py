"""What code that was only sketched uses of a library: the chunks of those names, and, of names that
are deprecated, of what takes their place."""

import re
import sqlite3
from collections.abc import Iterator, Sequence

from retrieval.chunk_search import Ranked
from retrieval.chunk_weights import is_old
from retrieval.index_tables import marks
from retrieval.mentioned_chunks import MEANT, chunk_of

MOST = 2  # chunks: there has to be room for what the question's own words find
MAX_SKETCH = 4_000  # characters that are looked at
_NAMES = 24  # of a sketch
_NAMESAKES = 50
_LATER = 10**6  # the place of a chunk that no word of the question has led to

_IMPORTED = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+\(?([\w, \t]+)", re.MULTILINE)
_BASES = re.compile(r"^[ \t]*class[ \t]+\w+[ \t]*\(([^()\n]*)\)", re.MULTILINE)
_USED = re.compile(r"[.@][ \t]*([A-Za-z]\w*)")
_WORD = re.compile(r"\w+")
_DEPRECATED = re.compile(r"^(?P<head>.{0,600}?)Deprecated: (?P<said>.{0,400})", re.MULTILINE)
_INSTEAD = re.compile(r"`@?([A-Za-z][\w.]*)")


def sketched(
    database: sqlite3.Connection, sketch: str, sources: Sequence[int], ranked: Ranked
) -> list[int]:
    """Numbers of chunks; what takes the place of a deprecated name first, then what is imported by
    its name (an attribute's may be another class's), each in the order of the ranking. The sketch
    may be cut off, and have names that nobody has."""
    if not sources:
        return []
    library = _Library(database, sources)
    imported, used = names_in(sketch)
    names = list(dict.fromkeys([*imported, *used]))[:_NAMES]
    meant = {name: library.meant(name, names) for name in names}
    newer = {name: library.instead_of(some) for name, some in meant.items()}
    places = {row: place for place, (row, _) in enumerate(ranked)}
    rows = library.chunks([each for new in newer.values() for each in new])
    for some in (imported, used):
        kept = [name for name in some if name in names and not newer[name]]
        found = library.chunks([e for name in kept for e in meant[name] if not is_old(e)])
        rows += sorted(found, key=lambda row: places.get(row, _LATER))
    return list(dict.fromkeys(rows))[:MOST]


def names_in(sketch: str) -> tuple[list[str], list[str]]:
    """What it imports, and what stands behind a dot or an at sign, but for the bases of its own
    classes: every sketch has these."""
    sketch = sketch[:MAX_SKETCH]
    imported = [
        each.split()[0]
        for some in _IMPORTED.findall(sketch)
        for each in some.split(",")
        if each.strip()
    ]
    bases = {name for some in _BASES.findall(sketch) for name in _WORD.findall(some)}
    used = _USED.findall(sketch)
    first, later = ([name for name in some if name not in bases] for some in (imported, used))
    return list(dict.fromkeys(first)), list(dict.fromkeys(later))


class _Library:
    """The names of some sources."""

    def __init__(self, database: sqlite3.Connection, sources: Sequence[int]) -> None:
        self._database = database
        self._sources = sources

    def meant(self, name: str, names: Sequence[str]) -> list[str]:
        """The qualified names that a short one may stand for; of too many those of a class that is
        named as well; what is kept for old programs only where there is nothing else."""
        rows = self._database.execute(
            "SELECT coalesce(nullif(alias_of, ''), symbols.parent || '.' || short) FROM symbols"
            " JOIN parts ON parts.id = part WHERE short = ? AND symbols.kind IN"
            f" ('class', 'function', 'method') AND source IN ({marks(self._sources)}) LIMIT ?",
            (name, *self._sources, _NAMESAKES),
        )
        every = list(dict.fromkeys(row[0] for row in rows))
        found = [each for each in every if not is_old(each)] or every
        if len(found) > MEANT:
            found = [each for each in found if each.split(".")[-2] in names]
        return found if len(found) <= MEANT else []

    def instead_of(self, symbols: Sequence[str]) -> list[str]:
        """What their documentation names where it says that they are deprecated; of several of one
        name the one beside the old."""
        found: dict[str, None] = {}
        for symbol in symbols:
            owner, _, short = symbol.rpartition(".")
            for name in dict.fromkeys(self._instead_names(symbol)):
                new = self.meant(name, owner.split(".")) if name != short else []
                found |= dict.fromkeys([e for e in new if e == f"{owner}.{name}"] or new)
        return list(found)

    def chunks(self, symbols: Sequence[str]) -> list[int]:
        rows = (chunk_of(self._database, symbol) for symbol in symbols)
        return list(dict.fromkeys(row for row in rows if row is not None))

    def _instead_names(self, symbol: str) -> Iterator[str]:
        owner, _, short = symbol.rpartition(".")
        rows = self._database.execute(
            "SELECT title, content FROM chunks WHERE title IN (?, ?) AND instr(content, ?)",
            (symbol, owner, "Deprecated: "),
        )
        for title, content in rows:
            for found in _DEPRECATED.finditer(content):
                own = not found["head"] if title == symbol else _begins(found["head"], short)
                if own:
                    yield from (name.rpartition(".")[2] for name in _INSTEAD.findall(found["said"]))


def _begins(line: str, short: str) -> bool:
    return line.startswith((f"{short}(", f"{short}:"))
