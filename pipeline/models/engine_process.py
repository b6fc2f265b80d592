"""A child process that runs the embedded engine, and the calls in it."""

import asyncio
import itertools
import logging
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from laios.launcher import command
from pipeline.errors import ModelUnreachable
from pipeline.models.engine_worker import decode, encode
from pipeline.models.llama_cpp import Message as Line

STOP_GRACE_S = 0.4
_LINE_BYTES = 1 << 20
_LOG_LINES = 5
_HINTS = {
    signal.SIGILL: " (this CPU may lack AVX2, which it needs)",
    signal.SIGKILL: " (the system may have run out of memory)",
}

log = logging.getLogger(__name__)


def is_last(line: Line) -> bool:
    """Whether it is the last that a call says."""
    return "done" in line or "error" in line


class Child:
    """Calls go in by `open`, their lines come out of `next`; the ids are the child's own."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._calls: dict[int, asyncio.Queue[Line | None]] = {}
        self._cancelled: set[int] = set()
        self._over: set[int] = set()  # whose last line is here
        self._ids = itertools.count(1)
        self._printed: deque[str] = deque(maxlen=_LOG_LINES)
        self._reader = asyncio.create_task(self._read())
        self._drainer = asyncio.create_task(self._drain())
        self.stopping = False
        self.windows: dict[tuple[Path, ...], int] = {}
        """The tokens of each model's window that it has loaded."""

    @classmethod
    async def start(cls) -> "Child":
        """Raises ModelUnreachable where no process can be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command("pipeline.models.engine_worker", str(os.getpid())),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                limit=_LINE_BYTES,
            )
        except OSError as error:
            raise ModelUnreachable(f"The embedded engine cannot be started: {error}.") from error
        log.info("engine started pid=%d", process.pid)
        return cls(process)

    def keep(self, loaded: Sequence[Sequence[str]]) -> None:
        """Forgets the windows of models that were let go; `loaded` are the files of the others."""
        there = {tuple(map(Path, files)) for files in loaded}
        self.windows = {files: window for files, window in self.windows.items() if files in there}

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._reader.done() and not self.stopping

    @property
    def busy(self) -> bool:
        """Whether it works on any call, a cancelled one included."""
        return bool(self._calls)

    @property
    def wanted(self) -> bool:
        """Whether somebody waits for one of its calls."""
        return len(self._calls) > len(self._cancelled)

    def open(
        self, model: Path, window: int, usual: int, body: Line, adapters: Sequence[Path] = ()
    ) -> int:
        """Hands over a call and gives its id."""
        call = next(self._ids)
        self._calls[call] = asyncio.Queue()
        if not self.alive:
            self._calls[call].put_nowait(None)
        chat: Line = {"op": "chat", "id": call, "model": str(model), "body": body}
        chat |= {"adapters": [str(path) for path in adapters], "window": window, "usual": usual}
        self._send(chat)
        return call

    async def next(self, call: int) -> Line | None:
        """The call's next line; None when the process has ended."""
        return await self._calls[call].get()

    def cancel(self, call: int) -> None:
        """The call's lines are dropped from now on; it `works_on` it until the child says so. The
        last one may be here already, unread: a caller goes when it has all answers."""
        if call in self._over:
            self.forget(call)
        elif self.alive:
            self._cancelled.add(call)
            self._send({"op": "cancel", "id": call})

    def works_on(self, call: int) -> bool:
        return call in self._calls

    def forget(self, call: int) -> None:
        self._calls.pop(call, None)
        self._cancelled.discard(call)
        self._over.discard(call)

    async def stop(self) -> None:
        """Ends the process: by the end of its stdin, else by force. Half a second at most."""
        self.stopping = True
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(STOP_GRACE_S):
                await self._process.wait()
        except TimeoutError:
            self._kill()
        await self.ended()

    async def ended(self) -> str:
        """Waits for the end of a process that is about to end; how it came to it."""
        await asyncio.wait((self._reader, self._drainer))
        code = await self._process.wait()
        if code >= 0:
            return f"exit status {code}" + "".join(f": {line}" for line in list(self._printed)[-1:])
        number = signal.Signals(-code)
        return number.name + _HINTS.get(number, "")

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()

    def _send(self, line: Line) -> None:
        # Not drained: a prompt is no longer than a request's body, and the child always reads.
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(encode(line))

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            async for line in self._process.stdout:
                self._take(decode(line))
        except (ValueError, KeyError) as error:
            log.error("engine pid=%d broke its protocol: %r", self.pid, error)
            self._kill()
        finally:
            for call in tuple(self._cancelled):
                self.forget(call)
            for queue in self._calls.values():
                queue.put_nowait(None)

    def _take(self, line: Line) -> None:
        call = line["id"]
        if call not in self._cancelled:
            self._calls[call].put_nowait(line)
            if is_last(line):
                self._over.add(call)
        elif is_last(line):
            self.forget(call)

    async def _drain(self) -> None:
        """Keeps the last lines of what llama.cpp prints: they name the reason of an abort."""
        assert self._process.stderr is not None
        while printed := await self._process.stderr.read(4096):
            lines = printed.decode(errors="replace").splitlines()
            self._printed.extend(line for line in lines if line.strip())
