"""The two ends of a program's pipes that stay outside, on the event loop."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from pipeline.sandbox.limits import Limits

_CHUNK = 65536
_FLOOD = 16  # so many times the output that is kept ends a program
_STATUS_BYTES = 4096
Ends = tuple[int, int]  # of a pipe: what is read from and what is written to


class Reading:
    """Takes what a pipe brings: keeps the first `keep` bytes, counts the rest, and calls `flooded`
    when there are more than `most`. `closed` is done when nobody can write any more, `begun` with
    the first line or then."""

    def __init__(self, pipe: Ends, keep: int, most: int, flooded: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._descriptor, self.theirs = pipe
        self._keep, self._most, self._flooded = keep, most, flooded
        self._kept = bytearray()
        self._total = 0
        self.begun: asyncio.Future[None] = self._loop.create_future()
        self.closed: asyncio.Future[None] = self._loop.create_future()
        os.set_blocking(self._descriptor, False)
        self._loop.add_reader(self._descriptor, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return
        self._total += len(data)
        self._kept += data[: max(0, self._keep - len(self._kept))]
        if not self.begun.done() and (not data or b"\n" in data):
            self.begun.set_result(None)
        if self._total > self._most:
            self._flooded()
        if not data:
            self.close()

    def close(self) -> None:
        if not self.closed.done():
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self.closed.set_result(None)

    @property
    def data(self) -> bytes:
        return bytes(self._kept)

    def text(self) -> str:
        """As text, with a mark where it was cut."""
        text = self._kept.decode(errors="replace")
        cut = self._total - len(self._kept)
        return f"{text}\n… {cut} more bytes" if cut else text


class Writing:
    """Feeds a pipe as fast as the program reads."""

    def __init__(self, pipe: Ends, data: bytes) -> None:
        self._loop = asyncio.get_running_loop()
        self.theirs, self._descriptor = pipe
        self._rest = memoryview(data)
        self._open = True
        os.set_blocking(self._descriptor, False)
        self._loop.add_writer(self._descriptor, self._write)

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self._descriptor, self._rest) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._rest = self._rest[:0]
        if not self._rest:
            self.close()

    def close(self) -> None:
        if self._open:
            self._open = False
            self._loop.remove_writer(self._descriptor)
            os.close(self._descriptor)


class Gate:
    """A pipe that somebody waits at until it is opened."""

    def __init__(self, pipe: Ends) -> None:
        self.theirs, descriptor = pipe
        self._descriptor: int | None = descriptor

    def open(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class Pipes:
    """All pipes of one program. Of each of its outputs, and of its report, so many bytes are kept
    as the limits say; `flooded` is called when it writes without end. Raises OSError, and leaves
    none open, where there are not so many descriptors."""

    def __init__(self, stdin: bytes, limits: Limits, flooded: Callable[[], None]) -> None:
        keep, report = limits.output_bytes, limits.report_bytes
        to, out, err, reported, status, gate = _pipes(6)
        self.stdin = Writing(to, stdin)
        self.stdout = Reading(out, keep, _FLOOD * keep, flooded)
        self.stderr = Reading(err, keep, _FLOOD * keep, flooded)
        self.report = Reading(reported, report, report, flooded)
        self.status = Reading(status, _STATUS_BYTES, _STATUS_BYTES, flooded)
        self.gate = Gate(gate)

    def __iter__(self) -> Iterator[Reading]:
        return iter((self.stdout, self.stderr, self.report, self.status))

    def hand_over(self) -> None:
        """Closes the ends that the program has got."""
        for pipe in (self.stdin, self.gate, *self):
            os.close(pipe.theirs)

    async def drained(self, within_s: float | None = None) -> None:
        """When nobody is left who could write; where that is not certain, `within_s` bounds it."""
        self.stdin.close()
        self.gate.open()
        await asyncio.wait([pipe.closed for pipe in self], timeout=within_s)
        for pipe in self:
            pipe.close()


def _pipes(number: int) -> list[Ends]:
    """So many, or none: raises OSError."""
    made: list[Ends] = []
    with ExitStack() as opened:
        for _ in range(number):
            made.append(os.pipe())
            for end in made[-1]:
                opened.callback(os.close, end)
        opened.pop_all()
    return made
