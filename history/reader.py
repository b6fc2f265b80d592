"""Reading records: the last ones, a page, one by its id, all, or each as it is written."""

import asyncio
import fcntl
import logging
import re
import time
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from history.lines import lines_backwards, lines_forwards
from history.record import Record, decode
from history.segment_files import list_numbers, open_plain, path_of

logger = logging.getLogger("laios.history")

SCAN = 10_000
"""So many lines back `load_recent_records` looks at most."""
_BATCH = 1000
_PATIENCE_S = 2.0  # for the writers' lock
_POLL_S = 0.01
_LOOK_MS = 500  # notifications of what is new are a hint: some file systems send none
_BATCH_BYTES = 16 << 20


class Position(NamedTuple):
    """A place in the history: the number of a file and an offset in bytes."""

    number: int
    offset: int


class Entry(NamedTuple):
    """A record and the line that it came from; `length` in bytes with the newline."""

    number: int
    offset: int
    length: int
    record: Record


class Batch(NamedTuple):
    """Entries, the position after them, and how many lines between are no record, by file.

    `sizes`: the bytes of each file that was gone through and has a successor; None if it could not
    be read to its end.
    """

    entries: list[Entry]
    end: Position
    damaged: Counter[int]
    sizes: dict[int, int | None]


class _Locked(Exception):
    """The writers' lock could not be had."""


