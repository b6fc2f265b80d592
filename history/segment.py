"""One history file, open for appending."""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from laios.durable_file import sync

_BLOCK = 1 << 20


class Segment:
    """An open history file. `lock` first; once an OSError came out, it is only good to close.

    `entries` is the number of lines, as of the last `lock`: what others append meanwhile is
    counted by reading just that.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open `path`, mode 0600. Raises OSError, also for what is not a regular file."""
        flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW
        self.path = path
        self.entries = 0
        self._size = 0
        self._torn = False
        self._descriptor = os.open(path, flags | (os.O_CREAT if create else 0), 0o600)
        try:
            status = os.fstat(self._descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "it is not a regular file", str(path))
            if stat.S_IMODE(status.st_mode) != 0o600:
                os.fchmod(self._descriptor, 0o600)
        except OSError:
            self.close()
            raise
        self._identity = status.st_dev, status.st_ino

    def close(self) -> None:
        """Close the file, which also gives up the lock."""
        os.close(self._descriptor)

    def lock(self) -> bool:
        """Wait for the exclusive lock; False if the path no longer leads to this file."""
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            status = self.path.lstat()
        except FileNotFoundError:
            return False
        if (status.st_dev, status.st_ino) != self._identity:
            return False
        self._count(status.st_size)
        return True

    def unlock(self) -> None:
        """Let other processes append."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close_off(self) -> None:
        """End a torn last line, so that the file is lines and nothing else."""
        if self._torn:
            _, error = self.append([b""], durable=False)
            if error:
                raise error

    def append(self, lines: Sequence[bytes], *, durable: bool) -> tuple[int, OSError | None]:
        """Write lines, each ending in a newline; sync them if `durable`.

        Gives the number of lines that are in the file for good, and what stopped the rest:
        what cannot be written whole or cannot be synced is cut off again.
        """
        start, written, error = self._size, 0, None
        for chunk in _chunks(lines):
            count, error = self._write(chunk)
            written += count
            if error:
                break
        if durable and written:
            try:
                sync(self._descriptor)
            except OSError as failure:
                # After a failed sync the pages count as clean: syncing again would prove nothing.
                return (0 if self._cut(start) else written), failure
        return written, error

    def _write(self, chunk: bytes) -> tuple[int, OSError | None]:
        """Write lines with one call (more only if the system takes less than it was given)."""
        healing = b"\n" if self._torn else b""
        data = healing + chunk
        done, error = self._write_fully(data)
        whole = data.rfind(b"\n", 0, done) + 1
        written = data.count(b"\n", 0, whole) - (len(healing) if whole else 0)
        self.entries += data.count(b"\n", 0, whole)
        self._size += whole
        self._torn = bool(self._torn and not whole)
        if whole < done and not self._cut(self._size):
            # The fragment stays, for the next one to close off: then a line that lacks nothing
            # but its newline is a whole one.
            written += data[done : done + 1] == b"\n"
        return written, error

    def _write_fully(self, data: bytes) -> tuple[int, OSError | None]:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as failure:
            return len(data) - len(rest), failure
        return len(data), None

    def _cut(self, size: int) -> bool:
        """Cut the file back to `size`; only ever what this call has appended, under the lock."""
        try:
            os.ftruncate(self._descriptor, size)
        except OSError:
            return False
        return True

    def _count(self, size: int) -> None:
        """Count the lines up to `size` that were not seen yet."""
        if size < self._size:
            self._size, self.entries, self._torn = 0, 0, False
        while self._size < size:
            block = os.pread(self._descriptor, min(_BLOCK, size - self._size), self._size)
            if not block:
                break
            self._size += len(block)
            self.entries += block.count(b"\n")
            self._torn = not block.endswith(b"\n")


def _chunks(lines: Sequence[bytes]) -> Iterator[bytes]:
    """Join lines into pieces of about a megabyte: one write for many lines, not one for each."""
    first, size = 0, 0
    for index, line in enumerate(lines):
        size += len(line)
        if size >= _BLOCK:
            yield b"".join(lines[first : index + 1])
            first, size = index + 1, 0
    if first < len(lines):
        yield b"".join(lines[first:])
