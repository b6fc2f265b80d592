"""The files of a history directory: their names and their order."""

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

_NAME = re.compile(r"history-(\d{6}|[1-9]\d{6,})\.jsonl", re.ASCII)


def path_of(directory: Path, number: int) -> Path:
    """Path of the file with this number; numbers start at 1 and are never used twice."""
    return directory / f"history-{number:06d}.jsonl"


def list_numbers(directory: Path) -> list[int]:
    """Numbers of the files, oldest first; the last one is the active file.

    A missing directory has none; one that cannot be listed raises OSError. A listing that is
    taken while files are being added may lack one of them, so a gap is looked at twice.
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
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    return os.fdopen(descriptor, "rb", buffering)


def _list(directory: Path) -> list[int]:
    try:
        with os.scandir(directory) as entries:
            matches = [_NAME.fullmatch(entry.name) for entry in entries]
    except FileNotFoundError:
        return []
    return sorted(int(match[1]) for match in matches if match)
