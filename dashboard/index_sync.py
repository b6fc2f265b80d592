"""Keeping the index up to date with the history, and notifying listeners."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from history.reader import Reader
from history.run_index import Index

log = logging.getLogger("laios.dashboard")

PATIENCE_S = 0.25
LOOK_S = 5.0
"""So often a history is looked at that does not grow: it may have been replaced."""


class IndexSync:
    """One for a history directory and an event loop.

    The index is brought up to date for each page, and while somebody watches also whenever the
    history grows; without anybody there, nothing goes on.
    """

    def __init__(self, index: Index, reader: Reader) -> None:
        self._index = index
        self._reader = reader
        self._working: asyncio.Task[None] | None = None
        self._grown = asyncio.Event()
        self._watchers: set[asyncio.Event] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._error: str | None = None

    async def refresh(self) -> bool:
        """Take in what was written since. A history that takes longer (False) is taken in
        meanwhile: `Index.state` says how far it is."""
        done, _ = await asyncio.wait([self._catching_up()], timeout=PATIENCE_S)
        return bool(done) and self._error is None

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever there is something new in the index."""
        news = asyncio.Event()
        self._watchers.add(news)
        if len(self._watchers) == 1:
            # Once more after following has begun: what came while an earlier catching up was under
            # way would be seen by neither.
            self._grown.set()
            self._tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._take())]
        try:
            yield news
        finally:
            self._watchers.discard(news)
            if not self._watchers:
                tasks, self._tasks = self._tasks, []
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self) -> None:
        async for _ in self._reader.follow():
            self._grown.set()

    async def _take(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._grown.wait(), LOOK_S)
            self._grown.clear()
            if self._working and not self._working.done():
                await self._working  # it may have begun before the history grew
            await self._catching_up()
            for news in self._watchers:
                news.set()

    def _catching_up(self) -> asyncio.Task[None]:
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._catch_up())
        return self._working

    async def _catch_up(self) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[str | None] = loop.create_future()

        def work() -> None:
            error = None
            try:
                self._index.catch_up()
            except (sqlite3.Error, OSError) as failure:
                error = str(failure)
            with suppress(RuntimeError):  # the loop is gone, and with it who asked
                loop.call_soon_threadsafe(_settle, done, error)

        # Not the loop's own threads: those are waited for at the end, and a first index takes long.
        threading.Thread(target=work, name="index", daemon=True).start()
        error = await done
        if error and error != self._error:
            log.warning("the index cannot be kept", extra={"why": error})
        self._error = error


def _settle(future: "asyncio.Future[str | None]", error: str | None) -> None:
    if not future.done():
        future.set_result(error)
