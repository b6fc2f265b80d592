"""The record of every run: JSON lines in files that are only ever appended to."""

from collections.abc import Mapping
from pathlib import Path

from history.files import prune
from history.index import Index
from history.reader import SCAN, Reader
from history.record import SCHEMA, Judgement, Record, RunError, Step, decode, encode
from history.store import Store, StoreState

__all__ = [
    "SCHEMA",
    "History",
    "Index",
    "Judgement",
    "Reader",
    "Record",
    "RunError",
    "Step",
    "Store",
    "StoreState",
    "decode",
    "encode",
    "prune",
]


class History:
    """A history directory with all that can be done with it: append, read, search.

    Nothing is opened or created before it is needed. `index` is None without a `cache_dir`.
    """

    def __init__(
        self,
        directory: Path,
        cache_dir: Path | None = None,
        *,
        max_entries: int = 1000,
        max_files: int = 0,
        fsync: bool = True,
    ) -> None:
        self.reader = Reader(directory)
        self.index = Index(directory, cache_dir) if cache_dir else None
        self._store = Store(directory, max_entries=max_entries, max_files=max_files, fsync=fsync)

    async def append(self, record: Mapping[str, object]) -> bool:
        """See `Store.append`."""
        return await self._store.append(record)

    def load_recent_records(
        self, n: int, session: str | None = None, *, scan: int = SCAN
    ) -> list[Record]:
        """See `Reader.load_recent_records`."""
        return self.reader.load_recent_records(n, session, scan=scan)

    def state(self) -> StoreState:
        """See `Store.state`."""
        return self._store.state()

    async def close(self) -> None:
        """See `Store.close`."""
        await self._store.close()
