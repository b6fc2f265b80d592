"""The desk where runs are accepted, wait for their turn, are carried out and put on record."""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

import pipeline.flows  # noqa: F401  (fills MODES)
from config import Settings
from pipeline.context import history_block
from pipeline.errors import BadRequest, Busy, Cancelled, LaiosError, RunTimeout
from pipeline.models.registry import Models
from pipeline.modes import MODES, extract_mode_and_prompt
from pipeline.report import report
from pipeline.request import Request
from pipeline.run import INSTRUCTION_TOKENS, Run
from pipeline.task import Task
from pipeline.tokens import estimate

log = logging.getLogger("laios.runs")

CONCURRENT_REMOTE_RUNS = 16
FLOW_GRACE_S = 5.0  # a flow ends itself at its deadline; one that does not is ended this much later


class History(Protocol):
    """What the pipeline needs of the history."""

    async def append(self, record: Mapping[str, Any]) -> bool: ...
    def load_recent_records(
        self, n: int, session: str | None = None
    ) -> Sequence[Mapping[str, Any]]: ...


class Scheduler:
    """Accepts requests as runs and carries them out, a bounded number at a time, first come first
    served. One per process."""

    def __init__(self, settings: Settings, models: Models, history: History) -> None:
        self._settings = settings
        self._models = models
        self._history = history
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._runs: dict[str, Run] = {}
        self._waiting: deque[tuple[Run, asyncio.Future[None]]] = deque()
        self._running = 0
        self._closing = False

    # --- for callers ---------------------------------------------------------------------------

    def submit(self, request: Request) -> Run:
        """Accepts a request; the run starts by itself. Await `finished(run)` for its end.

        Raises BadRequest (and its kinds) or Busy; then nothing was accepted.
        """
        name, prompt = extract_mode_and_prompt(request.prompt, request.mode)
        row = MODES[name]
        if request.format not in (None, *row.formats):
            raise BadRequest(
                f"{name} cannot answer as {request.format!r}. Formats: {', '.join(row.formats)}."
            )
        self._refuse_if_full()
        if request.id in self._runs:
            raise BadRequest(f"The run id {request.id} is in use.")
        run = Run(request, row, prompt, self._settings, self._models)
        self._runs[run.id] = run
        self._tasks[run.id] = asyncio.create_task(self._carry_out(run), name=f"run {run.id}")
        return run

    async def finished(self, run: Run) -> str:
        """The run's output once it is on record; raises the LaiosError that it ended with."""
        task = self._tasks.get(run.id)
        if task:
            await asyncio.wait([task])
        if run.error:
            raise run.error
        assert run.output is not None
        return run.output

    def cancel(self, run_id: str) -> Run | None:
        """Ends a run; its caller gets `cancelled`, and it is still recorded. None: no such run."""
        task = self._tasks.get(run_id)
        if task:
            # Not at once: a task that is cancelled before its first step never runs at all.
            task.get_loop().call_soon(task.cancel)
        return self._runs.get(run_id)

    def runs(self) -> list[Run]:
        """Running and queued runs, oldest first."""
        return list(self._runs.values())

    def get(self, run_id: str) -> Run | None:
        return self._runs.get(run_id)

    def queue_position(self, run: Run) -> int | None:
        """1 for the run that is next, None for one that does not wait."""
        waiting = [each.id for each, _ in self._waiting]
        return waiting.index(run.id) + 1 if run.id in waiting else None

    def refuse_new(self) -> None:
        """From now on every request is answered `busy`: the daemon is going away."""
        self._closing = True

    async def drain(self, grace_s: float) -> None:
        """Waits for the runs to finish; cancels those that have not after `grace_s`. All of them
        are on record when it returns."""
        self.refuse_new()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=grace_s)
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # --- a run's life --------------------------------------------------------------------------

    async def _carry_out(self, run: Run) -> None:
        output: str | None = None
        error: LaiosError | None = None
        try:
            await self._turn(run)
            try:
                output = await self._perform(run)
            finally:
                self._next_turn()
        except asyncio.CancelledError:
            error = Cancelled("The run was cancelled.")
        except LaiosError as caught:
            error = caught
        except Exception:
            log.exception("run %s (%s) broke", run.id, run.mode.name)
            error = LaiosError("laios made a mistake. The log has the details.")
        closing = asyncio.ensure_future(self._close(run, output, error))
        while not closing.done():
            with suppress(asyncio.CancelledError):  # whoever cancels now comes too late
                await asyncio.shield(closing)

    async def _close(self, run: Run, output: str | None, error: LaiosError | None) -> None:
        """Puts the run on record, then tells those who wait."""
        try:
            await self._history.append(report(run, output, error))
        except Exception:
            log.exception("run %s could not be recorded", run.id)
        del self._runs[run.id], self._tasks[run.id]
        run.finish(output, error)
        log.info(
            "run %s %s in %d ms: %s",
            run.id,
            run.mode.name,
            run.duration_ms,
            error.code if error else "ok",
        )

    async def _perform(self, run: Run) -> str:
        await self._models.resolve(run.settings)
        run.begin()
        try:
            async with asyncio.timeout_at(run.deadline + FLOW_GRACE_S):
                task = await self._task(run)
                result = await run.mode.flow(run, task)
        except TimeoutError:
            raise RunTimeout("The run's time is used up. Raise RUN_TIMEOUT_S.") from None
        run.note(artefact=result.artefact)
        return result.text

    async def _task(self, run: Run) -> Task:
        context = await self._context(run) if run.mode.with_context else ""
        run.plan_window(context)
        return Task(
            prompt=run.prompt, context=context, format=run.request.format or run.mode.formats[0]
        )

    async def _context(self, run: Run) -> str:
        """The history block, trimmed to its budget and to what the coder's window leaves."""
        settings = run.settings
        if not self._models.for_role("coder", settings).profile.takes_context:
            return ""
        room = await self._models.longest_prompt("coder", settings)
        budget = min(
            settings.HISTORY_CONTEXT_TOKENS, room - estimate(run.prompt) - INSTRUCTION_TOKENS
        )
        records = await asyncio.to_thread(
            self._history.load_recent_records,
            settings.HISTORY_CONTEXT_RECORDS,
            run.request.session,
        )
        block, ids = history_block(records, budget)
        run.note(context_ids=ids)
        return block

    # --- turns ---------------------------------------------------------------------------------

    def _limit(self) -> int:
        limit = self._settings.MAX_CONCURRENT_RUNS
        if limit is None:
            limit = 1 if self._models.share_memory(self._settings) else CONCURRENT_REMOTE_RUNS
        return limit

    def _refuse_if_full(self) -> None:
        if self._closing:
            raise Busy("laios is stopping. Try again when it is back.")
        # Accepted runs take their place when their task first runs: all that do not run count.
        if len(self._runs) >= self._settings.MAX_QUEUED_RUNS + self._limit():
            raise Busy(
                f"{len(self._runs)} runs are running or waiting. Try again later, or raise "
                "MAX_QUEUED_RUNS."
            )

    async def _turn(self, run: Run) -> None:
        """Waits until the run may start."""
        if self._running < self._limit() and not self._waiting:
            self._running += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (run, turn)
        self._waiting.append(entry)
        run.emit("queued", position=len(self._waiting))
        try:
            await turn
        except asyncio.CancelledError:
            if entry in self._waiting:
                self._waiting.remove(entry)
            elif not turn.cancelled():  # its turn had come in the same moment
                self._next_turn()
            raise

    def _next_turn(self) -> None:
        self._running -= 1
        while self._waiting and self._running < self._limit():
            _, turn = self._waiting.popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(None)
