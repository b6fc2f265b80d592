"""Reading a stream's events, with an end to waiting for one."""

import time
from collections.abc import AsyncIterator, Iterator
from math import inf
from typing import cast

import httpx
from httpx_sse import EventSource


def events_of(response: httpx.Response, limit_s: float | None) -> EventSource:
    """The response's events. Reading them raises httpx.ReadTimeout where none comes for so long,
    though comments may keep the connection open."""
    return EventSource(cast(httpx.Response, _HeardText(response, limit_s or inf)))


class _HeardText:
    """What an EventSource needs of a response. The time between two readings is the caller's own,
    and is not counted."""

    def __init__(self, response: httpx.Response, limit_s: float) -> None:
        self.headers, self._response = response.headers, response
        self._limit_s, self._waited_s = limit_s, 0.0

    def iter_text(self) -> Iterator[str]:
        asked = time.monotonic()
        for text in self._response.iter_text():
            self._hear(text, asked)
            yield text
            asked = time.monotonic()

    async def aiter_text(self) -> AsyncIterator[str]:
        asked = time.monotonic()
        async for text in self._response.aiter_text():
            self._hear(text, asked)
            yield text
            asked = time.monotonic()

    def _hear(self, text: str, asked: float) -> None:
        self._waited_s += time.monotonic() - asked
        if any(line and not line.startswith(":") for line in text.splitlines()):
            self._waited_s = 0.0
        elif self._waited_s > self._limit_s:
            raise httpx.ReadTimeout("only comments came", request=self._response.request)
