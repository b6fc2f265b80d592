"""The file of the documentation index: reading, writing, and putting it aside for a new one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from history.index_file import IndexFile, UnusableError
from retrieval.errors import DocumentsError, OutdatedError
from retrieval.index_tables import TABLES, VERSION

NAME = "index.sqlite"


class DocumentIndexFile(IndexFile):
    """Raises DocumentsError, OutdatedError where only making it anew helps."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory / NAME, TABLES, VERSION)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The index as it is now; None where there is none, and none is made."""
        with _documents_errors(self.path):
            if not self.path.exists():
                yield None
                return
            with self.open() as database:
                database.execute("PRAGMA query_only = ON")
                database.execute("BEGIN")
                yield database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The index, which is made where there is none."""
        with _documents_errors(self.path), self.open() as database:
            database.execute("PRAGMA foreign_keys = ON")
            yield database

    def known_sources(self) -> list[tuple[str, str, str]]:
        """Name, target and Python of the sources, as far as even a damaged or old file tells."""
        with suppress(sqlite3.Error), closing(self.connect()) as database:
            return list(database.execute("SELECT name, target, python FROM sources ORDER BY name"))
        return []

    def set_aside(self) -> None:
        """Moves the file away for a new one."""
        self.delete_log()
        self.path.replace(self.path.with_name(f"{NAME}.old"))


@contextmanager
def _documents_errors(path: Path) -> Iterator[None]:
    """SQLite's errors and the system's as ours."""
    try:
        yield
    except UnusableError as error:
        raise OutdatedError(
            f"The documentation index {path} is {error}: `laios docs add` makes it anew."
        ) from error
    except (sqlite3.Error, OSError) as error:
        what = getattr(error, "strerror", None) or error
        raise DocumentsError(f"The documentation index {path} cannot be used: {what}.") from error
