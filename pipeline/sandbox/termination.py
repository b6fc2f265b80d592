"""How a sandboxed program ended, in the same terms on every system."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from pipeline.sandbox.outcome import Ending, Outcome
from pipeline.sandbox.pipes import Pipes

_SIGXCPU, _SIGNALS = 128 + 24, range(129, 193)


class Termination:
    """The end of one program, told by whoever sees it first."""

    def __init__(self) -> None:
        self._told: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()

    def tell(self, ended: Ending) -> None:
        if not self._told.done():
            self._told.set_result(ended)

    def fail(self, error: BaseException) -> None:
        if not self._told.done():
            self._told.set_exception(error)

    async def within(self, wall_s: float) -> tuple[Ending, float]:
        """How it ended, and after how many seconds; when the time is up, that is the end."""
        begun = time.monotonic()
        ended: Ending = "timeout"
        with suppress(TimeoutError):
            async with asyncio.timeout(wall_s):
                ended = await self._told
        return ended, time.monotonic() - begun


def outcome_of(
    ended: Ending, status: int | None, pipes: Pipes, duration_s: float, peak_mb: float | None
) -> Outcome:
    """What became of the program. `status`, with 128 + n for signal n, counts where it `exited`."""
    if ended == "exited" and status is not None:
        ended = _by_status(status)
    return Outcome(
        exit=status if ended in ("exited", "signal") else None,
        ended=ended,
        stdout=pipes.stdout.text(),
        stderr=pipes.stderr.text(),
        report=pipes.report.data,
        duration_s=duration_s,
        peak_memory_mb=peak_mb,
    )


def _by_status(status: int) -> Ending:
    if status not in _SIGNALS:
        return "exited"
    return "cpu" if status == _SIGXCPU else "signal"


async def to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Carries out work that no cancellation may interrupt; the cancellation comes afterwards."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        raise cancelled
    task.result()
