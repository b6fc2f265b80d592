"""The daemon that the stdio program's tools call: the user's, else one of its own."""

import asyncio

from config import Settings, base_url
from laios import AsyncClient
from server.terminal.daemon_client import daemon_is_there


class DaemonConnection:
    """Looked up anew for each call: daemons come and go while an editor is open."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._daemon = AsyncClient(base_url(settings), token=settings.API_TOKEN)
        self._own: AsyncClient | None = None

    async def client(self) -> AsyncClient:
        """That of the running daemon. Where there is none, a process of this program's own does the
        work, from the first call that needs it."""
        if await asyncio.to_thread(daemon_is_there, self._settings):
            return self._daemon
        self._own = self._own or AsyncClient.local()
        return self._own

    async def close(self) -> None:
        await self._daemon.close()
        if self._own:
            await self._own.close()
