"""What became of a program in the sandbox."""

from dataclasses import dataclass
from typing import Literal

Ending = Literal["exited", "signal", "timeout", "cpu", "memory", "output"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended and what it said. Nothing of it is proof of anything: the program wrote
    every byte, and chose its exit status.

    `exit` is the exit status, 128 + n after signal n; None when it was ended for a limit.
    `ended` tells which: `timeout` (wall clock), `cpu`, `memory` (all its processes together),
    `output` (it flooded, or on macOS filled its directory). `stdout` and `stderr` are cut at
    `Limits.output_bytes`, with a mark. `report` is what came on the report channel.
    `peak_memory_mb` is None where the program ended before anybody looked.
    """

    exit: int | None
    ended: Ending
    stdout: str
    stderr: str
    report: bytes
    duration_s: float
    peak_memory_mb: float | None
