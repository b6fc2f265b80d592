"""Search over the history: a disposable SQLite index beside it. The JSONL is the only truth."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypeVar

from history.index_file import IndexFile
from history.index_query import RunQuery
from history.index_row import text_of
from history.index_rows import TABLES, VERSION
from history.index_view import SAMPLE, Place, View
from history.indexer import Indexer, Progress, indexed_position
from history.reader import Reader
from history.record import Record
from history.results import Facets, Groups, Page, RunCounts, group_by_session

T = TypeVar("T")


class IndexState(NamedTuple):
    """How far the index is: bytes of history taken in and in all, and how many of the lines seen
    are damaged (no record)."""

    done: int
    total: int
    damaged: int

    @property
    def complete(self) -> bool:
        return self.done == self.total


class Index:
    """Finds runs, and counts them.

    It lives in one file in `cache_dir` for each history directory, and is made again when it is
    damaged, of another version, or about other files than those that are there. Any thread may
    use it, and several processes at once. Everything but `catch_up` and `search` answers as of
    the last `catch_up` and never waits for one; all methods read files: call them in a thread.
    Raises sqlite3.Error or OSError if the cache cannot be used.
    """

    def __init__(self, directory: Path, cache_dir: Path) -> None:
        self._reader = Reader(directory)
        self._indexer = Indexer(directory, self._reader)
        name = blake2b(os.fsencode(directory.absolute()), digest_size=8).hexdigest()
        self.file = IndexFile(cache_dir / f"history-{name}.sqlite", TABLES, VERSION)
        self.path = self.file.path

    def catch_up(self, progress: Progress | None = None) -> int:
        """Take in what was written since; gives the number of new records.

        `progress` is called after each batch with the bytes taken in so far and those that there
        were to take in. May be stopped at any time, and goes on where it was.
        """

        def take_all() -> int:
            with self.file.open() as database:
                return self._indexer.take_all(database, progress)

        return self.file.with_rebuild(take_all)

    def state(self) -> IndexState:
        """How far the index is behind the history. Cheap."""

        def read(view: View) -> IndexState:
            (done,) = view.database.execute("SELECT bytes FROM place").fetchone()
            at = indexed_position(view.database)
            left = self._reader.size_from(at)
            if left and self._reader.read_on(at, 1).end == at:
                left = 0  # a torn line, which nobody will ever finish perhaps
            return IndexState(done, done + left, view.damaged())

        return self._read(read)

    def search(self, question: RunQuery, limit: int = 20) -> list[Record]:
        """Up to `limit` records that fit, newest first, as of the last `catch_up`."""
        return self.records(lambda view: view.places(question, limit))

    def records(self, find: Callable[[View], list[Place]]) -> list[Record]:
        """Those of the lines that are found, but for lines that are gone."""
        places = self._read(find, prepare=self.catch_up)
        return [record for at in places if (record := self._reader.read_at(*at))]

    def get(self, id: str) -> Record | None:
        """The record with this id; None if there is none, or it is not taken in yet."""
        at = self._read(lambda view: view.place_of(id))
        record = self._reader.read_at(*at) if at else None
        return record if record and text_of(record["id"]) == text_of(id) else None

    def known(self, ids: Iterable[str]) -> set[str]:
        """Those of these ids that runs have, as of the last `catch_up`."""
        return self._read(lambda view: {id for id in ids if view.place_of(id)})

    def page(
        self,
        question: RunQuery,
        *,
        before: str | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> Page:
        """Up to `limit` rows that fit, newest first: the newest, or those next to the run with the
        id `before` (older ones) or `after` (newer ones). Empty if there is no such run."""
        return self._read(lambda view: view.page(question, before, after, limit))

    def neighbours(self, id: str, question: RunQuery) -> tuple[str | None, str | None]:
        """The ids of the next newer and the next older run that fits."""
        return self._read(lambda view: view.neighbours(id, question))

    def facets(self, question: RunQuery) -> Facets:
        """How many of the runs that fit have which values."""
        return self._read(lambda view: view.facets(question))

    def session_groups(
        self, question: RunQuery, *, before: str | None = None, limit: int = 20, rows: int = 5
    ) -> Groups:
        """The runs that fit by session, newest session first: up to `limit` groups with their
        newest `rows` rows, those after the group whose newest run is `before`. Only the newest
        `SAMPLE` runs are looked at."""
        found = self._read(lambda view: view.sample(question, SAMPLE))
        return group_by_session(found, before, limit, rows)

    def run_counts(self, question: RunQuery) -> RunCounts:
        """Counts over the runs that fit: of all of them, or of the newest `LARGE_SAMPLE`."""
        return self._read(lambda view: view.run_counts(question))

    def rated(self, question: RunQuery) -> dict[str, int]:
        """How many of the runs that fit were rated `up` and `down`."""
        return self._read(lambda view: view.rated(question))

    def _read(self, work: Callable[[View], T], prepare: Callable[[], object] | None = None) -> T:
        def read() -> T:
            with self.file.open() as database, _snapshot(database):
                return work(View(database))

        return self.file.with_rebuild(read, prepare)


@contextmanager
def _snapshot(database: sqlite3.Connection) -> Iterator[None]:
    """What is read within is the index of one moment."""
    database.execute("BEGIN")
    yield
    database.execute("COMMIT")
