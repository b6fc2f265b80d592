"""The outcome of a program in the sandbox."""

import re
from dataclasses import dataclass
from typing import Literal

Ending = Literal["exited", "signal", "timeout", "cpu", "memory", "output"]
_RAISED = re.compile(r"^\w{0,60}Error\b.*", re.MULTILINE)
_READ = 4_000  # characters of what Node says
_SHOWN = 300  # characters of a program's last words


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

    @property
    def duration_ms(self) -> float:
        return round(self.duration_s * 1000, 1)

    @property
    def last_words(self) -> str:
        """The last line on stderr, of Node the one that says what was raised. Not all lines are
        looked at: every case of many may ask."""
        line = self.stderr.strip().rpartition("\n")[2]
        raised = _RAISED.search(self.stderr[-_READ:]) if line.startswith("Node.js v") else None
        line = raised[0] if raised else line
        return (line.splitlines() or [""])[-1][:_SHOWN]
