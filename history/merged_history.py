"""Several histories as one: those of other hosts, or of earlier times."""

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO, NamedTuple

from history.append_log import sync_directory
from history.index_row import seconds
from history.lines import lines_forwards
from history.ratings import FILE, read_rating
from history.record import decode
from history.segment_files import list_numbers, open_plain, path_of
from laios.durable_file import sync

DIGEST_BYTES = 16


class MergeError(Exception):
    """The histories cannot be merged, and nothing was written; the message says why."""


@dataclass(frozen=True, slots=True)
class Merged:
    """`records` are in the new history; `duplicates` stood in several sources with the same text;
    `damaged` lines of the sources are no records, or no ratings; `ratings` are lines of those."""

    records: int
    duplicates: int
    damaged: int
    ratings: int = 0


class _Line(NamedTuple):
    """Where a record stands. Sorts by the time at which its run was accepted, which its id tells
    first."""

    id: str
    digest: bytes
    path: Path
    offset: int
    length: int


def merge(sources: Sequence[Path], target: Path, *, max_entries: int = 1000) -> Merged:
    """Writes the records of all sources into the new directory `target`, ordered by time, each id
    once, each line to the letter, and what people said of them likewise, so that the newest word
    counts whoever has it. It is there whole or not at all; the sources are only read, and what a
    daemon appends to them meanwhile may be missing.

    Raises MergeError: for a source without records' files or that cannot be read, a target that is
    there, an id that stands for two different records, a disk that refuses.
    """
    if os.path.lexists(target):
        raise MergeError(f"{target} is there already. Merge into a new directory.")
    found: dict[str, _Line] = {}
    duplicates = damaged = 0
    for source in sources:
        for line in _lines(source):
            if line is None:
                damaged += 1
                continue
            first = found.setdefault(line.id, line)
            if first.digest != line.digest:
                raise MergeError(
                    f"The id {line.id} stands for two different records: in {first.path} and in "
                    f"{line.path}. Remove one of the lines, or merge without that history."
                )
            duplicates += first is not line
    ratings, unreadable = _ratings(sources)
    try:
        _write(sorted(found.values()), ratings, target, max(1, max_entries))
    except OSError as error:
        raise MergeError(f"{target} cannot be written: {error.strerror}.") from None
    return Merged(len(found), duplicates, damaged + unreadable, len(ratings))


# --- the sources ---------------------------------------------------------------------------------


def _lines(source: Path) -> Iterator[_Line | None]:
    """Each record's place; None for a line that is none."""
    try:
        numbers = list_numbers(source)
    except OSError as error:
        raise MergeError(f"{source} cannot be read: {error.strerror}.") from None
    if not numbers:
        raise MergeError(f"{source} is no history: it has no files history-000001.jsonl, ….")
    for number in numbers:
        path = path_of(source, number)
        offset = 0
        try:
            for line in lines_forwards(path, final=number != numbers[-1]):
                yield _line(line, path, offset)
                offset += len(line)
        except OSError as error:
            raise MergeError(f"{path} cannot be read: {error.strerror}.") from None


def _line(line: bytes, path: Path, offset: int) -> _Line | None:
    record = decode(line)
    if record is None:
        return None
    digest = hashlib.blake2b(line.rstrip(b"\n"), digest_size=DIGEST_BYTES).digest()
    return _Line(record["id"], digest, path, offset, len(line))


def _ratings(sources: Sequence[Path]) -> tuple[list[bytes], int]:
    """The lines of all sources' ratings by time, each once, and how many lines are none."""
    found: dict[bytes, float] = {}
    damaged = 0
    for path in (source / FILE for source in sources):
        try:
            for line in lines_forwards(path):
                rating = read_rating(line)
                damaged += rating is None
                if rating:
                    found[line] = seconds(rating.ts) or 0.0
        except FileNotFoundError:
            continue
        except OSError as error:
            raise MergeError(f"{path} cannot be read: {error.strerror}.") from None
    return sorted(found, key=found.__getitem__), damaged


# --- the target ----------------------------------------------------------------------------------


def _write(
    lines: Sequence[_Line], ratings: Sequence[bytes], target: Path, max_entries: int
) -> None:
    """Beside the target first, synced, then renamed. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix=f".{target.name}-", dir=target.parent))  # mode 0700
    try:
        with _Sources() as sources:
            for number, first in enumerate(range(0, len(lines), max_entries), 1):
                part = lines[first : first + max_entries]
                _write_file(path_of(made, number), map(sources.read, part))
        if ratings:
            _write_file(made / FILE, ratings)
        sync_directory(made)
        made.rename(target)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    sync_directory(target.parent)


def _write_file(path: Path, lines: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for line in lines:
            file.write(line if line.endswith(b"\n") else line + b"\n")
        file.flush()
        sync(file.fileno())


class _Sources:
    """Of each source the file that was read last stays open: its lines follow each other."""

    def __init__(self) -> None:
        self._open: dict[Path, tuple[Path, BinaryIO]] = {}

    def __enter__(self) -> "_Sources":
        return self

    def __exit__(self, *error: object) -> None:
        for _, file in self._open.values():
            file.close()

    def read(self, line: _Line) -> bytes:
        """The line, which has not changed: history files are only appended to. Raises OSError."""
        text = os.pread(self._file(line.path).fileno(), line.length, line.offset)
        if len(text) != line.length:
            raise OSError(0, f"{line.path} became shorter meanwhile")
        return text

    def _file(self, path: Path) -> BinaryIO:
        there, file = self._open.get(path.parent, (None, None))
        if file is None or there != path:
            if file:
                file.close()
            file = open_plain(path)
            self._open[path.parent] = (path, file)
        return file
