"""The file of the index: opening it to read or to write, and making it anew."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from documents.errors import DocumentsError, OutdatedError
from documents.tables import TABLES, VERSION

NAME = "index.sqlite"
_BUSY_S = 30
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_MENDED = "`laios docs add` makes it anew"


class IndexFile:
    """One SQLite file with a write-ahead log: while one process writes, others read what was there
    before. Any thread and process may use it."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / NAME

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The index as it is now; None where there is none, and none is made."""
        if not self.path.exists():
            yield None
            return
        with _errors(self.path), closing(_connect(self.path)) as database:
            _check(database, self.path)
            database.execute("PRAGMA query_only = ON")
            database.execute("BEGIN")
            yield database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The index, which is made where there is none."""
        with _errors(self.path):
            _create_private(self.path)
            with closing(_connect(self.path)) as database:
                if _version(database) == 0:
                    database.execute("PRAGMA journal_mode = WAL")
                    with transaction(database):
                        if _version(database) == 0:  # nobody else was quicker
                            for statement in TABLES:
                                database.execute(statement)
                _check(database, self.path)
                # What a crash of the machine takes from the log is read again by the next `add`.
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute("PRAGMA foreign_keys = ON")
                yield database

    def known_sources(self) -> list[tuple[str, str, str]]:
        """Name, target and Python of the sources, as far as even a damaged or old file tells."""
        with suppress(sqlite3.Error), closing(_connect(self.path)) as database:
            return list(database.execute("SELECT name, target, python FROM sources ORDER BY name"))
        return []

    def set_aside(self) -> Path:
        """Moves the file away for a new one; gives its place."""
        aside = self.path.with_name(f"{NAME}.old")
        for suffix in ("-wal", "-shm"):
            self.path.with_name(NAME + suffix).unlink(missing_ok=True)
        self.path.replace(aside)
        return aside


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
def _errors(path: Path) -> Iterator[None]:
    """SQLite's errors and the system's as ours."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
            raise OutdatedError(
                f"The documentation index {path} is damaged ({error}): {_MENDED}."
            ) from error
        raise DocumentsError(f"The documentation index {path} cannot be used: {error}.") from error
    except OSError as error:
        what = error.strerror or error
        raise DocumentsError(f"The documentation index {path} cannot be used: {what}.") from error


def _connect(path: Path) -> sqlite3.Connection:
    """Never creates the file."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=_BUSY_S, isolation_level=None)


def _check(database: sqlite3.Connection, path: Path) -> None:
    found = _version(database)
    if found not in (0, VERSION):
        other = "an older" if found < VERSION else "a newer"
        raise OutdatedError(
            f"The documentation index {path} is of {other} version of laios: {_MENDED}."
        )


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
