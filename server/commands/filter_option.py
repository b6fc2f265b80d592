"""FILTER of `laios replay` and `laios export`, and `laios history -q`: the dashboard's filter
language over the history."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from server.terminal.console import RUN_FAILED, USAGE, fail, progress_bar

if TYPE_CHECKING:
    from config import Settings
    from dashboard.filters import Filter
    from history.record import Record
    from history.run_index import Index

HELP = "Which runs, as on the dashboard: mode:raw since:7d rating:up words. Default: all."
_PAGE = 500


def filter_of(text: str) -> "Filter":
    """Exits where the filter cannot be understood."""
    from dashboard.filters import FilterError, read_filter

    try:
        return read_filter(text)
    except FilterError as error:
        fail(str(error), USAGE)


def index_of(settings: "Settings") -> "Index":
    from config import cache_dir
    from history.run_index import Index

    return Index(settings.HISTORY_DIR, cache_dir())


def current_index(settings: "Settings") -> "Index":
    """The index with what is new in the history; what takes long shows how far it is. Exits where
    it cannot be used."""
    index = index_of(settings)
    with index_errors(), progress_bar("Indexing the history") as advance:
        index.catch_up(advance)
    return index


@contextmanager
def index_errors() -> Iterator[None]:
    """Exits where the index cannot be used in the block."""
    import sqlite3

    try:
        yield
    except (sqlite3.Error, OSError) as error:
        fail(f"The index of the history cannot be used: {error}.", RUN_FAILED)


def runs_that_fit(
    settings: "Settings",
    words: list[str] | None,
    limit: int | None,
    wanted: "Callable[[Record], bool]",
) -> "list[Record]":
    """The newest runs that fit the filter and are wanted, up to `limit`, oldest first. Exits where
    the filter cannot be understood."""
    question = filter_of(" ".join(words or ()))
    index = current_index(settings)
    found: list[Record] = []
    before: str | None = None
    while limit is None or len(found) < limit:
        page = index.page(question, before=before, limit=_PAGE)
        records = (index.get(row.id) for row in page.rows)
        found += [record for record in records if record and wanted(record)]
        if page.older is None:
            break
        before = page.older
    return found[:limit][::-1]
