"""What happens in a run, for those who watch it: streaming callers, `ps`, the dashboard."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import Delta
from pipeline.tool_calls import CallPiece

Event = dict[str, Any]


@dataclass(slots=True)
class _Text:
    """What a stage has written so far: in one piece, because a piece a token costs ten times its
    size."""

    stage: str
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[CallPiece] = field(default_factory=list)
    logprobs: list[Mapping[str, Any]] = field(default_factory=list)

    def event(self) -> Event:
        said = Delta("".join(self.text), "".join(self.thinking), self.calls, self.logprobs)
        return _delta(self.stage, said)


def _delta(stage: str, delta: Delta) -> Event:
    event = {"event": "delta", "stage": stage, "text": delta.text, "thinking": delta.thinking}
    more = {"calls": tuple(delta.calls), "logprobs": tuple(delta.logprobs)}
    return event | {name: values for name, values in more.items() if values}


class Events:
    """A run's events. Who comes late gets what has happened so far first.

    `keep_text`: that holds for the models' text as well, which is otherwise not kept."""

    def __init__(self, *, keep_text: bool = False) -> None:
        self._keep_text = keep_text
        self._past: list[Event | _Text] = []
        self._listeners: dict[asyncio.Queue[Event | None], bool] = {}
        self._over = False

    def emit(self, event: Event) -> None:
        self._past.append(event)
        for listener in self._listeners:
            listener.put_nowait(event)

    def emit_text(self, stage: str, delta: Delta) -> None:
        """Text as it arrives goes to those alone who asked for it."""
        event = _delta(stage, delta)
        if self._keep_text:
            self._keep(stage, delta)
        for listener, wants_text in self._listeners.items():
            if wants_text:
                listener.put_nowait(event)

    def _keep(self, stage: str, delta: Delta) -> None:
        last = self._past[-1] if self._past else None
        if not isinstance(last, _Text) or last.stage != stage:
            last = _Text(stage)
            self._past.append(last)
        last.text.append(delta.text)
        last.thinking.append(delta.thinking)
        last.calls.extend(delta.calls)
        last.logprobs.extend(delta.logprobs)

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
            if not isinstance(past, _Text):
                listener.put_nowait(past)
            elif text:
                listener.put_nowait(past.event())
        if self._over:
            listener.put_nowait(None)
        self._listeners[listener] = text
        try:
            while (event := await listener.get()) is not None:
                yield event
        finally:
            del self._listeners[listener]
