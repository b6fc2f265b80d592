"""Child processes that read untrusted files: killed when they hang, and started again.

A child gets its work as one JSON object on stdin and writes messages to a pipe, JSON lines:
`{"at": part}` before it reads a part, any number of `{"part": part, …}`, then `{"ended": part}`
or `{"failed": part, "why": text}` (`left` where it may be read another time). One that crashes or
is silent for too long has failed at the part that it was at; a fresh one goes on with the others.
Parts that no child reached are left.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from laios.launcher import command
from retrieval.sources.api_entry import clean

SILENCE_S = 30.0  # of one part
DEADLINE_S = 900.0  # of one source
MAX_LINE = 16 * 1024 * 1024  # bytes
MAX_BYTES = 512 * 1024 * 1024  # of one child
MAX_STARTS = 25
END_S = 2.0  # to end what it has started

_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class WorkerMessage:
    """A message about a part: an item (`data`), that it ended, failed, or was left (`why`;
    it may be read another time)."""

    what: Literal["at", "item", "ended", "failed", "left"]
    part: str
    data: dict[str, Any] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """How a child is started (the number of its pipe is put behind the command), and its work for
    the parts that are still to do, without those that break it. One that runs foreign code may
    start what leaves its session, and is ended with that (on Linux alone)."""

    command: Sequence[str]
    work: Callable[[list[str], set[str]], dict[str, Any]]
    directory: Path = Path("/")
    environment: dict[str, str] = field(default_factory=dict)
    runs_foreign_code: bool = False

    @property
    def words(self) -> list[str]:
        tree = command("retrieval.sources.workers.process_tree") if self.is_tree else []
        return [*tree, *self.command]

    @property
    def is_tree(self) -> bool:
        return self.runs_foreign_code and sys.platform == "linux"


class _WorkerFailed(Exception):
    """A child has ended or broken the protocol; the message says why."""


def run_workers(job: WorkerJob, parts: Sequence[str]) -> Iterator[WorkerMessage]:
    """The messages about the parts; each of them ends, fails or is left exactly once."""
    todo = dict.fromkeys(parts)
    breaking: set[str] = set()
    end = time.monotonic() + DEADLINE_S
    why = ""
    for _ in range(MAX_STARTS):
        if not todo:
            return
        at = ""
        try:
            for message in _messages(job, job.work(list(todo), breaking), end):
                if message.what == "at":
                    at = message.part
                elif message.part in todo:
                    if message.what != "item":
                        del todo[message.part]
                    yield message
                    if not todo:
                        return
        except _WorkerFailed as error:
            why = str(error)
        if time.monotonic() > end:
            why = f"the time for one source, {DEADLINE_S:.0f} s, is up"
            break
        if not at:
            break
        breaking.add(at)
        if at in todo:
            del todo[at]
            yield WorkerMessage("failed", at, why=why)
    else:
        why = "the processes that read this source broke too often"
    for part in todo:
        yield WorkerMessage("left", part, why=why)


def _messages(job: WorkerJob, work: dict[str, Any], end: float) -> Iterator[WorkerMessage]:
    """One child's messages. Raises _WorkerFailed where it ends before the last one."""
    with _started(job, work) as (process, pipe):
        yield from (_read(line) for line in _lines(pipe, end))
        raise _WorkerFailed(_death(process))


@contextmanager
def _started(
    job: WorkerJob, work: dict[str, Any]
) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    ours, theirs = os.pipe()
    process = None
    try:
        process = subprocess.Popen(
            [*job.words, str(theirs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=job.directory,
            env=job.environment,
            pass_fds=(theirs,),
            start_new_session=True,
        )
        os.close(theirs)
        theirs = -1
        assert process.stdin
        with suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(json.dumps(work).encode())
        yield process, ours
    except OSError as error:
        raise _WorkerFailed(f"its reader cannot be started: {error}") from None
    finally:
        os.close(ours)
        if theirs >= 0:
            os.close(theirs)
        if process is not None:
            _end(process, job.is_tree)


def _end(process: "subprocess.Popen[bytes]", is_tree: bool) -> None:
    """With all that it started."""
    if is_tree:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _lines(pipe: int, end: float) -> Iterator[bytes]:
    rest, total = bytearray(), 0
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    while True:
        left = min(SILENCE_S, end - time.monotonic())
        if left <= 0 or not poll.poll(left * 1000):
            raise _WorkerFailed(f"nothing was heard of it for {max(left, 0):.0f} s")
        block = os.read(pipe, _BLOCK)
        if not block:
            return
        total += len(block)
        rest += block
        if b"\n" in block:
            *lines, last = bytes(rest).split(b"\n")
            yield from lines
            rest = bytearray(last)
        if len(rest) > MAX_LINE or total > MAX_BYTES:
            raise _WorkerFailed("too much was told about it")


def _read(line: bytes) -> WorkerMessage:
    try:
        data = json.loads(line)
        if not isinstance(data, dict):
            raise ValueError("no object")
        for what in ("at", "ended", "failed", "left"):
            if what in data:
                why = clean(data.get("why", ""), 500)
                return WorkerMessage(what, clean(data[what], 5_000), why=why)
        return WorkerMessage("item", clean(data.get("part"), 5_000), data)
    except (ValueError, RecursionError):
        raise _WorkerFailed("it sent something else than its messages") from None


def _death(process: "subprocess.Popen[bytes]") -> str:
    try:
        code = process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return "it closed its pipe"
    if code >= 0:
        return f"its reader ended early with status {code}"
    return f"its reader was killed by {signal.Signals(-code).name}"