class Reader:
    """Reads the history in `directory` while others write to it.

    No lock is needed (but for a line with zeros, see `_settled`): a file with a successor never
    changes, and the names are taken before anything is read, so every read sees the history as it
    was at one moment. Records are in the order of the files, which is the order of writing,
    whatever the clocks said. A missing directory is an empty history, and so is one that cannot be
    listed, until it can; files that cannot be opened are left out and logged.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._listing: tuple[tuple[int, int, int], list[int]] | None = None
        self._damaged: set[Position] = set()
        self._unreadable: set[int] = set()

    @property
    def skipped(self) -> int:
        """Number of damaged lines (not a record) that this reader has come across."""
        return len(self._damaged)

    def __iter__(self) -> Iterator[Record]:
        """All records, oldest first."""
        position = Position(0, 0)
        while True:
            entries, position, *_ = self.read_on(position)
            if not entries:
                return
            yield from (entry.record for entry in entries)

    def load_recent_records(self, n: int, session: str | None = None) -> list[Record]:
        """The last `n` finished runs of `session` among the last `SCAN` lines, oldest first.

        Runs that failed, have no output or are auxiliary do not count. `session=None` means the
        runs that belong to no session. The cost does not depend on the size of the history.
        """
        needle = b"" if session is None else _needle(session)
        lines = islice(self._backwards(), SCAN)
        decoded = (self._decode(position, line) for position, line in lines if needle in line)
        fit = (each for each in decoded if each and _is_context(each, session))
        return list(islice(fit, max(0, n)))[::-1]

    def page(
        self, before_id: str | None = None, limit: int = 20, kind: str | None = None
    ) -> list[Record]:
        """Up to `limit` records (of this kind), newest first: the last ones, or those before
        `before_id`. Empty when there is no record `before_id`.
        """
        end = None
        if before_id is not None:
            entry = self._find(before_id)
            if entry is None:
                return []
            end = Position(entry.number, entry.offset)
        decoded = (self._decode(position, line) for position, line in self._backwards(end))
        fit = (each for each in decoded if each and kind in (None, each.get("kind")))
        return list(islice(fit, limit))

    def ids_backwards(self) -> Iterator[str]:
        """The ids of the records, newest first; one record at a time is in memory."""
        decoded = (self._decode(position, line) for position, line in self._backwards())
        return (each["id"] for each in decoded if each)

    def get(self, id: str) -> Record | None:
        """The record with this id. Fast where ids follow the time; else every file is searched."""
        entry = self._find(id)
        return entry.record if entry else None

    def read_at(self, number: int, offset: int, length: int) -> Record | None:
        """The record of the line there; None if the file or the record is gone."""
        try:
            with open_plain(path_of(self._directory, number)) as file:
                file.seek(offset)
                return decode(file.read(length))
        except OSError:
            return None

    def read_on(self, position: Position, limit: int = _BATCH) -> Batch:
        """Up to `limit` entries (and some megabytes) from `position` on; `Position(0, 0)` is the
        beginning. An unfinished last line is left for later, and so is one that cannot be told
        from a damaged one now. No entries means that there are no more now.
        """
        try:
            numbers = self._listed()
        except OSError:  # what is there may be seen later
            return Batch([], position, Counter(), {})
        if not numbers:
            return Batch([], Position(0, 0), Counter(), {})
        entries: list[Entry] = []
        damaged: Counter[int] = Counter()
        sizes: dict[int, int | None] = {}
        taken = 0
        for number in numbers[bisect_left(numbers, position.number) :]:
            at = Position(number, position.offset if number == position.number else 0)
            size = None
            try:
                with self._leaving_out(number):
                    for line in self._settled(at, final=number != numbers[-1]):
                        if record := self._decode(at, line):
                            entries.append(Entry(*at, len(line), record))
                        else:
                            damaged[number] += 1
                        at = Position(number, at.offset + len(line))
                        taken += len(line)
                        if entries and (len(entries) == limit or taken > _BATCH_BYTES):
                            return Batch(entries, at, damaged, sizes)
                    size = at.offset
            except _Locked:
                return Batch(entries, at, damaged, sizes)
            if number != numbers[-1]:
                sizes[number] = size
            position = at
        return Batch(entries, position, damaged, sizes)

    def end(self) -> Position:
        """The position after the last complete line."""
        for position, line in self._backwards():
            return Position(position.number, position.offset + len(line) + 1)
        numbers = self._numbers()
        return Position(numbers[-1], 0) if numbers else Position(0, 0)

    def size_from(self, position: Position) -> int:
        """Bytes of history from `position` on."""
        numbers = self._numbers()
        paths = [
            path_of(self._directory, number)
            for number in numbers[bisect_left(numbers, position.number) :]
        ]
        size = sum(path.stat().st_size for path in paths if path.exists())
        return size - (position.offset if position.number in numbers else 0)

    def follow(self) -> AsyncGenerator[Record, None]:
        """Each record as it is written, for ever, less than a second later.

        Starts after the last record that is there at the moment of this call.
        """
        return self._follow(self.end())

    async def _follow(self, position: Position) -> AsyncGenerator[Record, None]:
        import watchfiles  # here, because it takes longer to import than all the rest

        while not await asyncio.to_thread(self._directory.is_dir):  # noqa: ASYNC110 (no event tells)
            await asyncio.sleep(_LOOK_MS / 1000)
        changes = watchfiles.awatch(
            self._directory,
            debounce=100,
            step=20,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            recursive=False,
        )
        async with aclosing(changes):
            while True:
                entries, position, *_ = await asyncio.to_thread(self.read_on, position)
                for entry in entries:
                    yield entry.record
                if not entries:
                    await anext(changes)

    def _numbers(self) -> list[int]:
        """The numbers of the files; none while they cannot be listed."""
        try:
            return self._listed()
        except OSError:
            return []

    def _listed(self) -> list[int]:
        """The numbers of the files; listed anew only if the directory may have changed. Raises
        OSError."""
        try:
            status = self._directory.stat()
        except FileNotFoundError:
            return []
        version = status.st_dev, status.st_ino, status.st_mtime_ns
        if self._listing and self._listing[0] == version:
            return self._listing[1]
        now = time.time()
        numbers = list_numbers(self._directory)
        # Times of files are coarse: a change just after this one might leave the same time.
        settled = now - status.st_mtime > 1
        self._listing = (version, numbers) if settled else None
        return numbers

    def _forwards(self, number: int, offset: int, *, final: bool) -> Iterator[bytes]:
        return lines_forwards(path_of(self._directory, number), offset, final=final)

    def _settled(self, at: Position, *, final: bool) -> Iterator[bytes]:
        """Lines from there on, as the writers see them. While another host appends, an NFS client
        may show zeros up to the end of a page; taking the lock makes it look anew. (Measured: of
        1,200 records on NFSv4.2 a reader left out 112, which stood on the disk whole.) A line has
        no zeros: JSON escapes them. Raises _Locked."""
        stale = True
        while stale:
            stale = False
            for line in self._forwards(*at, final=final):
                if b"\0" in line and at not in self._damaged:
                    with suppress(OSError):  # gone, or no locks: it is as damaged as it looks
                        stale = self._under_lock(at, len(line)) != line
                if stale:
                    break
                yield line
                at = Position(at.number, at.offset + len(line))

    def _under_lock(self, at: Position, length: int) -> bytes:
        """The bytes there, while nobody writes. Raises _Locked."""
        deadline = time.monotonic() + _PATIENCE_S
        with open_plain(path_of(self._directory, at.number)) as file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise _Locked from None
                    time.sleep(_POLL_S)
            file.seek(at.offset)
            return file.read(length)

    def _backwards(self, end: Position | None = None) -> Iterator[tuple[Position, bytes]]:
        """Complete lines without their newlines, last first, from before `end`."""
        for number in reversed(self._numbers()):
            if end and number > end.number:
                continue
            stop = end.offset if end and number == end.number else None
            with self._leaving_out(number):
                for offset, line in lines_backwards(path_of(self._directory, number), stop):
                    yield Position(number, offset), line

    @contextmanager
    def _leaving_out(self, number: int) -> Iterator[None]:
        """Go on without a file that cannot be read."""
        try:
            yield
        except FileNotFoundError:
            pass  # deleted since it was listed
        except OSError as error:
            if number not in self._unreadable:
                self._unreadable.add(number)
                logger.warning("history: file %d left out: %s", number, error.strerror)

    def _decode(self, position: Position, line: bytes) -> Record | None:
        record = decode(line)
        if record is None and position not in self._damaged:
            self._damaged.add(position)
            logger.warning("history: file %d: damaged line at byte %d skipped", *position)
        return record

    def _find(self, id: str) -> Entry | None:
        """Look in the file where the id belongs by its order, then in ever farther ones."""
        needle = _needle(id)
        numbers = self._numbers()
        guess = bisect_right(numbers, id, key=self._first_id) - 1
        for index in sorted(range(len(numbers)), key=lambda index: abs(index - guess)):
            number, offset = numbers[index], 0
            with self._leaving_out(number):
                for line in self._forwards(number, 0, final=False):
                    if needle in line:
                        record = decode(line)
                        if record and record["id"] == id:
                            return Entry(number, offset, len(line), record)
                    offset += len(line)
        return None

    def _first_id(self, number: int) -> str:
        with self._leaving_out(number):
            for record in map(decode, self._forwards(number, 0, final=False)):
                if record:
                    return record["id"]
        return ""


def _needle(text: str) -> bytes:
    """Bytes without which a line cannot hold the string `text`; none if it may be escaped."""
    return f'"{text}"'.encode() if re.fullmatch(r"[\w.:-]+", text, re.ASCII) else b""


_CONTEXT = ("original_prompt", "normalized_prompt", "final_output")


def _is_context(record: Record, session: str | None) -> bool:
    return (
        record.get("kind") == "run"
        and all(isinstance(record.get(key), str) for key in _CONTEXT)
        and bool(record["final_output"])
        and record.get("error") is None
        and record.get("session") == session
    )
