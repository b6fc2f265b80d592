"""How far litellm's connections are trusted: they follow no redirect, unpack nothing, and keep no
line and no error without an end."""

from collections.abc import AsyncIterator
from typing import Any

import httpx

from pipeline.errors import ModelFailed
from pipeline.model_call import brief
from pipeline.models.ollama_host import MAX_LINE_BYTES


class Refused(ModelFailed):
    """What a server did that is not gone along with."""


def guard(transport: type[httpx.AsyncBaseTransport]) -> None:
    """Changes the transport of its clients, which has no setting for any of it: a prompt would be
    sent to a server that nobody chose, a line or an error be kept until the deadline, and a small
    body grow to a huge one."""
    handle = transport.handle_async_request
    if handle.__module__ == __name__:
        return  # it is guarded

    async def handle_guarded(self: Any, request: httpx.Request) -> httpx.Response:
        request.headers["Accept-Encoding"] = "identity"
        response = await handle(self, request)
        if response.has_redirect_location:
            await response.aclose()
            raise Refused(
                f"its server sends it on to {brief(response.headers['Location'])} (HTTP "
                f"{response.status_code}); nothing was sent there. Set its address to that if you "
                "trust it."
            )
        packed = response.headers.get("Content-Encoding", "")
        if packed.lower() not in ("", "identity"):
            await response.aclose()
            raise Refused(
                f"its server sent an answer packed with {brief(packed)}; none was asked for."
            )
        if isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = _Bounded(response.stream, in_lines=response.is_success)
        return response

    transport.handle_async_request = handle_guarded  # type: ignore[method-assign]


class _Bounded(httpx.AsyncByteStream):
    """Raises Refused for a line of more than MAX_LINE_BYTES. What is not read `in_lines`, an error,
    is kept whole: of that there is no more than that."""

    def __init__(self, stream: httpx.AsyncByteStream, *, in_lines: bool) -> None:
        self._stream = stream
        self._in_lines = in_lines

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0  # of the line that has begun
        async for chunk in self._stream:
            *ends, rest = chunk.rsplit(b"\n", 1) if self._in_lines else (chunk,)
            length = len(rest) + (0 if ends else length)
            if length > MAX_LINE_BYTES:
                await self.aclose()
                if not self._in_lines:
                    return
                raise Refused(
                    f"its server sent a line of more than {MAX_LINE_BYTES:,} bytes; it was stopped."
                )
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
