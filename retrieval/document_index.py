"""The index of documentation: which sources are in it, and taking them in.

    index = DocumentIndex(directory)
    change = index.add(find_source("rich"), progress)    # what is new or changed is read, no more
    index.sources(), index.remove("rich")

Reading is in `retrieval.chunk_search`, `retrieval.symbol_table` and `retrieval.index_retriever`.
"""

import os
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from history.index_file import transaction
from retrieval.document_index_file import DocumentIndexFile
from retrieval.errors import DocumentsError, NameTakenError, OutdatedError
from retrieval.part_rows import delete_parts, replace_part
from retrieval.sources.chunk import Progress
from retrieval.sources.part_reader import read_parts
from retrieval.sources.source import Source
from retrieval.sources.source_parts import list_parts


@dataclass(slots=True)
class Change:
    """What adding a source did, in parts (modules, files). `skipped`: of which nothing could be
    read; `left`: that the next call begins with; `problems`: what could not be read, by part."""

    name: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    skipped: int = 0
    left: int = 0
    problems: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Indexed:
    """A source as it is in the index. `changed`: seconds since the epoch. `problems`: how many
    parts could not be read whole."""

    name: str
    kind: str
    target: str
    python: str
    version: str
    changed: float
    parts: int
    chunks: int
    symbols: int
    problems: int


class DocumentIndex:
    """Any thread and process may use it. Raises DocumentsError."""

    def __init__(self, directory: Path) -> None:
        self.file = DocumentIndexFile(directory)

    def add(self, source: Source, progress: Progress | None = None) -> Change:
        """Takes in what is new or changed, and takes out what is gone.

        Each part is one transaction: others see the source grow, and what is broken off at any
        moment goes on there with the next call. `progress` is told of the parts that are read.
        """
        parts = {part.path: part for part in list_parts(source)}
        with self.file.writing() as database:
            with transaction(database):
                number = _enter(database, source)
            known = _fingerprints(database, number)
            gone = known.keys() - parts.keys()
            todo = [part for path, part in parts.items() if known.get(path) != part.fingerprint]
            change = Change(source.name, removed=len(gone), unchanged=len(parts) - len(todo))
            with transaction(database):
                delete_parts(database, number, gone)
            for parsed in read_parts(source, todo, progress):
                if parsed.problems:
                    change.problems[parsed.path] = parsed.problems
                if parsed.left:
                    change.left += 1
                    continue
                with transaction(database):
                    _expect(database, number, source.name)
                    replace_part(database, number, parts[parsed.path], parsed)
                if parsed.problems and not (parsed.chunks or parsed.symbols):
                    change.skipped += 1
                elif parsed.path in known:
                    change.changed += 1
                else:
                    change.added += 1
            _tidy(database)
        return change

    def remove(self, name: str) -> bool:
        """Whether there was such a source."""
        with self.file.reading() as database:
            if database is None:
                return False
        with self.file.writing() as database:
            found = database.execute("SELECT id FROM sources WHERE name = ?", (name,)).fetchone()
            if found is None:
                return False
            with transaction(database):
                delete_parts(database, found[0], _fingerprints(database, found[0]))
                database.execute("DELETE FROM sources WHERE id = ?", found)
            _tidy(database)
            return True

    def sources(self) -> list[Indexed]:
        """By name; none where there is no index."""
        with self.file.reading() as database:
            return [] if database is None else _sources(database)

    def renew(self) -> list[tuple[str, str, str]]:
        """Where the index is damaged or of another version, puts it aside for a new one; gives
        name, target and Python of the sources that were in it, as far as it can be told."""
        try:
            with self.file.reading():
                return []
        except OutdatedError:
            found = self.file.known_sources()
            self.file.set_aside()
            return found


def _enter(database: sqlite3.Connection, source: Source) -> int:
    """The number of the source, which may have come with another version since. Raises
    NameTakenError."""
    before = database.execute(
        "SELECT target FROM sources WHERE name = ?", (source.name,)
    ).fetchone()
    if before and before[0] != source.target and os.sep in before[0] + source.target:
        raise NameTakenError(
            f"{source.name} is {before[0]} already. Give {source.target} another name with --name, "
            f"or take the other one out: laios docs remove {source.name}."
        )
    values = (source.kind, source.target, str(source.python), source.version, time.time())
    database.execute(
        "INSERT INTO sources (name, kind, target, python, version, changed)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET kind = excluded.kind,"
        " target = excluded.target, python = excluded.python, version = excluded.version,"
        " changed = excluded.changed",
        (source.name, *values),
    )
    (number,) = database.execute("SELECT id FROM sources WHERE name = ?", (source.name,)).fetchone()
    return int(number)


def _expect(database: sqlite3.Connection, number: int, name: str) -> None:
    """Raises DocumentsError where another process has taken the source out."""
    row = (number, name)
    if not database.execute("SELECT 1 FROM sources WHERE id = ? AND name = ?", row).fetchone():
        raise DocumentsError(f"{name} was taken out while it was read: laios docs add {name}")


def _fingerprints(database: sqlite3.Connection, source: int) -> Mapping[str, str]:
    return dict(database.execute("SELECT path, fingerprint FROM parts WHERE source = ?", (source,)))


def _tidy(database: sqlite3.Connection) -> None:
    """Vectors of contents that are no longer there, and what the planner wants to know."""
    with transaction(database):
        database.execute("DELETE FROM vectors WHERE digest NOT IN (SELECT digest FROM chunks)")
    database.execute("PRAGMA optimize")


def _sources(database: sqlite3.Connection) -> list[Indexed]:
    rows = database.execute(
        """SELECT name, kind, target, python, version, changed,
            (SELECT count(*) FROM parts WHERE source = sources.id),
            (SELECT count(*) FROM chunks JOIN parts ON parts.id = part WHERE source = sources.id),
            (SELECT count(*) FROM symbols JOIN parts ON parts.id = part WHERE source = sources.id),
            (SELECT count(*) FROM parts WHERE source = sources.id AND notes != '')
        FROM sources ORDER BY name"""
    )
    return [Indexed(*row) for row in rows]
