"""Runs code against a family's checks in a process of its own, each job under a limit of CPU time.

`python execute.py` is that process: jobs on standard input, verdicts on standard output, both as
Python literals.
"""

import ast
import contextlib
import copy
import io
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

JOB_CPU_SECONDS = 0.03
ALL_SECONDS = 300
MEMORY_BYTES = 1 << 27

Checks = tuple[tuple[tuple[Any, ...], Any], ...]
Job = tuple[str, str, Checks]  # code, function's name, checks


def passes(jobs: Iterable[Job]) -> list[bool]:
    """Whether each code defines the function and every check holds (value and type)."""
    done = subprocess.run(
        [sys.executable, "-I", str(Path(__file__))],
        input=repr(list(jobs)),
        capture_output=True,
        text=True,
        check=True,
        timeout=ALL_SECONDS,
    )
    verdicts: list[bool] = ast.literal_eval(done.stdout)
    return verdicts


def _passes(code: str, name: str, checks: Checks) -> bool:
    space: dict[str, Any] = {}
    exec(code, space)
    function: Callable[..., Any] = space[name]
    checks = copy.deepcopy(checks)  # the code may fill its arguments until the memory is full
    # repr tells True from 1 and a list from a tuple
    return all(repr(function(*args)) == repr(expected) for args, expected in checks)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_VIRTUAL, JOB_CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _guarded(job: Job) -> bool:
    """The alarm may go off while another exception is on its way: it is caught out here."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), _limited():
            return _passes(*job)
    except (Exception, SystemExit):
        return False


def _expire(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError


def main() -> None:
    """Answer the jobs on standard input."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGVTALRM, _expire)
    print([_guarded(job) for job in ast.literal_eval(sys.stdin.read())])


if __name__ == "__main__":
    main()
