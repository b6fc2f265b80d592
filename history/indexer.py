"""Incremental indexing: adding new records of the history to the index."""

import logging
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path

from history.counts import Key, count_runs, found_by
from history.index_file import UnusableError, transaction
from history.index_row import Row, row_of, text_of
from history.index_rows import (
    ADD_COUNT,
    COLUMNS,
    INSERT_RUN,
    INSERT_WORDS,
    WIDEN_BLOCK,
    WIDEN_FILE,
    block_values,
    row_from,
    run_values,
    words_values,
)
from history.lines import lines_forwards
from history.ratings import Ratings
from history.reader import Position, Reader
from history.segment_files import list_numbers, open_plain, path_of

_BATCH = 1000
_HEAD = 4096

Progress = Callable[[int, int], None]

logger = logging.getLogger("laios.history")


class Indexer:
    """Brings an open index up to the history in `directory`."""

    def __init__(self, directory: Path, reader: Reader) -> None:
        self._directory = directory
        self._reader = reader
        self._ratings = Ratings(directory)

    def take_all(self, database: sqlite3.Connection, progress: Progress | None) -> int:
        """Take in what was written since, in batches; gives the number of new records.

        Raises UnusableError if the index is about other files than those that are there.
        """
        with transaction(database):
            self._forget_vanished(database)
        self._take_ratings(database)
        total = self._reader.size_from(indexed_position(database)) if progress else 0
        count = 0
        while taken := self._take_batch(database):
            count += taken
            if progress:
                left = self._reader.size_from(indexed_position(database))
                progress(max(0, total - left), total)
        return count

    def _take_ratings(self, database: sqlite3.Connection) -> None:
        """What people said, anew where that has changed."""
        version = self._ratings.version()
        known = "SELECT version FROM ratings_version"
        if database.execute(known).fetchone() == (version,):
            return
        try:
            said = self._ratings.current().values()
        except OSError as error:  # what is known stays, and the next look tries again
            logger.warning("ratings not read: %s", error)
            return
        with transaction(database):
            database.execute("DELETE FROM ratings")
            rows = [(text_of(each.id), each.rating) for each in said]
            database.executemany("INSERT OR REPLACE INTO ratings VALUES (?, ?)", rows)
            database.execute("UPDATE ratings_version SET version = ?", [version])

    def _forget_vanished(self, database: sqlite3.Connection) -> None:
        """Forget files that were deleted; start again if that is the better part, or the newest,
        or where a file is another one now."""
        known = dict(database.execute("SELECT number, size FROM files"))
        numbers = set(list_numbers(self._directory))
        at = indexed_position(database)
        if at.number > max(numbers, default=0):
            raise UnusableError
        looked_at = numbers & {*known, at.number}
        if any(self._is_another(number, known.get(number), at) for number in looked_at):
            raise UnusableError
        newest = "SELECT number, head FROM files ORDER BY number DESC LIMIT 1"
        for number, head in database.execute(newest).fetchall():
            if self._head(number) not in (head, None):
                raise UnusableError
        vanished = known.keys() - numbers
        for number in vanished:
            _forget(database, number)
        if vanished:
            live, last = database.execute("SELECT count(*), max(row) FROM runs").fetchone()
            if live * 2 < (last or 0):
                raise UnusableError

    def _take_batch(self, database: sqlite3.Connection) -> int:
        with transaction(database):
            before = indexed_position(database)
            entries, after, damaged, sizes = self._reader.read_on(before, _BATCH)
            if after <= before:  # less: the directory has just vanished, what was taken in has not
                return 0
            (last,) = database.execute("SELECT coalesce(max(last_row), 0) FROM files").fetchone()
            rows = [(last + n, entry, row_of(entry.record)) for n, entry in enumerate(entries, 1)]
            found = [found_by(row) for _, _, row in rows]
            words = ((n, entry, keys) for (n, entry, _), keys in zip(rows, found, strict=True))
            database.executemany(INSERT_RUN, (run_values(*row) for row in rows))
            database.executemany(INSERT_WORDS, (words_values(*row) for row in words))
            database.executemany(WIDEN_BLOCK, block_values([(n, row) for n, _, row in rows]))
            _count(database, [(row, keys) for (_, _, row), keys in zip(rows, found, strict=True)])
            own = Counter(entry.number for entry in entries)
            for number in sorted({*own, *damaged, *sizes}):
                first, last = last + 1, last + own[number]
                head, size = self._head(number), sizes.get(number)
                database.execute(WIDEN_FILE, [number, head, first, last, damaged[number], size])
            taken = sum(entry.length for entry in entries)
            database.execute(
                "UPDATE place SET number = ?, offset = ?, bytes = bytes + ?", [*after, taken]
            )
        return len(entries)

    def _is_another(self, number: int, size: int | None, at: Position) -> bool:
        """Whether a file, up to the place `at`, holds something else than what was taken in. None
        changes once it has a successor, but people take out a line with a secret."""
        try:
            path = path_of(self._directory, number)
            if number == at.number:
                return path.stat().st_size < at.offset
            if size is not None:
                return path.stat().st_size != size
            deque(lines_forwards(path), 0)  # could not be read to its end: maybe it can now
            return True
        except OSError:
            return False

    def _head(self, number: int) -> bytes | None:
        """The beginning of a file's first line: tells files of the same name apart. None while it
        cannot be read."""
        try:
            with open_plain(path_of(self._directory, number)) as file:
                return file.readline(_HEAD)
        except OSError:
            return None


def indexed_position(database: sqlite3.Connection) -> Position:
    """How far the history is taken in."""
    return Position(*database.execute("SELECT number, offset FROM place").fetchone())


def _forget(database: sqlite3.Connection, number: int) -> None:
    """Take the runs of a file out again.

    Their words stay: a table without content cannot find them. Searches join them away.
    """
    where = "FROM runs WHERE row BETWEEN ? AND ?"
    ends = database.execute(
        "SELECT first_row, last_row FROM files WHERE number = ?", [number]
    ).fetchone()
    gone = [row_from(row) for row in database.execute(f"SELECT {COLUMNS} {where}", ends)]
    _count(database, [(row, found_by(row)) for row in gone], -1)
    database.execute("DELETE FROM counts WHERE runs = 0")
    database.execute(f"DELETE {where}", ends)
    database.execute("DELETE FROM files WHERE number = ?", [number])


def _count(
    database: sqlite3.Connection, runs: Sequence[tuple[Row, Sequence[Key]]], sign: int = 1
) -> None:
    """Keep the counters of the whole history."""
    for auxiliary in (False, True):
        own = [run for run in runs if run[0].auxiliary is auxiliary]
        counts = count_runs((row for row, _ in own), (keys for _, keys in own))
        database.executemany(
            ADD_COUNT,
            (
                (auxiliary, *key, sign * runs, sign * counts.amounts.get(key, 0))
                for key, runs in counts.runs.items()
            ),
        )
