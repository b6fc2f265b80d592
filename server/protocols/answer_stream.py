"""A streamed answer that outlives long silence and ends when its reader goes away.

Written for this, because a token's way through the daemon is short: Starlette's and sse-starlette's
responses cost several times as much for each piece.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, suppress

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.http.disconnect import until_gone
from server.runtime.deduplication import SharedRun

log = logging.getLogger("laios.frontends")

SILENCE_S = 8.0  # clients give up after 10 s without a byte at the earliest
STALLED_S = 300.0  # a reader that takes nothing for so long counts as gone


Told = tuple[AsyncGenerator[bytes, None], str, Callable[[], bytes]]
"""A streamed answer: its chunks, its media type, and what makes a sign of life."""


class Stream(Response):
    """Sends the chunks as they come, a sign of life when there was none for a while. The reader
    going away, or not reading any more, closes the chunks. With the last of them the run's answer
    is delivered. `held` is left when the answer has ended, whichever way."""

    def __init__(
        self,
        told: Told,
        shared: SharedRun,
        held: AbstractContextManager[object],
        headers: dict[str, str],
    ) -> None:
        self.status_code = 200
        self._chunks, self.media_type, self._heartbeat = told
        self.init_headers({**headers, "X-Accel-Buffering": "no"})
        self._shared = shared
        self._held = held
        self._sent_at = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._held:
            writing = asyncio.create_task(self._write(send))
            gone = asyncio.create_task(until_gone(receive))
            beating = asyncio.create_task(self._beat(send))
            try:
                await asyncio.wait((writing, gone, beating), return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (writing, gone, beating):
                    task.cancel()
                await asyncio.gather(writing, gone, beating, return_exceptions=True)
                await self._chunks.aclose()
            if not writing.cancelled():
                with suppress(OSError):  # nobody reads any more
                    writing.result()

    async def _write(self, send: Send) -> None:
        start = {
            "type": "http.response.start",
            "status": self.status_code,
            "headers": self.raw_headers,
        }
        await send(start)
        clock = asyncio.get_running_loop().time
        async for chunk in self._chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            self._sent_at = clock()
        self._shared.delivered = True
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _beat(self, send: Send) -> None:
        """Ends when the reader has stalled: a chunk that cannot leave holds up the beat as well."""
        clock = asyncio.get_running_loop().time
        self._sent_at = clock()
        while True:
            wait_s = self._sent_at + SILENCE_S - clock()
            if wait_s > 0:
                await asyncio.sleep(wait_s)
                continue
            beat = {"type": "http.response.body", "body": self._heartbeat(), "more_body": True}
            try:
                async with asyncio.timeout(STALLED_S):
                    await send(beat)
            except TimeoutError:
                return
            except OSError:
                pass  # it has gone, which is noticed elsewhere
            self._sent_at = clock()
