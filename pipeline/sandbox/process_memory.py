"""One process, looked at from outside: macOS has no limit on a process's memory that could be
trusted (RLIMIT_AS and RLIMIT_DATA bound addresses, of which every process has gigabytes), and none
on a directory's size."""

import psutil

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Ending
from pipeline.sandbox.workdir import Workdir


class ProcessMemoryWatch:
    """`peak_mb` is the most resident memory that was seen; None before the first look."""

    def __init__(self, pid: int, place: Workdir, limits: Limits) -> None:
        self._pid, self._place, self._limits = pid, place, limits
        self.peak_mb: float | None = None

    def look(self) -> Ending | None:
        """The limit that is exceeded, if one is. Raises SandboxUnavailable where the system does
        not let the process be watched."""
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
