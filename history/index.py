"""Search over the history: a disposable SQLite index beside it. The JSONL is the only truth."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from history.files import list_numbers, path_of
from history.index_rows import INSERT_RUN, INSERT_WORDS, TABLES, run_row, select, words_row
from history.reader import Position, Reader
from history.record import Record

_VERSION = 1
"""Goes up with every change of the tables or of what is put into them."""

_BATCH = 5000
_HEAD = 4096
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY_S = 30

T = TypeVar("T")


class _OutdatedError(Exception):
    """The index is of another version, or about other files."""


class Index:
    """Finds records by words, session, mode and time.

    It lives in one file in `cache_dir` for each history directory, and is made again when it is
    damaged, of another version, or about other files than those that are there. Any thread may
    use it, and several processes at once.
    """

    def __init__(self, directory: Path, cache_dir: Path) -> None:
        self._directory = directory
        self._reader = Reader(directory)
        name = blake2b(os.fsencode(directory.absolute()), digest_size=8).hexdigest()
        self.path = cache_dir / f"history-{name}.sqlite"

    def catch_up(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Take in what was written since; gives the number of new records.

        `progress` is called after each batch with the bytes taken in so far and those that there
        were to take in. Raises sqlite3.Error or OSError if the cache cannot be written.
        """
        return self._healed(lambda: self._take_all(progress))

    def search(
        self,
        query: str | None = None,
        *,
        session: str | None = None,
        mode: str | None = None,
        kind: str | None = None,
        since: datetime | None = None,
        limit: int = 20,
    ) -> list[Record]:
        """Up to `limit` records, newest first, as of the last `catch_up`.

        `query` is words and "phrases" that all have to be in the prompt, an output or the error;
        the last word may be the beginning of one. None stands for any, everywhere.
        """
        tags = {"session": session, "mode": mode, "kind": kind}
        question = select(query, tags, since, limit)
        if question is None:
            return []
        rows = self._healed(lambda: self._rows(*question), prepare=self.catch_up)
        records = (self._reader.read_at(*row) for row in rows)
        return [record for record in records if record]

    def _rows(self, sql: str, values: list[object]) -> list[tuple[int, int, int]]:
        with self._open() as database:
            return database.execute(sql, values).fetchall()

    def _healed(self, work: Callable[[], T], prepare: Callable[[], object] | None = None) -> T:
        """Do `work`; where the index turns out to be of no use, once more with a new one."""
        try:
            return work()
        except _OutdatedError:
            pass
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGE:
                raise
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        if prepare:
            prepare()
        return work()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        _create_private(self.path)
        connection = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None)
        with closing(connection) as database:
            if _version(database) == 0:
                database.execute("PRAGMA journal_mode = WAL")
                with _transaction(database):
                    if _version(database) == 0:  # nobody else was quicker
                        for statement in TABLES:
                            database.execute(statement)
                        database.execute(f"PRAGMA user_version = {_VERSION}")
            if _version(database) != _VERSION:
                raise _OutdatedError
            # What a crash of the machine takes from a write-ahead log is taken in again.
            database.execute("PRAGMA synchronous = NORMAL")
            yield database

    def _take_all(self, progress: Callable[[int, int], None] | None) -> int:
        with self._open() as database:
            with _transaction(database):
                self._forget_vanished(database)
            total = self._reader.size_from(_place(database)) if progress else 0
            count = 0
            while taken := self._take_batch(database):
                count += taken
                if progress:
                    left = self._reader.size_from(_place(database))
                    progress(max(0, total - left), total)
            return count

    def _forget_vanished(self, database: sqlite3.Connection) -> None:
        """Forget files that were deleted; start again if that is the better part, or the newest."""
        known = dict(database.execute("SELECT number, head FROM files"))
        numbers = set(list_numbers(self._directory))
        place = _place(database)
        if place.number > max(numbers, default=0):
            raise _OutdatedError
        if place.number in numbers and self._size(place.number) < place.offset:
            raise _OutdatedError
        if known and self._head(max(known)) != known[max(known)]:
            raise _OutdatedError
        vanished = known.keys() - numbers
        for number in vanished:
            # The words stay: a table without content cannot find them. Searches join them away.
            database.execute(
                "DELETE FROM runs WHERE row BETWEEN (SELECT first_row FROM files WHERE number = ?1)"
                " AND (SELECT last_row FROM files WHERE number = ?1)",
                [number],
            )
            database.execute("DELETE FROM files WHERE number = ?", [number])
        if vanished:
            live, last = database.execute("SELECT count(*), max(row) FROM runs").fetchone()
            if live * 2 < (last or 0):
                raise _OutdatedError

    def _take_batch(self, database: sqlite3.Connection) -> int:
        with _transaction(database):
            place = _place(database)
            entries, after = self._reader.read_on(place, _BATCH)
            if after == place:
                return 0
            (last,) = database.execute("SELECT coalesce(max(last_row), 0) FROM files").fetchone()
            rows = list(enumerate(entries, last + 1))
            database.executemany(INSERT_RUN, (run_row(row, entry) for row, entry in rows))
            database.executemany(INSERT_WORDS, (words_row(row, entry) for row, entry in rows))
            for number in dict.fromkeys(entry.number for entry in entries):
                own = [row for row, entry in rows if entry.number == number]
                database.execute(
                    "INSERT INTO files VALUES (?, ?, ?, ?)"
                    " ON CONFLICT (number) DO UPDATE SET last_row = excluded.last_row",
                    [number, self._head(number), own[0], own[-1]],
                )
            database.execute("UPDATE place SET number = ?, offset = ?", after)
        return len(entries)

    def _head(self, number: int) -> bytes:
        """The beginning of a file's first line: tells files of the same name apart."""
        try:
            with path_of(self._directory, number).open("rb") as file:
                return file.readline(_HEAD)
        except OSError:
            return b""

    def _size(self, number: int) -> int:
        try:
            return path_of(self._directory, number).stat().st_size
        except OSError:
            return 0


def _create_private(path: Path) -> None:
    """Create the file with mode 0600, and its directory with 0700; what is there stays."""
    if path.exists():
        return
    if not path.parent.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.fchmod(descriptor, 0o600)
    os.close(descriptor)


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _place(database: sqlite3.Connection) -> Position:
    return Position(*database.execute("SELECT number, offset FROM place").fetchone())
