"""Report a run's progress to the client while it waits."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

from laios import AsyncClient, types
from laios.errors import DaemonUnreachable
from server.runtime.stage_labels import stage_label

BEAT_S = 5.0  # many clients give up after a minute without a word

Report = Callable[[float, str], Awaitable[None]]
"""Gets a number that grows, and a word for people."""


class Progress:
    """The stages of one call. A stage that takes long is told again."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told = 0
        self._stage = "waiting for its turn"
        self._since = time.monotonic()

    async def show(self, event: types.RunEvent) -> None:
        """An event of the run."""
        if event.event == "step" and event.state == "started":
            await self.stage(stage_label(event.model_dump()))

    async def stage(self, label: str) -> None:
        """What begins now."""
        self._stage, self._since = label, time.monotonic()
        await self._tell(label)

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """While this lasts the client hears something every few seconds."""
        task = asyncio.create_task(self._beat())
        try:
            yield
        finally:
            task.cancel()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            await self._tell(f"{self._stage}, {time.monotonic() - self._since:.0f} s")

    async def _tell(self, message: str) -> None:
        self._told += 1
        await self._report(float(self._told), message)


async def run(laios: AsyncClient, progress: Progress, prompt: str, **options: Any) -> types.Answer:
    """Runs a prompt in which no tag counts, telling its stages. Who is cancelled here cancels the
    run. Raises LaiosError."""
    stream = laios.stream(prompt, literal=True, **options)
    async with progress.beating(), aclosing(stream) as events:  # type: ignore[type-var]
        async for event in events:
            if isinstance(event, types.Answer):
                return event
            await progress.show(event)
    raise DaemonUnreachable("The daemon went away before its answer. See: laios status")
