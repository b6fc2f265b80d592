"""`/mcp` on the daemon: the protocol over streamable HTTP. Its tools call the daemon's own API over
loopback, as those of the stdio program do."""

import asyncio
import logging
from functools import partial
from typing import Any

from mcp.server import streamable_http
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from sse_starlette import EventSourceResponse
from starlette.types import Receive, Scope, Send

from config import Settings, base_url
from laios import AsyncClient
from server.http.server_sent_events import STOP_S
from server.mcp.protocol_server import protocol_server

MOST_BYTES = 1 << 20  # of a message: to check a larger one holds up the event loop
MOST_SESSIONS = 64  # of clients that speak a version with sessions; more are answered 503
IDLE_S = 30 * 60.0
HAND_OVER_S = 1.0  # for the answers of calls whose runs are over, when the daemon stops

# Else the answer to a call ends when the daemon is told to stop, and its run with it.
streamable_http.EventSourceResponse = partial(  # type: ignore[attr-defined, assignment]
    EventSourceResponse, shutdown_grace_period=STOP_S
)

# Its messages quote what clients send, and the log holds no such texts.
logging.getLogger("mcp").setLevel(logging.CRITICAL)


class HttpEndpoint:
    """Whoever gets here has passed the guard: Host, Origin, token, content type, size."""

    def __init__(self, settings: Settings) -> None:
        self._client = AsyncClient(base_url(settings), token=settings.API_TOKEN)
        self._sessions = StreamableHTTPSessionManager(
            protocol_server(self._give),
            max_request_body_size=min(MOST_BYTES, settings.MAX_BODY_BYTES),
            max_sessions=MOST_SESSIONS,
            session_idle_timeout=IDLE_S,
        )
        self._ready = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._calls: set[asyncio.Task[Any]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._serving = self._serving or asyncio.create_task(self._serve())
        await self._ready.wait()
        call = asyncio.current_task()
        if call and scope["method"] == "POST":  # others wait for what the server has to say
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)
        await self._sessions.handle_request(scope, receive, send)

    async def close(self) -> None:
        """Ends all sessions, once the runs are over; a call that has no answer then is
        cancelled."""
        if self._calls:
            await asyncio.wait(self._calls, timeout=HAND_OVER_S)
        if self._serving:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)
        await self._client.close()

    async def _serve(self) -> None:
        async with self._sessions.run():
            self._ready.set()
            await asyncio.get_running_loop().create_future()  # until it is cancelled

    async def _give(self) -> AsyncClient:
        return self._client
