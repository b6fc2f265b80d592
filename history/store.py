"""Writing records: appended by one background thread, many at a time."""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from history.append_log import Log
from history.record import SCHEMA, encode

logger = logging.getLogger("laios.history")

KEEP_RECORDS = 1000
"""So many records are kept in memory while the disk refuses them, whatever their size."""
KEEP_BYTES = 64 << 20
"""More than that many records are kept only up to this size."""
RETRY_S = 0.25
"""Time between attempts while the disk refuses."""
PATIENCE_S = 2.0
"""The longest that a caller waits for a disk, or a lock, that does not answer at all."""

_Outcome = tuple[asyncio.Future[bool], bool]


@dataclass(frozen=True)
class StoreState:
    """What `/readyz` and `/metrics` say about the history.

    `pending` records are in memory and not on disk, `lost` ones were dropped from there,
    `written` ones are on disk; `error` says why the disk refuses (None while `ok`).
    """

    ok: bool
    pending: int
    lost: int
    error: str | None
    written: int


@dataclass(frozen=True, slots=True)
class _Item:
    line: bytes
    waiter: asyncio.Future[bool] | None


class Store:
    """Appends records to the history in `directory`. One event loop at a time.

    Nothing is opened before the first record, so creating a store never fails. Everything that
    arrives while the thread is busy goes to disk together with one sync (group commit), and all
    its callers are released by one wake-up of the event loop.
    """

    def __init__(
        self, directory: Path, *, max_entries: int = 1000, max_files: int = 0, fsync: bool = True
    ) -> None:
        self._log = Log(directory, max_entries=max_entries, max_files=max_files, fsync=fsync)
        self._arrived: list[_Item] = []  # in this turn of the event loop; touched by it alone
        self._thread: threading.Thread | None = None
        # Everything below is guarded by the condition.
        self._changed = threading.Condition()
        self._pending: deque[_Item] = deque()
        self._pending_bytes = 0
        self._busy_with = 0
        self._busy_since: float | None = None
        self._closing = False
        self._error: str | None = None
        self._written = 0
        self._lost = 0

    async def append(self, record: Mapping[str, object]) -> bool:
        """Store `record`, and `schema` with it; True once on disk (synced, if the store syncs).

        False: the disk refuses; the record is kept in memory and written with a later one, or
        as soon as there is room again. Raises only what `encode` raises.
        """
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        line = encode({**record, "schema": SCHEMA})
        self._arrived.append(_Item(line, waiter))
        if len(self._arrived) == 1:
            loop.call_soon(self._hand_over)
        patience = loop.call_later(PATIENCE_S, _release, [(waiter, False)])
        try:
            return await waiter
        finally:
            patience.cancel()

    def state(self) -> StoreState:
        """What is written, what waits, and whether the disk takes it. From any thread."""
        with self._changed:
            error = self._refusal()
            pending = len(self._pending) + self._busy_with
            return StoreState(error is None, pending, self._lost, error, self._written)

    async def close(self) -> None:
        """Write what waits, if the disk takes it, and free thread and file.

        What is appended later opens them again.
        """
        self._hand_over()
        if self._thread is None:
            return
        with self._changed:
            self._closing = True
            self._changed.notify()
        await asyncio.to_thread(self._thread.join, PATIENCE_S)
        if self._thread.is_alive():
            logger.error("history: closed while the disk does not answer")
            return
        self._thread = None
        with self._changed:
            self._closing = False
            if self._pending:
                self._lost += len(self._pending)
                logger.error("history: closed with %d records unwritten", len(self._pending))
                self._pending.clear()
                self._pending_bytes = 0

    def _hand_over(self) -> None:
        """Give the thread what has arrived in this turn of the event loop."""
        arrived, self._arrived = self._arrived, []
        if not arrived:
            return
        with self._changed:
            refused = self._refusal() is not None
            if refused:
                _release([(item.waiter, False) for item in arrived if item.waiter])
            self._keep(arrived)
            self._changed.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="history", daemon=True)
            self._thread.start()

    def _keep(self, items: Iterable[_Item]) -> None:
        for item in items:
            self._pending.append(item)
            self._pending_bytes += len(item.line)
        before = self._lost
        while len(self._pending) > KEEP_RECORDS and self._pending_bytes > KEEP_BYTES:
            self._pending_bytes -= len(self._pending.popleft().line)
            self._lost += 1
        if self._lost and not before:
            logger.error("history: memory for unwritten records is full, the oldest are dropped")

    def _refusal(self) -> str | None:
        if self._error is None and self._busy_since is not None:
            waited = time.monotonic() - self._busy_since
            if waited > PATIENCE_S:
                return f"no answer from the disk for {waited:.0f} s"
        return self._error

    # Below: the background thread.

    def _run(self) -> None:
        while items := self._take():
            count, error = self._log.append([item.line for item in items])
            self._settle(items, count, error)
        self._log.close()

    def _take(self) -> list[_Item]:
        """Wait for records and take them all; none when the store closes."""
        with self._changed:
            if self._error and not self._closing:
                self._changed.wait_for(lambda: self._closing, RETRY_S)
            elif self._error:
                return []
            self._changed.wait_for(lambda: self._pending or self._closing)
            items = list(self._pending)
            self._pending.clear()
            self._pending_bytes = 0
            self._busy_with = len(items)
            self._busy_since = time.monotonic()
            return items

    def _settle(self, items: list[_Item], count: int, error: OSError | None) -> None:
        """Keep what was not written, and tell every caller."""
        with self._changed:
            self._busy_with, self._busy_since = 0, None
            self._written += count
            later, self._pending = self._pending, deque()
            self._pending_bytes = 0
            self._keep(_Item(item.line, None) for item in items[count:])
            self._keep(later)
            self._report(str(error) if error else None)
        outcomes = [(item.waiter, i < count) for i, item in enumerate(items) if item.waiter]
        for loop in {waiter.get_loop() for waiter, _ in outcomes}:
            own = [(waiter, ok) for waiter, ok in outcomes if waiter.get_loop() is loop]
            if not loop.is_closed():
                loop.call_soon_threadsafe(_release, own)

    def _report(self, error: str | None) -> None:
        if error and not self._error:
            logger.error("history: not written, kept in memory: %s", error)
        elif self._error and not error:
            logger.warning("history: written again; %d records were lost", self._lost)
        self._error = error


def _release(outcomes: list[_Outcome]) -> None:
    for waiter, written in outcomes:
        if not waiter.done():
            waiter.set_result(written)
