"""The dashboard in the daemon: loaded at its first request, and what it may ask of the runs."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from config import Settings, cache_dir, data_dir
from dashboard.live import LiveRun, Refused
from dashboard.sessions import Sessions
from history.index_row import first_line, stages_of
from pipeline.errors import Busy, LaiosError
from pipeline.modes import MODES
from pipeline.request import Request
from pipeline.run import Run
from pipeline.scheduler import Scheduler
from server.http.token_check import TokenCheck, caller_address


def routes(
    settings: Settings,
    sessions: Sessions,
    tokens: TokenCheck,
    scheduler: Scheduler | None = None,
) -> list[Route]:
    """Everything under `/dashboard`. Without a scheduler it shows the history alone."""

    def is_token(text: str, scope: Scope) -> bool:
        try:
            return tokens.is_right(text, caller_address(scope))
        except Busy as error:
            raise Refused(error.message) from None

    def make() -> ASGIApp:
        from dashboard.app import create_app

        live_runs = LiveRuns(scheduler) if scheduler else None
        directory, bench_dir = settings.HISTORY_DIR, data_dir() / "bench"
        return create_app(directory, cache_dir(), bench_dir, sessions, is_token, live_runs)

    pages = Dashboard(make)
    return [Route("/dashboard", pages), Route("/dashboard/{path:path}", pages)]


class Dashboard:
    """The pages, made at the first request: whoever never looks pays neither time nor memory."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._make = make
        self._making = Lock()
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if app is None:
            app = await asyncio.to_thread(self._made)
        await app(scope, receive, send)

    def _made(self) -> ASGIApp:
        """Made once, however many ask for it meanwhile."""
        with self._making:
            if self._app is None:
                self._app = self._make()
            return self._app


class LiveRuns:
    """The scheduler as the dashboard knows it (`dashboard.live.Daemon`)."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def modes(self) -> Mapping[str, str]:
        return {row.name: row.help for row in MODES.values()}

    def runs(self) -> Sequence[LiveRun]:
        return [self._live(run) for run in self._scheduler.runs()]

    def submit(self, *, prompt: str, literal: bool, mode: str | None, session: str | None) -> str:
        try:
            request = Request(prompt, mode, session=session, literal=literal)
            return self._scheduler.submit(request).id
        except LaiosError as error:
            raise Refused(error.message) from None

    def cancel(self, run_id: str) -> None:
        self._scheduler.cancel(run_id)

    def _live(self, run: Run) -> LiveRun:
        return LiveRun(
            id=run.id,
            mode=run.mode.name,
            prompt=None if run.request.no_log else first_line(run.prompt.lstrip()),
            state="queued" if run.state == "queued" else "running",
            position=self._scheduler.queue.position(run),
            elapsed_ms=run.elapsed_ms,
            stages=tuple(stages_of(step.as_json() for step in run.steps)),
            roles=run.mode.roles,
        )
