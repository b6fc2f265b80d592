"""How a worker process gets its work and reports on it (retrieval/sources/worker_process.py)."""

import contextlib
import json
import os
import resource
import sys
from typing import Any

MEMORY = 4 << 30  # bytes
CPU_S = 1_200


class Report:
    """Lines of JSON on the pipe whose number is the last word of the command."""

    def __init__(self, descriptor: int) -> None:
        self._file = os.fdopen(descriptor, "w", encoding="ascii")

    def tell(self, **line: Any) -> None:
        print(json.dumps(line), file=self._file, flush=True)

    def failed(self, part: str, error: Exception) -> None:
        """What could not be read at all may be read another time."""
        why = f"{type(error).__name__}: {error}"[:300]
        self.tell(**{"left" if isinstance(error, OSError) else "failed": part}, why=why)

    def close(self) -> None:
        self._file.close()


def work_of() -> tuple[dict[str, Any], Report]:
    """The work on stdin, and the report; takes on limits of memory and time."""
    work: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    for what, value in (
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_CPU, CPU_S),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (value if hard < 0 else min(value, hard), hard))
    return work, Report(int(sys.argv[-1]))
