"""One sandbox on macOS, from its start to its end.

`sandbox-exec` puts Seatbelt's profile on itself and becomes Python, which puts limits on itself and
becomes the program (sandbox_scripts/limit_process.py): one process from first to last, which may
start no other. So the process that was started is the one to watch and to end."""

import asyncio
import math
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.pipes import Pipes
from pipeline.sandbox.process_memory import ProcessMemoryWatch
from pipeline.sandbox.seatbelt import profile
from pipeline.sandbox.termination import Termination, outcome_of, to_its_end
from pipeline.sandbox.toolchain import Toolchain, toolchain
from pipeline.sandbox.venv_packages import ONE_THREAD
from pipeline.sandbox.visible_paths import visible_paths
from pipeline.sandbox.watch_thread import WatchThread
from pipeline.sandbox.workdir import Workdir

# Not looked up on the path, where anybody could put another.
SANDBOX_EXEC = Path("/usr/bin/sandbox-exec")
_LIMITED = Path(__file__).parent / "sandbox_scripts" / "limit_process.py"
_START_S = 10.0
_LOOK_S, _WAIT_S, _SOON_S = 0.01, 0.02, 0.001
_REST = 4  # a look goes through a directory, which can take its time
_DRAIN_S = 1.0
_OPEN_FILES = 64  # each of which may be large and have no name any more
_LATE_S = 5


class MacSandbox:
    """Raises SandboxUnavailable where none can be built. At last `end` has to be called."""

    def __init__(
        self,
        command: Sequence[str],
        tools: Toolchain,
        files: Mapping[str, bytes],
        limits: Limits,
        stdin: bytes,
    ) -> None:
        if not SANDBOX_EXEC.exists():
            raise SandboxUnavailable(f"There is no {SANDBOX_EXEC} here: it is part of macOS.")
        self._limits = limits
        self._executable = tools.executable
        self._over = Termination()
        self._exiting: asyncio.Task[None] | None = None
        self._watch: WatchThread | None = None
        self._place = Workdir(files)
        try:
            own = toolchain("python", None)
            rules = profile(visible_paths(tools, own, self._place.path), self._place.path)
            self._pipes = Pipes(stdin, limits, lambda: self._over.tell("output"))
            try:
                words = [*self._words(own, rules), str(tools.executable), *command[1:]]
                self._process = self._started(words, tools)
            except OSError as error:
                raise SandboxUnavailable(f"sandbox-exec cannot be started: {error}.") from error
            finally:
                self._pipes.gate.open()
                self._pipes.hand_over()
        except BaseException:
            self._place.remove()
            raise
        self._memory = ProcessMemoryWatch(self._process.pid, self._place, limits)

    def _words(self, own: Toolchain, rules: str) -> list[str]:
        limits = self._limits
        numbers = (
            self._pipes.status.theirs,
            math.ceil(limits.wall_s) + _LATE_S,
            limits.cpu_s,
            limits.files_mb * 1_000_000,
            _OPEN_FILES,
        )
        python = [str(own.executable), "-I", "-S", "-c", _limited()]
        return [str(SANDBOX_EXEC), "-p", rules, *python, *map(str, numbers)]

    def _started(self, words: list[str], tools: Toolchain) -> subprocess.Popen[bytes]:
        place, report = str(self._place.path), self._pipes.report.theirs
        return subprocess.Popen(
            words,
            stdin=self._pipes.stdin.theirs,
            stdout=self._pipes.stdout.theirs,
            stderr=self._pipes.stderr.theirs,
            env={
                "PATH": tools.search_path,
                "HOME": place,
                "TMPDIR": place,
                "LANG": "en_US.UTF-8",  # macOS has no C.UTF-8
                "REPORT_FD": str(report),
                **(ONE_THREAD if self._limits.venv else {}),
            },
            cwd=self._place.program,
            pass_fds=(report, self._pipes.status.theirs),
            start_new_session=True,
        )

    async def open(self) -> None:
        """Returns when the program has begun and is watched."""
        await self._begun()
        self._exiting = asyncio.create_task(self._exits())
        self._watch = WatchThread(
            self._memory.look,
            self._process.kill,
            self._over,
            wall_s=self._limits.wall_s,
            look_s=_LOOK_S,
            rest=_REST,
        )

    async def outcome(self) -> Outcome:
        """Waits for the program's end, or for the limit that it reaches."""
        ended, duration_s = await self._over.within(self._limits.wall_s)
        await to_its_end(self.end())
        code = self._process.returncode
        status = 128 - code if code < 0 else code
        return outcome_of(ended, status, self._pipes, duration_s, self._memory.peak_mb)

    async def end(self) -> None:
        """Ends the process, waits until it is gone, and removes its directory."""
        if self._exiting is not None:
            self._exiting.cancel()
        if self._watch is not None:
            await self._watch.stop()
        self._process.kill()
        while self._process.poll() is None:  # noqa: ASYNC110  (nobody could set an event)
            await asyncio.sleep(_SOON_S)
        # Nobody else can have these pipes, once that is proven; the proof itself goes on if not.
        await self._pipes.drained(_DRAIN_S)
        await asyncio.to_thread(self._place.remove)

    async def _begun(self) -> None:
        """Returns when the program takes over."""
        status = self._pipes.status
        await asyncio.wait([status.closed], timeout=_START_S)
        if not status.closed.done():
            raise SandboxUnavailable(
                f"sandbox-exec did not build a sandbox within {_START_S:.0f} s."
            )
        begun, _, wrong = status.data.decode(errors="replace").partition("\n")
        if not begun:
            await to_its_end(self.end())
            raise SandboxUnavailable(_explained(self._pipes.stderr.text()))
        if wrong:
            raise SandboxUnavailable(f"{self._executable} cannot be started in a sandbox: {wrong}.")

    async def _exits(self) -> None:
        """When its pipes close, it has most likely ended; nothing but asking tells for certain."""
        pipes = self._pipes
        outputs = [reading.closed for reading in (pipes.stdout, pipes.stderr, pipes.report)]
        while self._process.poll() is None:
            if waiting := [closed for closed in outputs if not closed.done()]:
                await asyncio.wait(waiting, timeout=_WAIT_S)
            else:
                await asyncio.sleep(_SOON_S)
        await asyncio.sleep(0)  # who killed it has said so before, which is heard in a moment
        self._over.tell("exited")


@cache
def _limited() -> str:
    return _LIMITED.read_text("utf-8")


def _explained(said: str) -> str:
    words = " ".join(said.split())[-300:].replace(": ", " – ") or "it printed nothing"
    fix = "Report it with the output of laios sandbox check"
    if "sandbox_apply" in said:
        fix = "laios itself runs in a sandbox: start it outside"
    return f"sandbox-exec cannot build a sandbox here ({words}): {fix}."
