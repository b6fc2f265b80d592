"""What this machine has for a model: memory, cores and room."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

LOOK_S = 0.15
_CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
_CONTAINER_SHARE = Path("/sys/fs/cgroup/cpu.max")  # "QUOTA PERIOD", microseconds


def total_memory() -> int | None:
    """The memory in bytes, or a container's limit if that is less; None where the system does not
    say."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    with suppress(OSError, ValueError):  # no container, or one without a limit ("max")
        memory = min(memory, int(_CONTAINER_LIMIT.read_text()))
    return memory


def core_count() -> int:
    """Cores that this process may use: of the machine's, those that it is not kept from (taskset,
    a container's cpuset), and no more than a container's share of time is worth. Two threads on
    one core wait for each other."""
    with suppress(AttributeError):  # not Linux
        cores = len(os.sched_getaffinity(0))
        with suppress(OSError, ValueError):
            quota, period = map(int, _CONTAINER_SHARE.read_text().split())  # "max" is no number
            cores = min(cores, max(1, quota // period))
        return cores
    return os.cpu_count() or 1


def free_cores() -> int:
    """Cores that nobody else uses just now, at least one. Takes LOOK_S seconds."""
    import psutil  # the engine's process alone asks; the daemon starts without it

    busy = psutil.cpu_percent(LOOK_S) / 100
    idle = round((os.cpu_count() or 1) * (1 - busy))
    return max(1, min(core_count(), idle))


def is_idle() -> bool:
    """Whether less than half of the machine was at work in the last minute."""
    try:
        return os.getloadavg()[0] < (os.cpu_count() or 1) / 2
    except (AttributeError, OSError):  # Windows has no such figure
        return True


def free_bytes(directory: Path) -> int:
    """On a directory's disk; of one that is not there, or may not be looked at, on that above."""
    try:
        return shutil.disk_usage(directory).free
    except OSError:
        return free_bytes(directory.parent)
