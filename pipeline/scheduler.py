"""Accept, queue, execute and record runs."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from config import Settings
from pipeline.context import ContextBuilder, RecordReader
from pipeline.errors import BadRequest, Busy, Cancelled, LaiosError, RunTimeout
from pipeline.memory import Memory
from pipeline.modes import LONGEST_WORD, MODES, Mode, Tagged, read_tags
from pipeline.queue import Queue
from pipeline.request import CHATS, Request, is_fresh
from pipeline.retriever import Retriever
from pipeline.role_rules import BUILT_IN, read_rules
from pipeline.roles import Models, calls_at_a_time
from pipeline.run import RUN_ID, Run
from pipeline.run_record import outcome, record_of, without_texts
from pipeline.task import Task
from pipeline.tracing import Tracer

log = logging.getLogger("laios.runs")

FLOW_GRACE_S = 5.0  # a flow ends itself at its deadline; one that does not is ended this much later

Observer = Callable[[Mapping[str, Any]], None]


class RecordStore(Protocol):
    """Where the records of runs are written."""

    async def append(self, record: Mapping[str, Any]) -> bool: ...


def _tagged(request: Request) -> tuple[Mode, Tagged]:
    """A request that brings its mode along is not searched for tags."""
    if request.row:
        prompt = request.task.prompt if request.task else request.prompt
        return request.row, Tagged(request.row.name, None, prompt)
    tagged = read_tags(request.prompt, request.mode, literal=request.literal)
    return MODES[tagged.mode], tagged


class Scheduler:
    """Accepts requests as runs and carries them out, a bounded number at a time. One per process.

    `settings` are those in force; they may be replaced at any time, and a run keeps those with
    which it was accepted."""

    def __init__(
        self,
        settings: Settings,
        models: Models,
        store: RecordStore,
        reader: RecordReader,
        observers: Iterable[Observer] = (),
        memory: Memory | None = None,
        documentation: Retriever | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        """`observers` get each run's record when it is over; `memory` is asked for modes that take
        earlier solved requests, `documentation` is at every run's hand, `tracer` follows runs."""
        self.settings = settings
        self._models = models
        self._store = store
        self._observers = tuple(observers)
        self._context = ContextBuilder(models, reader, memory)
        self._documentation = documentation
        self._tracer = tracer
        self._used_ids: dict[str, None] = {}  # that a caller could give once more
        self._asked: deque[int] = deque(maxlen=1000)  # digests of what chats asked
        self.queue = Queue(self._limit, self._is_loaded)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._runs: dict[str, Run] = {}
        self._closing = False

    def refuse_ids(self, ids: Iterable[str]) -> None:
        """No run of a caller's may have one of these, the oldest first: they are on record."""
        self._used_ids.update(dict.fromkeys(ids))

    # --- for callers ---------------------------------------------------------------------------

    def submit(self, request: Request) -> Run:
        """Accepts a request; the run starts by itself. Await `finished(run)` for its end.

        Raises BadRequest (and its kinds) or Busy; then nothing was accepted.
        """
        row, tagged = _tagged(request)
        if request.format not in (None, *row.formats):
            able = [each for each in MODES.values() if request.format in each.formats]
            tags = dict.fromkeys(f"///{each.words[0]}" for each in able if each.words)
            can = f" {', '.join(tags)} can." if tags else ""
            raise BadRequest(
                f"{row.word} cannot answer as {str(request.format)[:LONGEST_WORD]!r}.{can} "
                f"Formats: {', '.join(row.formats)}."
            )
        if request.logprobs is not None and not row.verbatim:
            raise BadRequest(
                f"{row.word} gives no logprobs: its answer is put together of several. Ask for "
                "///raw (laios:raw), which passes on one model's reply."
            )
        settings = request.limits.applied(self.settings) if request.limits else self.settings
        self._refuse_if_full()
        if request.id and (request.id in self._runs or request.id in self._used_ids):
            raise BadRequest(f"The run id {request.id} is in use.")
        run = Run(request, row, tagged.prompt, settings, self._models, self._documentation)
        run.number = tagged.number
        run.repeated = self._is_repeated(request)
        if self._tracer:
            run.trace = self._tracer.begin(run)
        self._runs[run.id] = run
        self._remember(run.id)
        self._tasks[run.id] = asyncio.create_task(self._carry_out(run), name=f"run {run.id}")
        return run

    def _remember(self, run_id: str) -> None:
        """For as long as the guard lets a caller give it, whoever made it up."""
        self._used_ids[run_id] = None
        while self._used_ids and not is_fresh(oldest := next(iter(self._used_ids))):
            del self._used_ids[oldest]

    def _is_repeated(self, request: Request) -> bool:
        """Whether a chat asks the same once more (its button "regenerate"): of the same session, or
        the same turns of a frontend that names no session."""
        if request.session is None and request.source not in CHATS:
            return False
        typed = request.task and request.task.request  # more than the prompt: code, tests
        said = request.prompt, request.conversation, typed
        asked = hash((request.session, request.source, request.mode, *said))
        repeated = asked in self._asked
        self._asked.append(asked)
        return repeated

    async def finished(self, run: Run) -> str:
        """The run's output once it is on record; raises the LaiosError that it ended with."""
        await self.over(run)
        if run.error:
            raise run.error
        assert run.output is not None
        return run.output

    async def over(self, run: Run) -> None:
        """Returns when the run is on record, however it ended."""
        task = self._tasks.get(run.id)
        if task:
            await asyncio.wait([task])

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

    async def drain(self, grace_s: float) -> None:
        """Waits for the runs to finish; cancels those that have not after `grace_s`. All of them
        are on record when it returns. From now on every request is answered `busy`."""
        self._closing = True
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=grace_s)
        for run_id in list(self._tasks):
            self.cancel(run_id)
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    # --- a run's life --------------------------------------------------------------------------

    async def _carry_out(self, run: Run) -> None:
        RUN_ID.set(run.id)
        output: str | None = None
        error: LaiosError | None = None
        try:
            await self.queue.turn(run)
            try:
                output = await self._perform(run)
            finally:
                self.queue.leave(run)
        except asyncio.CancelledError:
            error = Cancelled("The run was cancelled.")
        except LaiosError as caught:
            error = caught
        except Exception:
            log.exception("run broke", extra={"mode": run.mode.name})
            error = LaiosError("Internal error in laios. The log has the details.")
        closing = asyncio.ensure_future(self._close(run, output, error))
        while not closing.done():
            with suppress(asyncio.CancelledError):  # whoever cancels now comes too late
                await asyncio.shield(closing)

    async def _close(self, run: Run, output: str | None, error: LaiosError | None) -> None:
        """Puts the run on record, then tells those who wait."""
        run.record = record_of(run, output, error)
        record = without_texts(run.record) if run.request.no_log else run.record
        try:
            await self._store.append(record)
        except Exception:
            log.exception("record lost")
        del self._runs[run.id], self._tasks[run.id]
        run.finish(output, error)
        self._tell_observers(run, record)
        log.info("run finished", extra={"mode": run.mode.name, **outcome(record)})

    def _tell_observers(self, run: Run, record: Mapping[str, Any]) -> None:
        traced = (run.trace.end,) if run.trace else ()
        for observe in (*self._observers, *traced):
            try:
                observe(record)
            except Exception:
                log.exception("an observer broke")

    async def _perform(self, run: Run) -> str:
        await self._models.resolve(run.settings)
        run.begin()
        limit = asyncio.timeout_at(run.deadline + FLOW_GRACE_S)
        try:
            async with limit:
                task = await self._task(run)
                result = await run.mode.flow(run, task)
        except TimeoutError:
            if not limit.expired():
                raise  # the flow's own
            raise RunTimeout("The run's time is used up. Raise RUN_TIMEOUT_S.") from None
        run.result = result
        run.keep(language=result.language)
        if result.artefact is not None:
            run.keep(artefact=result.artefact)
        return result.text

    async def _task(self, run: Run) -> Task:
        context = await self._context.build(run)
        run.keep(context_ids=list(context.ids), context_left_out=context.left_out)
        if context.left_out:
            run.emit("left_out", exchanges=context.left_out)
        rules = run.settings.PROMPTS_DIR
        task = replace(
            run.request.task or Task(run.prompt),
            exchanges=context.exchanges,
            previous_output=context.previous_output,
            preferences=run.request.preferences,
            preferences_are_shared=run.request.preferences_are_shared,
            rules=await asyncio.to_thread(read_rules, rules) if rules else BUILT_IN,
            format=run.request.format_of(run.mode.formats),
        )
        run.plan_window(task)
        return task

    # --- turns ---------------------------------------------------------------------------------

    def _limit(self) -> int:
        return calls_at_a_time(self._models, self.settings)

    def _is_loaded(self, run: Run) -> bool:
        """Whether the model that the run needs first, if any, is the one that worked last."""
        first = [self._models.name_for(role, self.settings) for role in run.mode.roles[:1]]
        return first in ([], [self._models.last_used])

    def _refuse_if_full(self) -> None:
        if self._closing:
            raise Busy("laios is stopping. Try again when it is back.")
        # Accepted runs take their place when their task first runs: all that do not run count.
        if len(self._runs) >= self.settings.MAX_QUEUED_RUNS + self._limit():
            raise Busy(
                f"The queue is full: {len(self._runs)} running or waiting. Try again later, or "
                "raise MAX_QUEUED_RUNS.",
                self.queue.retry_after_s(),
            )
