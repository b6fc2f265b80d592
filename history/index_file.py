"""A SQLite file made from other files: it may be deleted at any time and is then made again."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY_S = 30
_AGAIN_S = 0.02  # between two tries

T = TypeVar("T")


class UnusableError(sqlite3.DatabaseError):
    """The file is damaged, of another version, or about other files than those that are there."""


class IndexFile:
    """One file with a write-ahead log: while one process writes, others read what was there before.
    Any thread and process may use it.

    `tables` are the statements that make it; `version` goes up when they change.
    """

    def __init__(self, path: Path, tables: Sequence[str], version: int) -> None:
        self.path = path
        self._tables = tables
        self._version = version

    def with_rebuild(self, work: Callable[[], T], prepare: Callable[[], object] | None = None) -> T:
        """Do `work`; where the file turns out to be of no use, delete it and do the work again."""
        try:
            return work()
        except UnusableError:
            self.path.unlink(missing_ok=True)
            self.delete_log()
        if prepare:
            prepare()
        return work()

    def delete_log(self) -> None:
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """A connection for one piece of work; the file is made where there is none. Raises
        UnusableError, another sqlite3.Error, OSError."""
        _create_private(self.path)
        with _damage_as_unusable(), closing(self.connect()) as database:
            if _version(database) == 0:
                _keep_log(database)
                with transaction(database):
                    if _version(database) == 0:  # nobody else was quicker
                        for statement in self._tables:
                            database.execute(statement)
                        database.execute(f"PRAGMA user_version = {self._version}")
            found = _version(database)
            if found != self._version:
                other = "an older" if found < self._version else "a newer"
                raise UnusableError(f"of {other} version of laios")
            # What a crash of the machine takes from a write-ahead log is taken in again.
            database.execute("PRAGMA synchronous = NORMAL")
            yield database

    def connect(self) -> sqlite3.Connection:
        """To the file as it is."""
        return sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of what is done within, or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


@contextmanager
def _damage_as_unusable() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            raise UnusableError(f"damaged ({error})") from error
        raise


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


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


def _keep_log(database: sqlite3.Connection) -> None:
    """Gives the file its write-ahead log. SQLite does not wait for a process that makes the file at
    the same moment, as it does elsewhere: it is asked again."""
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(_AGAIN_S)
