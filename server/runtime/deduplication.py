"""Identical requests share one run.

SDKs repeat a request after a time-out or a lost connection. The repetition joins the run that is
under way; when its last caller has gone, the run lingers for JOIN_LINGER_S before it is cancelled.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b

from pipeline.errors import Cancelled
from pipeline.request import Request
from pipeline.run import Run
from pipeline.scheduler import Scheduler


@dataclass(slots=True)
class SharedRun:
    """A run and those who wait for it. `delivered` is set when the whole answer has been handed
    over to one of them."""

    run: Run
    delivered: bool = False
    callers: int = 0
    timer: asyncio.TimerHandle | None = None

    @property
    def joinable(self) -> bool:
        """Once it is over and somebody has it, the same request is a new one; so it is where
        somebody has stopped it, which was said of the request before."""
        stopped = isinstance(self.run.error, Cancelled)
        return not (self.run.state == "done" and (self.delivered or stopped))


class Deduplicator:
    """The shared runs of a process."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._shared: dict[bytes, SharedRun] = {}

    @contextmanager
    def share(self, marks: Sequence[bytes], request: Request) -> Iterator[SharedRun]:
        """A share in the run of this request; `marks` (address, credentials, path, body) tell
        whether two requests are the same one. Raises what `Scheduler.submit` raises."""
        key = _key(marks)
        shared = self._shared.get(key)
        if shared is None or not shared.joinable:
            shared = self._shared[key] = SharedRun(self._scheduler.submit(request))
        shared.callers += 1
        if shared.timer:
            shared.timer.cancel()
            shared.timer = None
        try:
            yield shared
        finally:
            shared.callers -= 1
            if not shared.callers:
                self._leave_alone(key, shared)

    def _leave_alone(self, key: bytes, shared: SharedRun) -> None:
        if not shared.joinable:
            self._drop(key, shared)
            return
        linger_s = self._scheduler.settings.JOIN_LINGER_S
        loop = asyncio.get_running_loop()
        shared.timer = loop.call_later(linger_s, self._give_up, key, shared)

    def _give_up(self, key: bytes, shared: SharedRun) -> None:
        self._drop(key, shared)
        if shared.run.state != "done":
            self._scheduler.cancel(shared.run.id)

    def _drop(self, key: bytes, shared: SharedRun) -> None:
        if self._shared.get(key) is shared:
            del self._shared[key]


def _key(marks: Sequence[bytes]) -> bytes:
    digest = blake2b(digest_size=32)
    for mark in marks:
        digest.update(len(mark).to_bytes(8) + mark)
    return digest.digest()
