"""`/mcp` on the daemon: the protocol over streamable HTTP. Its tools call the daemon's own API over
loopback, as those of the stdio program do."""

import asyncio
import logging

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from config import Settings, base_url
from laios import AsyncClient
from server.mcp.protocol_server import protocol_server

MOST_BYTES = 1 << 20  # of a message: to check a larger one holds up the event loop
MOST_SESSIONS = 64  # of clients that speak a version with sessions; more are answered 503
IDLE_S = 30 * 60.0

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._serving = self._serving or asyncio.create_task(self._serve())
        await self._ready.wait()
        await self._sessions.handle_request(scope, receive, send)

    async def close(self) -> None:
        """Ends all sessions; the calls that are under way are cancelled."""
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
