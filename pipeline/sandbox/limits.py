"""The resource limits of a sandboxed program."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from config import Settings

_CALLS_CPU_S = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, megabytes (10⁶ bytes), counts and bytes, as the settings of these names say; and the
    virtual environment with the packages that a Python program may import, None for none."""

    wall_s: float
    cpu_s: int
    memory_mb: int
    processes: int
    output_bytes: int
    files_mb: int
    report_bytes: int = 1 << 20  # of what it writes to its report: more ends it
    venv: Path | None = None

    @classmethod
    def of(cls, settings: "Settings") -> "Limits":
        return cls(
            wall_s=settings.SANDBOX_WALL_S,
            cpu_s=settings.SANDBOX_CPU_S,
            memory_mb=settings.SANDBOX_MEMORY_MB,
            processes=settings.SANDBOX_PROCESSES,
            output_bytes=settings.SANDBOX_OUTPUT_BYTES,
            files_mb=settings.SANDBOX_FILES_MB,
            venv=settings.SANDBOX_VENV,
        )

    @classmethod
    def of_calls(cls, settings: "Settings") -> "Limits":
        """Of a draft that is called twenty times to see what it does: usual ones take a hundredth
        of this, and one that never ends is found out sooner."""
        limits = cls.of(settings)
        return replace(limits, cpu_s=min(_CALLS_CPU_S, limits.cpu_s))
