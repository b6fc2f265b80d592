"""A queue of runs: a bounded number at a time, with an estimate of the wait."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.run import Run

MAX_OVERTAKEN = 4  # times that a waiting run lets others go first, so that nobody starves
PACE_WEIGHT = 0.3  # of the newest run in the mean duration of its mode


@dataclass(slots=True)
class _Waiting:
    run: Run
    turn: asyncio.Future[None]
    overtaken: int = 0


class Queue:
    """First come, first served, except that a run whose first model is loaded goes before one that
    would have another model loaded: a load takes longer than most answers."""

    def __init__(self, limit: Callable[[], int], is_loaded: Callable[[Run], bool]) -> None:
        self._limit = limit
        self._is_loaded = is_loaded
        self._running: dict[str, Run] = {}
        self._waiting: list[_Waiting] = []
        self._pace: dict[str, float] = {}  # seconds by mode

    async def turn(self, run: Run) -> None:
        """Waits until the run may start; `leave` has to follow. A run that is cancelled while it
        waits has left."""
        entry = _Waiting(run, asyncio.get_running_loop().create_future())
        self._waiting.append(entry)
        self._admit()  # also those that wait: the limit may have grown
        if entry.turn.done():
            return
        run.emit("queued", position=len(self._waiting), wait_s=self.wait_s(run))
        try:
            await entry.turn
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
            elif not entry.turn.cancelled():  # its turn had come in the same moment
                self.leave(run)
            raise

    def leave(self, run: Run) -> None:
        """The run is over: the next one starts."""
        if self._running.pop(run.id, None) and run.state == "running":
            self._learn(run)
        self._admit()

    def _admit(self) -> None:
        """Starts as many as may run now."""
        while self._waiting and len(self._running) < self._limit():
            entry = self._next()
            if not entry.turn.done():  # one that is being cancelled is
                self._running[entry.run.id] = entry.run
                entry.turn.set_result(None)

    def position(self, run: Run) -> int | None:
        """1 for the run that is next if nobody overtakes it; None for one that does not wait."""
        order = [entry.run.id for entry in self._waiting]
        return order.index(run.id) + 1 if run.id in order else None

    def wait_s(self, run: Run) -> float | None:
        """About how long a waiting run still has to wait, in seconds, from how long runs of the
        same modes took; None for one that does not wait, or as long as nothing is known."""
        position = self.position(run)
        if position is None or not self._pace:
            return None
        ahead = sum(self._expected(entry.run) for entry in self._waiting[: position - 1])
        left = (self._expected(each) - each.duration_ms / 1000 for each in self._running.values())
        return round((ahead + sum(max(seconds, 0.0) for seconds in left)) / self._limit(), 1)

    def retry_after_s(self) -> int:
        """When a caller that was refused may try again: about when the next run ends, in whole
        seconds."""
        left = [self._expected(run) - run.duration_ms / 1000 for run in self._running.values()]
        return max(1, math.ceil(min(left, default=0.0)))

    def __len__(self) -> int:
        return len(self._waiting)

    def _next(self) -> _Waiting:
        """The first one whose model is loaded, if those before it can wait a little longer."""
        chosen = 0
        if self._waiting[0].overtaken < MAX_OVERTAKEN:
            ready = (n for n, entry in enumerate(self._waiting) if self._is_loaded(entry.run))
            chosen = next(ready, 0)
        for entry in self._waiting[:chosen]:
            entry.overtaken += 1
        return self._waiting.pop(chosen)

    def _learn(self, run: Run) -> None:
        seconds = run.duration_ms / 1000
        before = self._pace.get(run.mode.name, seconds)
        self._pace[run.mode.name] = before + PACE_WEIGHT * (seconds - before)

    def _expected(self, run: Run) -> float:
        mean = sum(self._pace.values()) / len(self._pace) if self._pace else 0.0
        return self._pace.get(run.mode.name, mean)
