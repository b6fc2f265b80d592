"""Server-sent events: a run's, and those in which a protocol tells its answer."""

from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response

from pipeline.events import Event
from server.http.json_response import dumps

EVENT_STREAM = "text/event-stream"
PING_S = 10
STOP_S = 10
"""So long a stream goes on when the daemon is told to stop: its run is over by then (`daemon.py`).
Without it the library ends the stream at once, and the run with it."""


def event(kind: str, **fields: Any) -> bytes:
    """An event that has its name in its data, too."""
    return b"event: " + kind.encode() + b"\ndata: " + dumps({"type": kind, **fields}) + b"\n\n"


def event_stream(events: AsyncIterator[Event]) -> Response:
    """Each event under its name, with a JSON object as its data."""
    from sse_starlette import EventSourceResponse  # a megabyte, for those who watch

    return EventSourceResponse(_sse(events), ping=PING_S, shutdown_grace_period=STOP_S)


async def _sse(events: AsyncIterator[Event]) -> AsyncIterator[dict[str, str]]:
    async for event in events:
        yield {"event": event["event"], "data": dumps(event).decode()}
