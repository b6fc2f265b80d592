"""Measure from outside the memory of all processes in a sandbox together, and the processor time
of each: RLIMIT_CPU asks a process to end (SIGXCPU), which Go's runtime leaves unheard.

RLIMIT_DATA bounds each process, and only the private memory that it may write at the moment; this
bounds their sum, with shared memory, what was swapped out, and what the kernel keeps for them: page
tables, the names of files (tmpfs has a limit on bytes alone), and what waits in TCP connections
(megabytes in each; other sockets and pipes have small bounds). It is a look every few milliseconds:
a program may be over the limit for that long.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.outcome import Ending

_NAME_BYTES = 1024  # an inode of tmpfs and its entry, roughly
_PROC = Path("/proc")
_HEARD_S = 0.2  # in which what hears SIGXCPU has ended, and nothing else with it
_TICKS = os.sysconf("SC_CLK_TCK")  # in a second
_FIRST = "1"  # the sandbox's first process is bwrap's own


class MemoryWatch:
    """`peak_mb` is the most that was seen; None before the first look."""

    def __init__(self, first: int, limit_mb: int, cpu_s: float) -> None:
        """`first` is the process id of the sandbox's first process; `cpu_s` a process may have."""
        self._root = _PROC / str(first) / "root"
        self._net = _PROC / str(first) / "net"
        self._limit_mb, self._cpu_s = limit_mb, cpu_s
        self.peak_mb: float | None = None

    def look(self) -> Ending | None:
        """The limit that is exceeded, if one is. Raises SandboxUnavailable where the system does
        not let the processes be looked at."""
        try:
            processes = list(self._processes())
        except PermissionError as error:
            raise SandboxUnavailable(f"A program's memory cannot be watched: {error}.") from error
        used = sum(_bytes(status, "VmRSS", "VmSwap") for _, status in processes) / 1e6
        if used > self._limit_mb and len(processes) > 1:
            # Pages that several processes share count once (slower to find out).
            used = sum(_proportional(*process) for process in processes) / 1e6
        tables = sum(_bytes(status, "VmPTE") for _, status in processes)
        used += (tables + self._names() * _NAME_BYTES + self._queued()) / 1e6
        self.peak_mb = max(self.peak_mb or 0.0, used)
        if used > self._limit_mb:
            return "memory"
        most = self._cpu_s + _HEARD_S
        return "cpu" if any(_processor_s(path) > most for path, _ in processes) else None

    def _names(self) -> int:
        """How many files there are in the sandbox's own file systems."""
        found = 0
        for place in ("tmp", "dev/shm"):
            with suppress(OSError):
                found += _inodes(self._root / place, Path("/") / place)
        return found

    def _queued(self) -> int:
        """Bytes that were sent within the sandbox by TCP and not yet read. Connections are listed
        only where there are some: for a list the kernel goes through those of the whole machine,
        which takes milliseconds, many times what all else of a look does."""
        found = 0
        for counts, table in (("sockstat", "tcp"), ("sockstat6", "tcp6")):
            with suppress(OSError):
                if _has_connections(self._net / counts):
                    found += _waiting(self._net / table)
        return found

    def _processes(self) -> Iterator[tuple[Path, dict[str, str]]]:
        """The sandbox's processes, with what the kernel says of each. They are those of its own
        /proc: that a process was started by another of them cannot be told once that one ended."""
        proc = self._root / "proc"
        with suppress(FileNotFoundError, ProcessLookupError):  # not built yet, or gone
            if proc.stat().st_dev == _PROC.stat().st_dev:  # still the one outside
                return
            for name in os.listdir(proc):  # noqa: PTH208
                if name.isdigit() and name != _FIRST:
                    with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
                        yield proc / name, _status(proc / name)


def _has_connections(counts: Path) -> bool:
    """Whether any socket of TCP is in use: also one that nobody holds any more, while data waits in
    it. True where that is not told."""
    told = re.search(r"^TCP6?: inuse (\d+)", counts.read_text("ascii"), re.MULTILINE)
    return told is None or told[1] != "0"


def _waiting(table: Path) -> int:
    """The sum of the queues in a table of connections (proc_net_tcp.txt of the kernel)."""
    rows = table.read_text("ascii").splitlines()[1:]
    return sum(int(size, 16) for row in rows for size in row.split()[4].split(":"))


def _inodes(inside: Path, outside: Path) -> int:
    """How many; none while bwrap still builds, and its root is the one outside."""
    descriptor = os.open(inside, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if os.fstat(descriptor).st_dev == outside.stat().st_dev:
            return 0
        system = os.fstatvfs(descriptor)
        return system.f_files - system.f_ffree
    finally:
        os.close(descriptor)


def _processor_s(process: Path) -> float:
    """What all its threads have had."""
    try:
        _, _, fields = (process / "stat").read_text("utf-8", "replace").rpartition(") ")
    except OSError:  # it has ended
        return 0
    user, system = fields.split()[11:13]
    return (int(user) + int(system)) / _TICKS


def _status(process: Path) -> dict[str, str]:
    return _fields((process / "status").read_text("utf-8", "replace"))


def _fields(text: str) -> dict[str, str]:
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _bytes(fields: dict[str, str], *names: str) -> int:
    """The sum of some of the fields; one that has ended has none of them."""
    return sum(int(fields.get(name, "0 kB").split()[0]) for name in names) * 1024


def _proportional(process: Path, status: dict[str, str]) -> int:
    """Shared pages divided by their sharers; all of them where the kernel does not tell."""
    try:
        fields = _fields((process / "smaps_rollup").read_text("ascii"))
    except PermissionError:
        return _bytes(status, "VmRSS", "VmSwap")
    except OSError:  # it has ended
        return 0
    return _bytes(fields, "Pss", "SwapPss")
