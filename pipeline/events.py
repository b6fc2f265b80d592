"""What happens in a run, for those who watch it: streaming callers, `ps`, the dashboard."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from pipeline.models.base import Delta

Event = dict[str, Any]


class Events:
    """A run's events. Who comes late gets what has happened so far first.

    `keep_text`: that holds for the models' text as well, which is otherwise not kept."""

    def __init__(self, *, keep_text: bool = False) -> None:
        self._keep_text = keep_text
        self._past: list[Event] = []
        self._listeners: dict[asyncio.Queue[Event | None], bool] = {}
        self._over = False

    def emit(self, event: Event) -> None:
        self._past.append(event)
        for listener in self._listeners:
            listener.put_nowait(event)

    def emit_text(self, stage: str, delta: Delta) -> None:
        """Text as it arrives goes to those alone who asked for it."""
        event = {"event": "delta", "stage": stage, "text": delta.text, "thinking": delta.thinking}
        if self._keep_text:
            self._past.append(event)
        for listener, wants_text in self._listeners.items():
            if wants_text:
                listener.put_nowait(event)

    def end(self) -> None:
        """Nothing more will happen."""
        self._over = True
        for listener in self._listeners:
            listener.put_nowait(None)

    async def listen(self, *, text: bool) -> AsyncGenerator[Event, None]:
        """All events until the end; with `text` also the models' text, from now on unless it is
        kept."""
        listener: asyncio.Queue[Event | None] = asyncio.Queue()
        for past in self._past:
            if text or past["event"] != "delta":
                listener.put_nowait(past)
        if self._over:
            listener.put_nowait(None)
        self._listeners[listener] = text
        try:
            while (event := await listener.get()) is not None:
                yield event
        finally:
            del self._listeners[listener]
