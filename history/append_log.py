"""The files of the history as one log that several processes append to."""

import errno
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from history.segment import Segment
from history.segment_files import list_numbers, path_of

_PROBE_BYTES = 4096


class Log:
    """Appends lines to the active file and opens the next one when it is full.

    The active file is the one with the highest number, and its lock is the log's: whoever holds
    it, and sees no higher number, may append or open the next file. So a file that has a
    successor never changes again, and readers need no lock. Not for use by several threads.
    """

    def __init__(self, directory: Path, *, max_entries: int, max_files: int, fsync: bool) -> None:
        self._directory = directory
        self._max_entries = max(1, max_entries)
        self._max_files = max_files
        self._fsync = fsync
        self._segment: Segment | None = None
        self._number = 0  # the highest ever used here: not used again even if the file is gone

    def append(self, lines: Sequence[bytes]) -> tuple[int, OSError | None]:
        """Write lines in this order.

        Gives the number of lines that are on disk, and what stopped the rest. Waits as long as
        another process holds the lock.
        """
        done, error = 0, None
        try:
            while done < len(lines) and error is None:
                segment = self._lock_active()
                room = self._max_entries - segment.entries
                count, error = segment.append(lines[done : done + room], durable=self._fsync)
                done += count
            if self._segment:
                self._segment.unlock()
        except OSError as failure:
            error = failure
        if error:
            self.close()
        return done, error

    def close(self) -> None:
        """Close the active file; the next append looks for it anew."""
        if self._segment:
            self._segment.close()
            self._segment = None

    def _lock_active(self) -> Segment:
        """Give the active file, locked and with room for at least one line."""
        while True:
            segment = self._segment = self._segment or self._open_active()
            if not segment.lock() or path_of(self._directory, self._number + 1).exists():
                self.close()  # deleted, or someone else has moved on
            elif segment.entries >= self._max_entries:
                segment.close_off()
                self._segment = self._open(self._number + 1, create=True)
                segment.close()
                self._drop_oldest()
            else:
                return segment

    def _open_active(self) -> Segment:
        while True:
            make_directory(self._directory)
            latest = max(list_numbers(self._directory), default=0)
            if latest == 0 or latest < self._number:
                return self._open(max(latest, self._number) + 1, create=True)
            try:
                return self._open(latest, create=False)
            except FileNotFoundError:  # deleted since it was listed
                continue

    def _open(self, number: int, *, create: bool) -> Segment:
        segment = Segment(path_of(self._directory, number), create=create)
        try:
            if self._fsync:
                # Also if another process has created it: that one may not have come to this yet.
                sync_directory(self._directory)
        except OSError:
            segment.close()
            raise
        self._number = number
        return segment

    def _drop_oldest(self) -> None:
        if self._max_files > 0:
            for number in list_numbers(self._directory)[: -self._max_files]:
                path_of(self._directory, number).unlink(missing_ok=True)


def check_writable(directory: Path) -> None:
    """Makes the directory, and tries whether it takes records. Raises the OSError that a record
    would meet."""
    make_directory(directory)
    with tempfile.TemporaryFile(dir=directory) as probe:
        probe.write(b"\0" * _PROBE_BYTES)
    for newest in list_numbers(directory)[-1:]:
        Segment(path_of(directory, newest)).close()


def make_directory(directory: Path) -> None:
    """Create the directory with mode 0700; one that is there keeps its mode."""
    if directory.is_symlink():
        # Whoever may replace a link could send the history elsewhere.
        raise OSError(errno.ELOOP, "is a symbolic link: set HISTORY_DIR to its target", directory)
    if directory.is_dir():
        return
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)  # whatever the umask has taken away
    sync_directory(directory.parent)


def sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
