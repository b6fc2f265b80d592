"""One HTTP connection: uvicorn's protocol with a time limit on request heads, and JSON for requests
that are not HTTP."""

import asyncio
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from pipeline.errors import BadRequest
from pipeline.request import new_id
from server.http.errors import error_body
from server.http.guard import RUN_ID_HEADER, SECURITY_HEADERS
from server.http.json_response import json_response

HEAD_TIMEOUT_S = 10.0
MAX_HEAD_BYTES = 1024 * 1024
# Longer than clients keep a connection that nobody uses (undici 4 s, httpx 5 s, aiohttp 15 s): with
# uvicorn's own five seconds a request may meet the end of its connection, and fail unanswered.
KEEP_ALIVE_S = 20


class Connection(HttpToolsProtocol):
    """Closes a connection on which no complete request head has arrived after ten seconds or a
    megabyte: uvicorn itself waits for ever and keeps what comes, and a few hundred such connections
    use up the process's descriptors."""

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._give_up()

    def on_message_begin(self) -> None:
        self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head_arrived()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """What uvicorn answers when the bytes are no HTTP request."""
        body = json_response(error_body(BadRequest("That is not a valid HTTP request."))).body
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            (RUN_ID_HEADER, new_id().encode()),
            *SECURITY_HEADERS,
        ]
        lines = [name + b": " + value + b"\r\n" for name, value in headers]
        self.transport.write(b"".join([STATUS_LINE[400], *lines, b"\r\n", bytes(body)]))
        self.transport.close()

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_TIMEOUT_S, self._give_up)

    def _head_arrived(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
            self._head_bytes = 0

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def uvicorn_config(app: ASGIApp, stop_s: int) -> Config:
    """For a server that has these connections, and signals, logs and headers of our own."""
    return Config(
        app,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=stop_s,
    )
