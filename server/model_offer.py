"""Offer to use or fetch a real model at first use. Asked once, beside serving."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from laios.launcher import command
from pipeline.models.recommendation import recommended_here
from server.downloads.found_models import FoundModel
from server.runtime.units import in_bytes

STOP_GRACE_S = 2.0
DECLINED = ".declined"  # below MODELS_DIR: the answer was no


class ModelOffer:
    """Reads one line of the terminal, and gets the model in a process of its own."""

    def __init__(
        self, models_dir: Path, tell: Callable[[str], None], found: FoundModel | None = None
    ) -> None:
        """`found` is a model that another program has left here."""
        self._found = found
        self._declined = models_dir / DECLINED
        self._tell = tell
        self._pull: Process | None = None

    @property
    def may_ask(self) -> bool:
        """Somebody is there to answer, and has not said no before."""
        here = sys.stdin.isatty() and sys.stderr.isatty() and _in_foreground()
        return here and not self._declined.exists()

    async def make(self) -> None:
        """Asks and does what the answer says. Cancelled, it leaves no process behind."""
        verb, name = self._offered()
        answer = await _line()
        if answer.lower() not in ("y", "yes"):
            self._decline(verb, name)
            return
        try:
            await self._get(verb, name)
        finally:
            await self._stop()

    def _offered(self) -> tuple[str, str]:
        """Asks; the command of `laios models` that a yes means, and its model."""
        if self._found:
            of = f"{self._found.owner}, {in_bytes(self._found.size)}"
            self._tell(f"Use {self._found.name} ({of}) now? It is linked, not copied. [y/N]")
            return "import", self._found.name
        model = recommended_here()
        self._tell(
            f"Download {model.name} ({in_bytes(model.size)}) now? laios keeps running meanwhile. "
            "[y/N]"
        )
        return "pull", model.name

    async def _get(self, verb: str, name: str) -> None:
        words = command("server.commands.cli", "models", verb, name)
        self._pull = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us; we pass it on once
        )
        if await self._pull.wait() == 0:
            self._tell(f"{name} is ready: the next request uses it.")

    async def _stop(self) -> None:
        """What has come of the file is kept."""
        if self._pull and self._pull.returncode is None:
            with suppress(ProcessLookupError, TimeoutError):
                self._pull.send_signal(signal.SIGINT)
                async with asyncio.timeout(STOP_GRACE_S):
                    await self._pull.wait()

    def _decline(self, verb: str, name: str) -> None:
        with suppress(OSError):
            self._declined.parent.mkdir(parents=True, exist_ok=True)
            self._declined.touch()
        self._tell(f"You will not be asked again. To do it later: laios models {verb} {name}")


async def _line() -> str:
    """The next line of the terminal. Cancelled where there will be none: the terminal is gone, or
    laios was put into the background, where the system stops whoever reads."""
    loop, found = asyncio.get_running_loop(), asyncio.Future[str]()
    file = sys.stdin.fileno()

    def read() -> None:
        loop.remove_reader(file)
        raw = os.read(file, 1024) if _in_foreground() else b""
        if raw:
            found.set_result(raw.decode(errors="replace").strip())
        else:
            found.cancel()

    loop.add_reader(file, read)
    try:
        return await found
    finally:
        loop.remove_reader(file)


def _in_foreground() -> bool:
    return os.getpgrp() == os.tcgetpgrp(sys.stdin.fileno())
