"""One sandbox on Linux, from its start to its end.

bwrap builds it, tells the process id of its first process, and waits at the gate. In that moment
the limits are put on that process: before, bwrap itself would fall under them (RLIMIT_NPROC counts
every process of the user outside); later, the program could be faster. All inside inherits them.
"""

import asyncio
import errno
import json
import os
import resource
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.bwrap_errors import explained
from pipeline.sandbox.cgroup import Cgroup, MemoryUsage
from pipeline.sandbox.launch import launch
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.memory_watch import MemoryWatch
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.pipes import Pipes
from pipeline.sandbox.process_handle import ProcessHandle
from pipeline.sandbox.termination import Termination, outcome_of, to_its_end
from pipeline.sandbox.toolchain import Toolchain
from pipeline.sandbox.watch_thread import WatchThread

_START_S = 10.0
_LOOK_S = 0.025
_OPEN_FILES = 128
_STACK = 8 << 20
# Addresses that each process may have: JavaScript's engine takes ten gigabytes of them for each
# module of WebAssembly and uses few. What they cost, the tables of their pages, is 1/512 at most.
_ADDRESSES = 64 << 30


class LinuxSandbox:
    """Raises SandboxUnavailable where none can be built. At last `end` has to be called."""

    def __init__(
        self,
        command: Sequence[str],
        tools: Toolchain,
        files: Mapping[str, bytes],
        limits: Limits,
        stdin: bytes,
    ) -> None:
        self._limits = limits
        self._over = Termination()
        self._pipes = Pipes(stdin, limits, lambda: self._over.tell("output"))
        self._monitor: ProcessHandle | None = None  # bwrap outside, which ends after the first
        self._first: ProcessHandle | None = None
        self._memory: MemoryWatch | None = None
        self._group: Cgroup | None = None
        self._usage = MemoryUsage()
        self._watch: WatchThread | None = None
        try:
            self._process = launch(command, tools, files, limits, self._pipes)
        except BaseException:
            self._pipes.gate.open()
            raise
        finally:
            self._pipes.hand_over()  # what has no other end now closes itself

    async def open(self) -> None:
        """Puts the limits on and lets the program begin. Raises OSError for want of descriptors."""
        self._monitor = self._handle(self._process.pid)
        self._monitor.ended.add_done_callback(lambda _: self._over.tell("exited"))
        await self._hold()
        if self._first is None:
            if not self._pipes.status.begun.done():
                raise SandboxUnavailable(
                    f"bubblewrap did not build a sandbox within {_START_S:.0f} s."
                )
            return  # it is about to end, with what is wrong; the gate stays shut
        try:
            _limit(self._first.pid, self._limits)
        except OSError as error:
            raise SandboxUnavailable(f"The sandbox's limits cannot be set: {error}.") from error
        self._group = Cgroup.make(self._limits, self._first.pid)
        self._memory = MemoryWatch(self._first.pid, self._limits.memory_mb, self._limits.cpu_s)
        self._watch = WatchThread(
            self._memory.look,
            self._first.kill,
            self._over,
            wall_s=self._limits.wall_s,
            look_s=_LOOK_S,
        )
        self._pipes.gate.open()

    async def outcome(self) -> Outcome:
        """Waits for the program's end, or for the limit that it reaches."""
        ended, duration_s = await self._over.within(self._limits.wall_s)
        await to_its_end(self.end())
        status = self._status() if ended == "exited" else None
        if self._usage.ran_out:
            ended = "memory"
        peak_mb = self._usage.peak_mb or (self._memory.peak_mb if self._memory else None)
        return outcome_of(ended, status, self._pipes, duration_s, peak_mb)

    async def end(self) -> None:
        """Ends every process of the sandbox and waits until the last one is gone."""
        if self._watch is not None:
            await self._watch.stop()
        try:
            await self._hold()
            (self._first or self._process).kill()
        except (OSError, SandboxUnavailable):
            self._kill_unheld()
        if self._first is not None:
            await self._first.ended  # with which all others inside are gone as well
        if self._monitor is not None:
            await self._monitor.ended
            self._process.wait()
        else:
            await asyncio.to_thread(self._process.wait)
        await self._pipes.drained()
        if self._group is not None:
            self._usage = self._group.remove()
            self._group = None

    def _kill_unheld(self) -> None:
        """Ends the first process, of which no handle can be had, and with it bwrap. It waits at the
        gate and outlives bwrap: it would begin when that opens."""
        if self._process.poll() is None:  # the number is nobody else's
            with suppress(ProcessLookupError):
                os.kill(self._told()["child-pid"], signal.SIGKILL)

    async def _hold(self) -> None:
        """Takes hold of the sandbox's first process, if bwrap got so far. Raises OSError for want
        of descriptors."""
        await asyncio.wait([self._pipes.status.begun], timeout=_START_S)
        pid = self._told().get("child-pid")
        if self._first is None and pid is not None:
            with suppress(ProcessLookupError):
                self._first = self._handle(pid)

    def _handle(self, pid: int) -> ProcessHandle:
        try:
            return ProcessHandle(pid)
        except OSError as error:
            if error.errno != errno.ENOSYS:
                raise
            raise SandboxUnavailable(f"Linux 5.3 or newer is needed ({error}).") from error

    def _told(self) -> dict[str, int]:
        """What bwrap has said so far: a line when it starts, one when the program has ended."""
        told: dict[str, int] = {}
        for line in self._pipes.status.data.splitlines():
            told |= json.loads(line)
        return told

    def _status(self) -> int:
        """The program's exit status. bwrap tells one only if it came to start the program."""
        status = self._told().get("exit-code")
        if status is not None:
            return status
        if self._process.returncode < 0:
            return 128 - self._process.returncode
        raise SandboxUnavailable(explained(self._pipes.stderr.text()))


def _limit(pid: int, limits: Limits) -> None:
    memory, files = limits.memory_mb * 1_000_000, limits.files_mb * 1_000_000
    bounds = {
        resource.RLIMIT_DATA: (memory, memory),
        resource.RLIMIT_AS: (_ADDRESSES + memory, _ADDRESSES + memory),
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),
        resource.RLIMIT_NPROC: (limits.processes + 1, limits.processes + 1),  # bwrap's own is one
        resource.RLIMIT_FSIZE: (files, files),
        resource.RLIMIT_NOFILE: (_OPEN_FILES, _OPEN_FILES),
        resource.RLIMIT_STACK: (_STACK, _STACK),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
    }
    for bound, (soft, hard) in bounds.items():
        _, most = resource.prlimit(pid, bound)  # of the user's: only root could set a higher one
        most = hard if most == resource.RLIM_INFINITY else min(most, hard)
        resource.prlimit(pid, bound, (min(soft, most), most))
    # The kernel, when it is out of memory, ends the sandbox before anything of the user's.
    Path(f"/proc/{pid}/oom_score_adj").write_text("1000", "ascii")
