"""Removing what is old from a history."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from history.ratings import Ratings
from history.record import Record, decode
from history.segment_files import list_numbers, open_plain, path_of


def prune(directory: Path, before: date) -> list[Path]:
    """Delete the files in which every record is from a day (UTC) earlier than `before`, and what
    people said of those runs.

    The active file and files without a single readable record stay. Gives the deleted paths.
    Raises OSError.
    """
    deleted, gone = [], set[str]()
    for number in list_numbers(directory)[:-1]:
        path = path_of(directory, number)
        runs = [*_days(path)]
        if runs and all(day is not None and day < before for _, day in runs):
            path.unlink(missing_ok=True)
            deleted.append(path)
            gone.update(id for id, _ in runs)
    if gone:
        Ratings(directory).forget(gone)
    return deleted


def _days(path: Path) -> Iterator[tuple[str, date | None]]:
    """Each record's id and day."""
    with open_plain(path) as lines:
        for line in lines:
            if record := decode(line):
                yield record["id"], _day(record)


def _day(record: Record) -> date | None:
    try:
        return datetime.fromisoformat(record["ts"]).astimezone(UTC).date()
    except (KeyError, TypeError, ValueError):
        return None
