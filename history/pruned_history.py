"""Removing what is old from a history."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from history.index_row import seconds
from history.ratings import Ratings
from history.record import decode
from history.segment_files import list_numbers, open_plain, path_of


class OldFile(NamedTuple):
    """A file that can go, and the ids of its runs."""

    path: Path
    ids: frozenset[str]


def old_files(directory: Path, before: datetime) -> list[OldFile]:
    """The files in which every record is from before that moment. The active file and files without
    a single readable record are none. Raises OSError if the directory cannot be listed."""
    found, moment = [], before.timestamp()
    for number in list_numbers(directory)[:-1]:
        runs = _runs(path := path_of(directory, number))
        if runs and all(ts is not None and ts < moment for _, ts in runs):
            found.append(OldFile(path, frozenset(id for id, _ in runs)))
    return found


def prune(directory: Path, before: datetime) -> list[Path]:
    """Delete the old files, and what people said of their runs.

    Gives the deleted paths. Raises OSError; what was deleted by then is gone with its ratings.
    """
    deleted, gone = [], set[str]()
    try:
        for path, ids in old_files(directory, before):
            path.unlink(missing_ok=True)
            deleted.append(path)
            gone |= ids
    finally:
        if gone:
            Ratings(directory).forget(gone)
    return deleted


def _runs(path: Path) -> list[tuple[str, float | None]]:
    """Each record's id and time; none of a file that cannot be read."""
    try:
        with open_plain(path) as lines:
            records = filter(None, map(decode, lines))
            return [(record["id"], seconds(record.get("ts"))) for record in records]
    except OSError:
        return []
