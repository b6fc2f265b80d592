"""One HTTP connection: uvicorn's protocol with a time limit on request heads, JSON for requests
that are not HTTP, the bodies of those that offer another protocol, and no chunks for HTTP/1.0."""

import asyncio
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from starlette.types import ASGIApp, Message, Send
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from pipeline.errors import BadRequest
from pipeline.request import new_id
from server.http.errors import error_body
from server.http.guard import RUN_ID_HEADER, SECURITY_HEADERS
from server.http.json_response import json_response

HEAD_TIMEOUT_S = 10.0
MAX_HEAD_BYTES = 1024 * 1024
_FRAMING = (b"content-length", b"transfer-encoding")  # say how long a body is
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
        self._unset_keepalive_if_required()
        try:
            self._feed(data)
        except HttpParserError:
            self.send_400_response("")
            return
        if self._head_timer is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.transport.close()

    def on_message_begin(self) -> None:
        self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head_arrived()
        super().on_headers_complete()
        if self.scope["http_version"] == "1.0":
            self.cycle.send = _without_chunks(self.cycle)  # type: ignore[assignment,method-assign]

    def on_message_complete(self) -> None:
        if not self.parser.should_upgrade():  # else its body is still to be read
            super().on_message_complete()

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

    def _feed(self, data: bytes) -> None:
        """Raises HttpParserError."""
        while data:
            try:
                self.parser.feed_data(data)
                return
            except HttpParserUpgrade as stopped:
                self._ignore_upgrade()
                data = data[stopped.args[0] :]

    def _ignore_upgrade(self) -> None:
        """Goes on as if the request offered no other protocol (RFC 9110, 7.8), as those of Java's
        client do with `Upgrade: h2c`. The parser stops behind such a head, and takes the body for
        the other protocol: another one reads it, behind a head that says how long it is."""
        framing = [name + b": " + value for name, value in self.headers if name in _FRAMING]
        self.parser = HttpRequestParser(_BehindHead(self))
        self.parser.feed_data(b"\r\n".join([b"POST / HTTP/1.1", *framing, b"", b""]))

    def _await_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _head_arrived(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
            self._head_bytes = 0


def _without_chunks(cycle: RequestResponseCycle) -> Send:
    """The cycle's `send` for a client of HTTP/1.0, which need not know chunks (RFC 9112, 6.1): a
    body whose length nobody says ends with the connection, which uvicorn closes for such a client.
    """
    send, is_measured = cycle.send, False

    async def sent(message: Message) -> None:
        nonlocal is_measured
        if message["type"] == "http.response.start":
            is_measured = any(
                name.lower() == b"content-length" for name, _ in message.get("headers", ())
            )
            cycle.chunked_encoding = None if is_measured else False
        elif not is_measured:
            cycle.expected_content_length = len(message.get("body", b""))
        await send(message)  # type: ignore[arg-type]

    return sent


class _BehindHead:
    """What a parser tells a connection that has read the head of the first message already."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_first = True
        self.on_body = connection.on_body
        self.on_message_complete = connection.on_message_complete

    def on_message_begin(self) -> None:
        if not self._is_first:
            self._connection.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self._is_first:
            self._connection.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_first:
            self._connection.on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self._is_first:
            self._connection.on_headers_complete()
        self._is_first = False


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
