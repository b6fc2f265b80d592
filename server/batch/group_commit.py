"""Group commit: answers that come while the disk is busy are written together, off the event
loop."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Self

from server.batch.answer_journal import BatchAnswer

Append = Callable[[Sequence[BatchAnswer]], None]
"""Writes answers, and returns when they are safe. Called in a thread, one call at a time."""


class GroupCommit:
    """Used with `async with`: whatever was handed over is written when the block is left."""

    def __init__(self, append: Append) -> None:
        self._append = append
        self._waiting: list[tuple[BatchAnswer, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._writing:
            await self._writing

    async def write(self, answer: BatchAnswer) -> None:
        """Returns when the answer is safe. Raises what `append` raises."""
        written = asyncio.get_running_loop().create_future()
        self._waiting.append((answer, written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        await written

    async def _write_all(self) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(self._append, [answer for answer, _ in taken])
                error = None
            except Exception as caught:
                error = caught
            for _, written in taken:
                if written.cancelled():
                    continue
                if error:
                    written.set_exception(error)
                else:
                    written.set_result(None)
