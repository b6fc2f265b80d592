"""A control group for one sandbox: a bound on memory and processes that the kernel itself holds,
its own memory for the sandbox (pipes, sockets, names of files) included.

Only with cgroup v2, and where this user owns the group above the one that laios runs in: as a
service of systemd's with `Delegate=`, or as any unit of a user's own manager. Elsewhere the limits
of each process and the look at their sum (memory_watch.py) have to do.

Format: kernel.org, admin-guide/cgroup-v2.
"""

import itertools
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.sandbox.limits import Limits

_ROOT = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")
_CONTROLLERS = {"memory", "pids"}
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class MemoryUsage:
    """Whether the kernel ended a program for its memory, and the most that it had, its files
    included; None where nobody counted."""

    ran_out: bool = False
    peak_mb: float | None = None


class Cgroup:
    """Made before the program starts, removed after its last process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def make(cls, limits: Limits, pid: int) -> "Cgroup | None":
        """A group with a process in it and all that it will start; None where there can be none."""
        above = parent_group()
        if above is None:
            return None
        group = cls(above / f"laios-sandbox-{os.getpid()}-{next(_numbers)}")
        try:
            group._path.mkdir()
            group._write("memory.max", (limits.memory_mb + limits.files_mb) * 1_000_000)
            group._write("memory.oom.group", 1)
            group._write("pids.max", limits.processes + 1)  # bwrap's own is one
            with suppress(FileNotFoundError):  # a kernel without swap
                group._write("memory.swap.max", 0)
            group._write("cgroup.procs", pid)
        except OSError:
            group.remove()
            return None
        return group

    def remove(self) -> MemoryUsage:
        """Removes the group, in which no process is left."""
        usage = MemoryUsage(self._events().get("oom_kill", 0) > 0, self._peak_mb())
        with suppress(OSError):
            self._path.rmdir()
        return usage

    def _events(self) -> dict[str, int]:
        try:
            lines = (self._path / "memory.events").read_text("ascii").splitlines()
        except OSError:
            return {}
        return {name: int(count) for name, count in map(str.split, lines)}

    def _peak_mb(self) -> float | None:
        try:
            return int((self._path / "memory.peak").read_text("ascii")) / 1e6
        except OSError:  # before Linux 5.19
            return None

    def _write(self, name: str, value: int) -> None:
        (self._path / name).write_text(str(value), "ascii")


def parent_group() -> Path | None:
    """The group above laios's own, where groups for sandboxes can be made; None if they cannot."""
    try:
        return _found_parent()
    except (OSError, ValueError):  # perhaps for want of a descriptor: asked again next time
        return None


@cache
def _found_parent() -> Path | None:
    (own,) = (line[3:] for line in _OWN.read_text("utf-8").splitlines() if line[:3] == "0::")
    above = (_ROOT / own.strip("/")).parent
    control = above / "cgroup.subtree_control"
    if not above.is_relative_to(_ROOT) or not os.access(above / "cgroup.procs", os.W_OK):
        return None
    if not set(control.read_text("ascii").split()) >= _CONTROLLERS:
        control.write_text(" ".join(f"+{name}" for name in sorted(_CONTROLLERS)), "ascii")
    return above if os.access(above, os.W_OK) else None
