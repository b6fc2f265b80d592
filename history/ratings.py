"""Users' ratings of runs: `ratings.jsonl` beside the records. Lines are appended, and taken out
where their run is pruned (not where HISTORY_MAX_FILES deletes a file: its writer does not read it).

One line is one object: `{"id": …, "ts": …, "host": …, "rating": "up", "note": …, "source": …}`.
`id` is the run's, `ts` RFC 3339 in UTC, `source` where it was said. A run's newest line counts;
`none` takes back what was said before. The records themselves never change.
"""

import logging
import platform
from collections.abc import Container, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

from history.append_log import make_directory, sync_directory
from history.lines import lines_forwards
from history.record import decode, encode
from history.segment import Segment
from laios.durable_file import replaced_file

logger = logging.getLogger("laios.history")

FILE = "ratings.jsonl"
MAX_NOTE = 2000
"""Characters of a note; a longer one is refused."""
Mark = Literal["up", "down", "none"]
MARKS: tuple[Mark, ...] = get_args(Mark)


@dataclass(frozen=True, slots=True)
class Rating:
    """One line: what somebody said of the run `id`, and when. Raises ValueError for a note that is
    too long."""

    id: str
    rating: Mark
    note: str | None = None
    source: str = "cli"
    ts: str = ""
    host: str = ""

    def __post_init__(self) -> None:
        if self.note and len(self.note) > MAX_NOTE:
            raise ValueError(f"A note has at most {MAX_NOTE} characters.")


class Ratings:
    """Those of the history in `directory`. Any process may read and write."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.path = directory / FILE

    def append(self, rating: Rating) -> Rating:
        """Writes and syncs it, with time and host; a torn line before it is closed off. Raises
        OSError."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        said = replace(rating, ts=now, host=platform.node())
        make_directory(self._directory)
        while True:
            segment = Segment(self.path, create=True)
            try:
                if not segment.lock():  # deleted since it was opened
                    continue
                _, error = segment.append([encode(asdict(said))], durable=True)
            finally:
                segment.close()
            if error:
                raise error
            return said

    def __iter__(self) -> Iterator[Rating]:
        """Every whole line in its order; what is no rating is left out. Raises OSError."""
        try:
            for line in lines_forwards(self.path):
                if rating := read_rating(line):
                    yield rating
        except FileNotFoundError:
            return

    def current(self) -> dict[str, Rating]:
        """The rating that counts of each run, by its id; runs whose rating was taken back have
        none. Raises OSError."""
        newest = {rating.id: rating for rating in self}
        return {id: rating for id, rating in newest.items() if rating.rating != "none"}

    def forget(self, ids: Container[str]) -> None:
        """Takes out what was said of these runs, by a new file in place of the old one. Who appends
        meanwhile waits and finds the new one. Raises OSError."""
        while self.path.exists():
            segment = Segment(self.path)
            try:
                if segment.lock():
                    self._rewrite(ids)
                    return
            finally:
                segment.close()

    def _rewrite(self, gone: Container[str]) -> None:
        lines = [*lines_forwards(self.path, final=True)]
        kept = [
            line for line in lines if (said := read_rating(line)) is None or said.id not in gone
        ]
        if len(kept) == len(lines):
            return
        with replaced_file(self.path) as file:
            file.writelines(kept)
        sync_directory(self._directory)

    def of(self, id: str) -> Rating | None:
        return self.current().get(id)

    def version(self) -> str:
        """Changes whenever the file does."""
        try:
            status = self.path.stat()
        except OSError:
            return ""
        return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"


def mark_of(said: object) -> Mark | None:
    """None for what is no rating."""
    return next((mark for mark in MARKS if mark == said), None)


def read_rating(line: bytes) -> Rating | None:
    """None for a line that is no rating."""
    record: Mapping[str, object] = decode(line) or {}
    note, mark = record.get("note"), mark_of(record.get("rating"))
    if mark is None:
        return None
    return Rating(
        id=str(record["id"]),
        rating=mark,
        note=note[:MAX_NOTE] if isinstance(note, str) else None,
        source=str(record.get("source", "")),
        ts=str(record.get("ts", "")),
        host=str(record.get("host", "")),
    )
