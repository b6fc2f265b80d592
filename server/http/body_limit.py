"""How much of requests' bodies is taken in: of each, and of all that are not answered together."""

import asyncio
from contextlib import suppress

from starlette.types import Message, Receive, Send

from pipeline.errors import Busy
from server.http.errors import HttpError

UNANSWERED_BODIES = 16
"""So many bodies of the largest size may be there at a time: on their way, or with a caller who
waits for the answer. Thousands may wait for the same one."""
FREE_BYTES = 64 * 1024
"""The beginning of each body that is not counted: prompts of usual length are never refused."""
DISCARD_BYTES = 16 * 1024 * 1024
DISCARD_S = 5.0
DISCARD_IDLE_S = 0.5


class BodyLimit:
    """The limits of one server: `most` bytes a body, and `room` for all that are not answered."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.room = UNANSWERED_BODIES * most


class LimitedBody:
    """One request's body, counted as it arrives, until `release`: a chunked one declares no length.

    As a `Receive` it raises HttpError for a body that is too large, and Busy where there is no
    room beside the others.
    """

    def __init__(self, receive: Receive, limit: BodyLimit) -> None:
        self._receive = receive
        self._limit = limit
        self._seen = 0
        self._counted = 0
        self.refused = False
        """Whether the caller goes on sending what nobody takes."""

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._count(len(message.get("body", b"")), bool(message.get("more_body")))
        return message

    def check_length(self, declared: str) -> None:
        """Raises HttpError for a Content-Length that is too large."""
        if declared.isdigit() and int(declared[:20]) > self._limit.most:
            self.refused = True
            raise self._too_large()

    def release(self) -> None:
        """Gives back its room: it is answered, or nobody waits for that any more."""
        self._limit.room += self._counted
        self._counted = 0

    def answering(self, send: Send) -> Send:
        """A `Send` that answers a caller in the middle of a refused body at once, and then takes
        what it is still sending, within bounds: a connection that is closed on it is reset, and it
        never reads why."""

        async def answer(message: Message) -> None:
            over = message["type"] == "http.response.body" and not message.get("more_body")
            if not (over and self.refused):
                await send(message)
                return
            await send({**message, "more_body": True})
            await self._discard()
            await send({"type": "http.response.body", "body": b""})

        return answer

    def _count(self, size: int, more: bool) -> None:
        self._seen += size
        if self._seen > self._limit.most:
            self.refused = more
            raise self._too_large()
        counted = max(0, self._seen - FREE_BYTES) - self._counted
        if counted > self._limit.room:
            raise Busy("Too many large requests are in progress. Try again in a moment.")
        self._limit.room -= counted
        self._counted += counted

    def _too_large(self) -> HttpError:
        return HttpError(
            "payload_too_large",
            f"The body is larger than {self._limit.most} bytes (MAX_BODY_BYTES).",
            {"Connection": "close"},
        )

    async def _discard(self) -> None:
        seen = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(DISCARD_S):
                while seen < DISCARD_BYTES:
                    async with asyncio.timeout(DISCARD_IDLE_S):
                        message = await self._receive()
                    seen += len(message.get("body", b""))
                    if not message.get("more_body"):
                        return
