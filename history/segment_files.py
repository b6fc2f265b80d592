"""The files of a history directory: their names, their order, and removing old ones."""

import errno
import os
import re
import stat
from datetime import UTC, date, datetime
from pathlib import Path
from typing import BinaryIO

from history.record import Record, decode

_NAME = re.compile(r"history-(\d{6}|[1-9]\d{6,})\.jsonl")


def path_of(directory: Path, number: int) -> Path:
    """Path of the file with this number; numbers start at 1 and are never used twice."""
    return directory / f"history-{number:06d}.jsonl"


def list_numbers(directory: Path) -> list[int]:
    """Numbers of the files, oldest first; the last one is the active file.

    A missing or unreadable directory has none. A listing that is taken while files are being
    added may lack one of them, so a gap is looked at twice.
    """
    found = _list(directory)
    while found and found[-1] - found[0] >= len(found):
        again = _list(directory)
        if again == found:
            break
        found = again
    return found


def open_plain(path: Path, buffering: int = -1) -> BinaryIO:
    """The file, open for reading. Raises OSError, also for what only has a file's name: to open a
    pipe would wait for whoever writes into it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is no plain file", str(path))
    return os.fdopen(descriptor, "rb", buffering)


def prune(directory: Path, before: date) -> list[Path]:
    """Delete the files in which every record is from a day (UTC) earlier than `before`.

    The active file and files without a single readable record stay. Gives the deleted paths.
    """
    deleted = []
    for number in list_numbers(directory)[:-1]:
        path = path_of(directory, number)
        if _is_older(path, before):
            path.unlink(missing_ok=True)
            deleted.append(path)
    return deleted


def _list(directory: Path) -> list[int]:
    try:
        with os.scandir(directory) as entries:
            matches = [_NAME.fullmatch(entry.name) for entry in entries]
    except OSError:
        return []
    return sorted(int(match[1]) for match in matches if match)


def _is_older(path: Path, before: date) -> bool:
    days = []
    with open_plain(path) as lines:
        for line in lines:
            if record := decode(line):
                days.append(_day(record))
    return bool(days) and all(day is not None and day < before for day in days)


def _day(record: Record) -> date | None:
    try:
        return datetime.fromisoformat(record["ts"]).astimezone(UTC).date()
    except (KeyError, TypeError, ValueError):
        return None
