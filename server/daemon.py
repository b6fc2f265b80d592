"""The daemon's life: bind, serve, tell where, stop in order."""

import asyncio
import errno
import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import islice, takewhile
from types import FrameType
from typing import Any

import uvicorn

from config import Settings, base_url
from pipeline.add_ons import load_add_ons
from pipeline.call_plan import usual_window
from pipeline.errors import LaiosError
from pipeline.models.local import PROVIDER
from pipeline.models.machine import is_idle
from pipeline.models.recommendation import recommended_here
from pipeline.models.registry import Registry
from pipeline.models.starter import STARTER
from pipeline.request import is_fresh, is_id
from pipeline.review.coder import write_prompt
from pipeline.role_rules import read_rules
from pipeline.roles import ROLES
from pipeline.task import Task
from server.app import create_app
from server.downloads.first_model import LOOK_S, best_found, commands_here
from server.downloads.found_models import FoundModel
from server.http.http_connection import uvicorn_config
from server.mcp_mount import McpMount
from server.model_offer import ModelOffer
from server.runtime.container import assemble, require_history
from server.runtime.settings_reload import watch_settings
from server.runtime.stall_watch import StallWatch
from server.runtime.units import in_bytes

log = logging.getLogger("laios.daemon")

DRAIN_S = 8.0  # runs may go on this long after SIGTERM; all is over within 10 s
STOP_S = 10
COLLECT_AFTER = 10_000  # objects; Python's own 700 is about what one run makes
MOST_READ = 10_000  # records at a start, which is to take no second
LATELY_S = 3600.0  # records are in the order of their runs' ends: one of a long run is no end yet


class CannotListen(Exception):
    """The address cannot be had; the message says why and what to do."""


def bind(settings: Settings) -> socket.socket:
    """The listening socket. Raises CannotListen."""
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    # Named as TCP: asyncio's own loop sends small answers without delay on such sockets alone.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.HOST, settings.PORT))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise CannotListen(_why(error, settings)) from None
    listener.setblocking(False)
    return listener


def _why(error: OSError, settings: Settings) -> str:
    where = f"{settings.HOST}:{settings.PORT}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"{where} is in use. Is laios running already? See `laios status`; "
            "or choose another port: laios serve --port 11712."
        )
    if error.errno == errno.EACCES:
        return f"This user may not listen on {where}. Choose a port above 1023."
    return f"Cannot listen on {where}: {error.strerror}."


