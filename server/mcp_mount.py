"""`/mcp` in the daemon: loaded at its first request, because the `mcp` package takes a second and
is not installed everywhere."""

import asyncio
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from config import Settings
from server.http.errors import HttpError

if TYPE_CHECKING:
    from server.mcp.http_endpoint import HttpEndpoint

NOT_INSTALLED = (
    "laios was installed without the Model Context Protocol. In the repository: "
    "`uv tool install '.[mcp]'`, or install `mcp` into laios' own environment."
)


class McpMount:
    """An ASGI application; `close` ends what clients have left open."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._endpoint: HttpEndpoint | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._endpoint is None:
            kind = await asyncio.to_thread(_endpoint_kind)
            self._endpoint = self._endpoint or kind(self._settings)
        await self._endpoint(scope, receive, send)

    async def close(self) -> None:
        if self._endpoint:
            await self._endpoint.close()


def _endpoint_kind() -> "type[HttpEndpoint]":
    """Raises HttpError where the package is missing."""
    try:
        from server.mcp.http_endpoint import HttpEndpoint
    except ModuleNotFoundError as error:
        if not is_the_package(error):
            raise
        raise HttpError("not_found", NOT_INSTALLED) from None
    return HttpEndpoint


def is_the_package(error: ModuleNotFoundError) -> bool:
    """Whether it is `mcp` that is missing, and not a module of ours."""
    return (error.name or "").partition(".")[0] in ("mcp", "mcp_types")
