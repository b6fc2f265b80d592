"""One process, looked at from outside: macOS has no limit on a process's memory that could be
trusted (RLIMIT_AS and RLIMIT_DATA bound addresses, of which every process has gigabytes), and none
on a directory's size."""

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor

import psutil

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Ending
from pipeline.sandbox.workdir import Workdir

_FIRST_LOOK_S, _LOOK_S = 0.005, 0.01
_SHARE = 4  # so many times what a look takes is waited until the next
# Of its own, because a look must not wait until other work of the daemon's is done.
_LOOKING = ThreadPoolExecutor(os.cpu_count(), "sandbox-watch")


class ProcessMemoryWatch:
    """`peak_mb` is the most resident memory that was seen; None before the first look."""

    def __init__(self, pid: int, place: Workdir, limits: Limits) -> None:
        self._pid, self._place, self._limits = pid, place, limits
        self.peak_mb: float | None = None

    async def exceeded(self) -> Ending:
        """Returns when a limit is exceeded: which. Never, if none is. Raises SandboxUnavailable
        where the system does not let the process be watched."""
        loop, wait_s = asyncio.get_running_loop(), _FIRST_LOOK_S
        while True:
            await asyncio.sleep(wait_s)
            begun = time.monotonic()
            if ended := await loop.run_in_executor(_LOOKING, self._look):
                return ended
            wait_s = max(_LOOK_S, _SHARE * (time.monotonic() - begun))

    def _look(self) -> Ending | None:
        try:
            process = psutil.Process(self._pid)
            with process.oneshot():
                memory_mb = process.memory_info().rss / 1e6
                times = process.cpu_times()
        except psutil.NoSuchProcess:  # it has ended
            return None
        except psutil.AccessDenied as error:
            raise SandboxUnavailable(f"A program's memory cannot be watched: {error}.") from error
        self.peak_mb = max(self.peak_mb or 0.0, memory_mb)
        if memory_mb > self._limits.memory_mb:
            return "memory"
        if times.user + times.system > self._limits.cpu_s:
            return "cpu"
        return "output" if self._place.exceeds(self._limits.files_mb * 1_000_000) else None
