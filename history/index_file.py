"""The file of the index: opening it, and making it again when it is of no use."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from history.index_rows import TABLES

_VERSION = 3
"""Goes up with every change of the tables or of what is put into them."""

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY_S = 30

T = TypeVar("T")


class OutdatedError(Exception):
    """The index is of another version, or about other files."""


class IndexFile:
    """A SQLite file that may be deleted at any time. Any thread and process may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def healed(self, work: Callable[[], T], prepare: Callable[[], object] | None = None) -> T:
        """Do `work`; where the index turns out to be of no use, once more with a new one."""
        try:
            return work()
        except OutdatedError:
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
    def open(self) -> Iterator[sqlite3.Connection]:
        """A connection for one piece of work. Raises OutdatedError, sqlite3.Error, OSError."""
        _create_private(self.path)
        connection = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None)
        with closing(connection) as database:
            if _version(database) == 0:
                database.execute("PRAGMA journal_mode = WAL")
                with transaction(database):
                    if _version(database) == 0:  # nobody else was quicker
                        for statement in TABLES:
                            database.execute(statement)
                        database.execute(f"PRAGMA user_version = {_VERSION}")
            if _version(database) != _VERSION:
                raise OutdatedError
            # What a crash of the machine takes from a write-ahead log is taken in again.
            database.execute("PRAGMA synchronous = NORMAL")
            yield database


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
