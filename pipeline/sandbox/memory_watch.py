"""The memory of all processes in a sandbox together, looked at from outside.

RLIMIT_DATA bounds each process, and only its private memory; this bounds their sum, with shared
memory and what the kernel keeps: the names of files (tmpfs has a limit on bytes alone), and what
waits in TCP connections (megabytes in each; other sockets and pipes have small bounds). It is
a look every few milliseconds: a program may be over the limit for that long.
"""

import asyncio
import os
from contextlib import suppress
from pathlib import Path

_FIRST_LOOK_S, _LOOK_S = 0.005, 0.025
_NAME_BYTES = 1024  # an inode of tmpfs and its entry, roughly
_PROC = Path("/proc")


class MemoryWatch:
    """`peak_mb` is the most that was seen; None before the first look."""

    def __init__(self, first: int) -> None:
        """`first` is the process id of the sandbox's first process."""
        self._first = first
        # What ran before is no process of this sandbox; what ends is forgotten, because its
        # number may come again.
        self._others = _numbers() - {first}
        self.peak_mb: float | None = None

    async def exceeds(self, limit_mb: int) -> None:
        """Returns when the processes together have more than the limit."""
        await asyncio.sleep(_FIRST_LOOK_S)
        while self._used_mb(limit_mb) <= limit_mb:  # noqa: ASYNC110  (nobody could set an event)
            await asyncio.sleep(_LOOK_S)

    def _used_mb(self, limit_mb: int) -> float:
        processes = self._processes()
        used = sum(resident for _, resident in processes) / 1e6
        if used > limit_mb and len(processes) > 2:
            # Pages that several processes share count once (slower to find out).
            used = sum(_proportional(pid, resident) for pid, resident in processes) / 1e6
        used += (self._names() * _NAME_BYTES + self._queued()) / 1e6
        self.peak_mb = max(self.peak_mb or 0.0, used)
        return used

    def _names(self) -> int:
        """How many files there are in the sandbox's own file systems."""
        found = 0
        for place in ("tmp", "dev/shm"):
            with suppress(OSError):
                found += _inodes(_PROC / str(self._first) / "root" / place, Path("/") / place)
        return found

    def _queued(self) -> int:
        """Bytes that were sent within the sandbox by TCP and not yet read."""
        found = 0
        for table in ("tcp", "tcp6"):
            with suppress(OSError):
                found += _waiting(_PROC / str(self._first) / "net" / table)
        return found

    def _processes(self) -> list[tuple[int, int]]:
        """The sandbox's processes but the first, which is bwrap's, with their resident bytes."""
        running = _numbers()
        self._others &= running
        found = {pid: status for pid in running - self._others if (status := _status(pid))}
        inside = {self._first}
        while more := {pid for pid, (of, _) in found.items() if of in inside} - inside:
            inside |= more
        self._others |= running - inside
        return [(pid, found[pid][1]) for pid in inside if pid != self._first and pid in found]


def _waiting(table: Path) -> int:
    """The sum of the queues in a table of connections (proc_net_tcp.txt of the kernel)."""
    rows = table.read_text("ascii").splitlines()[1:]
    return sum(int(size, 16) for row in rows for size in row.split()[4].split(":"))


def _inodes(inside: Path, outside: Path) -> int:
    """None while bwrap still builds, and its root is the one outside."""
    descriptor = os.open(inside, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if os.fstat(descriptor).st_dev == outside.stat().st_dev:
            return 0
        system = os.fstatvfs(descriptor)
        return system.f_files - system.f_ffree
    finally:
        os.close(descriptor)


def _numbers() -> set[int]:
    return {int(name) for name in os.listdir(_PROC) if name.isdigit()}  # noqa: PTH208


def _status(pid: int) -> tuple[int, int] | None:
    """A process's parent and its resident bytes; None when it has ended."""
    try:
        text = (_PROC / str(pid) / "status").read_text("utf-8", "replace")
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    return int(fields["PPid"]), int(fields.get("VmRSS", "0 kB").split()[0]) * 1024


def _proportional(pid: int, resident: int) -> int:
    """Shared pages divided by their sharers; all of them where the kernel does not tell."""
    try:
        text = (_PROC / str(pid) / "smaps_rollup").read_text("ascii")
    except PermissionError:
        return resident
    except OSError:  # it has ended
        return 0
    sizes = [line.split()[1] for line in text.splitlines() if line.startswith("Pss:")]
    return int(sizes[0]) * 1024 if sizes else 0
