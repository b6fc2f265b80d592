"""Runs code against a family's checks in a process of its own, each job under a limit of time.

`python execute.py` is that process for Python code, `execute.js` for JavaScript: jobs on standard
input, verdicts on standard output. Bash code has a process for each job.
"""

import ast
import contextlib
import copy
import fcntl
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

JOB_CPU_SECONDS = 0.03
BASH_SECONDS = 0.5
ALL_SECONDS = 600
MEMORY_BYTES = 1 << 27
SEPARATOR = "\x1e"

Checks = tuple[tuple[tuple[Any, ...], Any], ...]


class Job(NamedTuple):
    """Code to be checked: `name` is what it has to define, `driver` defines `check`, which is
    called in its place."""

    code: str
    name: str
    checks: Checks
    driver: str = ""
    language: str = "python"


def runnable(language: str) -> bool:
    """Whether this machine has what the language needs."""
    return language == "python" or shutil.which(_PROGRAMS[language]) is not None


def passes(jobs: Iterable[Job]) -> list[bool]:
    """Whether each code defines the function and every check holds (value and type).

    Raises FileNotFoundError where the language of a job has no interpreter here.
    """
    listed = list(jobs)
    verdicts = [False] * len(listed)
    for language, run in _RUNNERS.items():
        places = [place for place, job in enumerate(listed) if job.language == language]
        for patience in _PATIENCE[language]:
            if places:
                again = run([listed[place] for place in places], patience)
                for place, passed in zip(places, again, strict=True):
                    verdicts[place] = passed
            places = [place for place in places if not verdicts[place]]
    return verdicts


def _python(jobs: Sequence[Job], _patience: int) -> list[bool]:
    lines = "\n".join(repr(tuple(job)) for job in jobs)
    return [line == "True" for line in _asked([sys.executable, "-I", __file__], lines).split()]


def _javascript(jobs: Sequence[Job], patience: int) -> list[bool]:
    program = Path(__file__).with_suffix(".js")
    shown = [{"code": j.code, "name": j.name, "checks": j.checks} for j in jobs]
    command = ["node", str(program), str(patience)]
    verdicts: list[bool] = json.loads(_asked(command, json.dumps(shown)))
    return verdicts


def _asked(command: list[str], text: str) -> str:
    """In a directory of its own: code that takes any text for a path leaves its files there."""
    with tempfile.TemporaryDirectory() as directory:
        return subprocess.run(
            command,
            input=text,
            cwd=directory,
            capture_output=True,
            text=True,
            check=True,
            timeout=ALL_SECONDS,
        ).stdout


def _bash(jobs: Sequence[Job], patience: int) -> list[bool]:
    return [_bash_passes(job, patience * BASH_SECONDS) for job in jobs]


def _bash_passes(job: Job, seconds: float) -> bool:
    """All checks in one shell: what each call prints is ended by a separator."""
    calls = [
        f'"$name" {" ".join(map(_quoted, args))}; printf {SEPARATOR!r}' for args, _ in job.checks
    ]
    script = "\n".join([job.code, f"name={job.name}", *calls])
    try:
        done = subprocess.run(
            ["bash", "--norc", "-c", script],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired:
        return False
    printed = done.stdout.decode(errors="replace").split(SEPARATOR)[:-1]
    return [text.removesuffix("\n") for text in printed] == [expected for _, expected in job.checks]


def _quoted(word: str) -> str:
    return "'" + str(word).replace("'", "'\\''") + "'"


_PROGRAMS = {"javascript": "node", "bash": "bash"}
# How many times the limit each try has. Python's is one of CPU time; the others' are of wall time,
# which may pass on a busy machine without any fault of the code.
_PATIENCE = {"python": (1,), "javascript": (1, 20), "bash": (1, 10)}
_RUNNERS = {"python": _python, "javascript": _javascript, "bash": _bash}


def _passes(code: str, name: str, checks: Checks, driver: str, language: str) -> bool:
    space: dict[str, Any] = {}
    exec(code, space)
    if driver:
        if name not in space:
            return False
        exec(driver.replace("NAME", name), space)
        name = "check"
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


def _guarded(job: tuple[str, str, Checks, str, str]) -> bool:
    """The alarm may go off while another exception is on its way: it is caught out here."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), _limited():
            return _passes(*job)
    except (Exception, SystemExit):
        return False


def _expire(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError


def main() -> None:
    """Answer the jobs on standard input, one a line."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGVTALRM, _expire)
    lines = sys.stdin.readlines()
    # Out of reach of code that takes a number for a path: open(1, "w") closes standard output.
    with os.fdopen(fcntl.fcntl(1, fcntl.F_DUPFD, 500), "w") as verdicts:
        for line in lines:
            print(_guarded(ast.literal_eval(line)), file=verdicts)


if __name__ == "__main__":
    main()
    os._exit(0)  # whatever became of standard output
