"""`laios mcp`: the protocol over stdin and stdout, for one client that started this program."""

import asyncio
from typing import Any

from mcp.server.stdio import stdio_server

from config import Settings, base_url
from laios import AsyncClient
from server.mcp.protocol_server import protocol_server
from server.mcp.stdin_messages import messages
from server.runtime.async_closing import async_closing
from server.terminal.daemon_client import daemon_is_there


async def serve(settings: Settings) -> None:
    """Until stdin ends; the runs that are under way then are cancelled. Nothing but the protocol is
    written to stdout: whatever is printed goes to stderr."""
    async with async_closing(DaemonConnection(settings)) as connection:
        server = protocol_server(connection.client)
        async with stdio_server() as (read, write):
            heard: Any = messages(read, write)  # no stream by its type: it is iterated over alone
            await server.run(heard, write, server.create_initialization_options())


class DaemonConnection:
    """The daemon that the tools call, looked up anew for each call: daemons come and go while an
    editor is open."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._daemon = AsyncClient(base_url(settings), token=settings.API_TOKEN)
        self._own: AsyncClient | None = None

    async def client(self) -> AsyncClient:
        """That of the running daemon. Where there is none, a process of this program's own does the
        work, from the first call that needs it; another one where it has ended."""
        if await asyncio.to_thread(daemon_is_there, self._settings):
            return self._daemon
        if self._own is None or self._own.has_ended():
            gone, self._own = self._own, AsyncClient.local()
            if gone:
                await gone.close()
        return self._own

    async def close(self) -> None:
        await self._daemon.close()
        if self._own:
            await self._own.close()