class Daemon:
    """One daemon: bound when it is made, serving while `run` runs. Raises CannotListen, and
    ConfigError where the history cannot be written."""

    def __init__(
        self,
        settings: Settings,
        tell: Callable[[str], None],
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """`tell` gets the lines of the start-up banner; `options` are the command line's, which
        stay in force when config.toml changes."""
        require_history(settings)
        self._listener = bind(settings)
        self.settings = settings.model_copy(update={"PORT": self._listener.getsockname()[1]})
        self.address = base_url(self.settings)
        self.parts = parts = assemble(self.settings)
        self._tell = tell
        self._options = options or {}
        self._mcp = McpMount(self.settings)
        self._server = _Server(uvicorn_config(create_app(parts, self._mcp), STOP_S), self)

    async def run(self) -> None:
        """Serves until a signal or `stop`; every run is on record when it returns."""
        for problem in load_add_ons():
            self._tell(problem)
        self.parts.scheduler.refuse_ids(await asyncio.to_thread(self._used_ids))
        watching = asyncio.create_task(self._watch_settings())
        try:
            _tune_collector()  # nobody waits yet
            with StallWatch(self.parts.metrics.observe_lag):
                await self._server.serve(sockets=[self._listener])
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await self.parts.close()

    def _used_ids(self) -> list[str]:
        """Ids on record that a caller could give once more: it may repeat a request whose answer a
        restart has cost it."""
        ids = filter(is_id, islice(self.parts.reader.ids_backwards(), MOST_READ))
        lately = takewhile(partial(is_fresh, within_s=LATELY_S), ids)
        return list(filter(is_fresh, lately))[::-1]

    async def _watch_settings(self) -> None:
        """A directory that cannot be watched costs the reloading, not the daemon."""
        try:
            await watch_settings(self.settings, self._options, self._apply)
        except OSError as error:
            log.warning("config.toml is not watched", extra={"why": str(error)})
        except Exception:
            log.exception("config.toml is not watched")

    def _apply(self, settings: Settings) -> None:
        self.parts.scheduler.settings = settings

    async def end_runs(self) -> None:
        """Ends them, and what clients of the Model Context Protocol hold open beyond them."""
        await self.parts.scheduler.drain(DRAIN_S)
        await self._mcp.close()

    def stop(self) -> None:
        self._server.should_exit = True

    async def greet(self) -> None:
        """Says what a person should know at start, and offers a real model where there is none."""
        if self.parts.models.uses_auto(self.settings):
            await self.parts.models.resolve(self.settings)
        found = await self._find_model()
        for line in banner(self.settings, self.parts.models, found):
            self._tell(line)
        for problem in await self.parts.models.problems(self.settings):
            self._tell(f"Warning: {', '.join(problem.roles)}: {problem.message}")
        offer = ModelOffer(self.settings.MODELS_DIR, self._tell, found)
        if self.parts.models.stands_on_starter(self.settings) and offer.may_ask:
            await offer.make()
        await self._read_ahead()

    async def _find_model(self) -> FoundModel | None:
        """What other programs have left here, where there is no real model. Not waited for long: a
        home directory may lie on another machine."""
        if not self.parts.models.stands_on_starter(self.settings):
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(2 * LOOK_S):
                return await asyncio.to_thread(best_found)
        return None

    async def _read_ahead(self) -> None:
        """Has the embedded engine read what drafts' prompts begin with, those in Python and all
        others, so that the first one starts at once. A convenience: where it fails, the first run
        will say why."""
        settings = self.parts.scheduler.settings
        embedded = self.parts.models.name_for("coder", settings).startswith(PROVIDER)
        if not (embedded and settings.PRELOAD and is_idle()):
            return
        with suppress(LaiosError):
            rules, wanted = read_rules(settings.PROMPTS_DIR), usual_window(settings)
            for request in ("", "a Python function"):
                if self.parts.scheduler.runs():
                    return
                messages = write_prompt(Task(request, rules=rules))
                if await self.parts.models.read_ahead("coder", messages, wanted, settings):
                    log.info("coder's rules read ahead")


class _Server(uvicorn.Server):
    """uvicorn's server with our first word and our last."""

    def __init__(self, config: uvicorn.Config, daemon: Daemon) -> None:
        super().__init__(config)
        self._daemon = daemon
        self._greeting: asyncio.Task[None] | None = None
        self._drain: asyncio.Task[None] | None = None
        self._hurry: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # Beside serving: a backend that is slow to answer must not delay the first request.
        self._greeting = asyncio.create_task(self._daemon.greet())

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A terminal that closes stops the daemon in order too, unless nohup has it ignore that."""
        with super().capture_signals():
            captured = (
                threading.current_thread() is threading.main_thread()
                and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
            )
            if captured:
                signal.signal(signal.SIGHUP, self.handle_exit)
            try:
                yield
            finally:
                if captured:
                    signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A second Ctrl-C does not wait for the running runs; they are recorded all the same.

        uvicorn raises the signals that it caught once more when it is done. That would end the
        process before the history is written out and the engine's process is gone.
        """
        super().handle_exit(sig, frame)
        self._captured_signals.clear()
        if self._drain and self.force_exit:
            self._hurry = asyncio.ensure_future(self._daemon.parts.scheduler.drain(0))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._greeting:
            self._greeting.cancel()
            await asyncio.gather(self._greeting, return_exceptions=True)
        self._drain = asyncio.create_task(self._daemon.end_runs())
        await super().shutdown(sockets)
        await self._drain


@cache
def _tune_collector() -> None:
    """Takes what is loaded by now out of the garbage collector's sight, and has it look less often:
    what is loaded stays for good, and looking through it cost a tenth of the processor's time. Once
    in a process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 20)


def starter_lines(found: FoundModel | None) -> list[str]:
    size = in_bytes(recommended_here().size)
    return [
        "local/starter is a demonstration model: it knows a list of small tasks (`laios models "
        "starter`) and nothing else.",
        f"A real model for this machine: {commands_here(found)} ({size} to download)",
    ]


def banner(settings: Settings, models: Registry, found: FoundModel | None) -> list[str]:
    """What a person should know at start: where, with which models, and what to type. `found` is a
    model that another program has left here."""
    address = base_url(settings)
    names = {role: models.name_for(role, settings) for role in ROLES}
    lines = [f"laios listens on {address}"]
    lines += [f"  {role:<9} {name}" for role, name in names.items()]
    lines.append(f"  history   {settings.HISTORY_DIR}")
    if STARTER in names.values():
        lines += starter_lines(found)
    token = " -H 'Authorization: Bearer '$LAIOS_API_TOKEN" if settings.API_TOKEN else ""
    lines += [
        "Try:",
        f"  curl -s {address}/prompt{token} -H 'Content-Type: application/json' \\",
        """    -d '{"prompt": "write a function that adds up a list of numbers"}'""",
    ]
    return lines
