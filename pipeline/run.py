"""One run: its clock, its deadline, its steps, its events and what it leaves for the record.

Stages ask models through `Run.ask`, where every call gets its window, its deadline and its
step; flows say what came of it through `Run.keep`. A flow never writes history.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, aclosing, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from config import Settings
from pipeline.analysis.evidence import Finding
from pipeline.call_plan import CallPlan
from pipeline.errors import (
    ContextTooLong,
    EmptyAnswer,
    LaiosError,
    ModelFailed,
    ModelNotFound,
    ModelTimeout,
    ModelUnreachable,
    RunTimeout,
)
from pipeline.events import Event, Events
from pipeline.model import Call, Delta, Model, Reply, SideBySide
from pipeline.model_answer import Answer, answer_of
from pipeline.model_call import chat, chat_several, is_scored
from pipeline.model_request import ModelRequest
from pipeline.modes import Mode
from pipeline.request import Request, new_id
from pipeline.retriever import Retriever
from pipeline.roles import Models, calls_at_a_time
from pipeline.run_record import RunFacts
from pipeline.step import Step, rounded
from pipeline.task import Result, Task
from pipeline.tracing import Trace

# Of the task's run, for the log.
RUN_ID: ContextVar[str | None] = ContextVar("run_id", default=None)


class Run:
    """A run from the moment that it is accepted. Made and driven by `pipeline.scheduler`.

    `documentation`: None where this process has none. `repeated`: the same was asked before in its
    session, so another answer is wanted. `number`: of the tag `///best=8`. `record`: of a run that
    is over, with all its texts."""

    def __init__(
        self,
        request: Request,
        row: Mode,
        prompt: str,
        settings: Settings,
        models: Models,
        documentation: Retriever | None = None,
    ) -> None:
        self.id = request.id or new_id()
        self.request = request
        self.mode = row
        self.prompt = prompt
        self.settings = settings
        self.documentation = documentation
        self.facts = RunFacts()
        self.steps: list[Step] = []
        self.logprobs: list[Mapping[str, Any]] = []
        self.thinking: list[str] = []
        self.result: Result | None = None
        self.output: str | None = None
        self.error: LaiosError | None = None
        self.record: Mapping[str, Any] | None = None
        self.repeated = False
        self.number: int | None = None
        self.trace: Trace | None = None
        self.state: Literal["queued", "running", "done"] = "queued"
        self.accepted_at = datetime.now(UTC)
        self.queue_ms = 0.0
        self.deadline = float("inf")  # when its time is used up, on the event loop's clock
        self._models = models
        self._clock = time.monotonic()
        self._begun = False
        self._queue_ms_told = False
        self._events = Events(keep_text=request.streams)
        self._plan = CallPlan(models, settings, row.roles, request.logprobs)

    # --- clock ---------------------------------------------------------------------------------

    @property
    def elapsed_ms(self) -> float:
        """Since the run was accepted, waiting included."""
        return (time.monotonic() - self._clock) * 1000

    @property
    def duration_ms(self) -> float:
        """Of the run itself: waiting is not included, and what never had its turn took no time."""
        return self.elapsed_ms - self.queue_ms if self._begun else 0.0

    @property
    def left_s(self) -> float:
        """The seconds that it may still take."""
        return self.deadline - asyncio.get_running_loop().time()

    def begin(self) -> None:
        """The run has its turn: from here on its deadline counts."""
        self.state, self._begun = "running", True
        self.queue_ms = self.elapsed_ms
        limit = self.settings.RUN_TIMEOUT_S * self.mode.timeout_factor
        self.deadline = asyncio.get_running_loop().time() + limit
        self.emit("started", mode=self.mode.name, queue_ms=round(self.queue_ms))

    def finish(self, output: str | None, error: LaiosError | None) -> None:
        """The run is over and on record."""
        self._plan.end()
        self.state = "done"
        self.output, self.error = output, error
        outcome = error.code if error else "ok"
        self.emit("done", outcome=outcome, duration_ms=round(self.duration_ms))
        self._events.end()

    # --- models --------------------------------------------------------------------------------

    def plan_window(self, task: Task, more: int = 0) -> None:
        """Chooses one window for all calls; `more` tokens beside the task and a usual draft."""
        self._plan.choose_window(task, more)

    @property
    def calls_at_a_time(self) -> int:
        """How many calls of this run may be under way together."""
        return calls_at_a_time(self._models, self.settings)

    async def room(self, role: str) -> int:
        """The tokens that a prompt for the role may have, with its answer still to come."""
        return await self._models.longest_prompt(role, self.settings)

    async def ask(self, question: ModelRequest) -> Answer:
        """Has the role's model answer, or the next one that the settings name where the first
        cannot be had, or `auto` takes where it is gone; one step in the record for each call.

        Raises ModelError or ContextTooLong; RunTimeout when the run has no time left.
        """
        chosen = self._models.auto
        try:
            return await self._ask_first(question)
        except ModelNotFound:
            if await self._models.replace_missing(question.role, chosen, self.settings):
                return await self._ask_first(question)
            raise

    async def _ask_first(self, question: ModelRequest) -> Answer:
        candidates = self._models.candidates(question.role, self.settings)
        turn = question.turn % len(candidates)
        *others, last = [*candidates[turn:], *candidates[:turn]]
        for model in others:
            with suppress(ModelUnreachable, ModelNotFound):
                return await self._ask(model, question)
        return await self._ask(last, question)

    def model_name(self, role: str) -> str:
        """Of the model that would play the role now."""
        return self._models.name_for(role, self.settings)

    def is_apart(self, role: str) -> bool:
        """Whether another model plays the role than the coder's: it has read nothing of the run."""
        return self.model_name(role) != self.model_name("coder")

    def is_general(self, role: str) -> bool:
        """Whether the role's model answers any prompt, not only those that it was trained on."""
        return role not in self._models.for_role(role, self.settings).profile.writers

    def scores_tokens(self, role: str) -> bool:
        """Whether the role's model says how likely the first word of its answer was."""
        model = self._models.for_role(role, self.settings)
        return self.is_general(role) and is_scored(model, 1)

    async def answers_at_once(self, role: str) -> int:
        """How many answers the role's model writes side by side for little more than one costs."""
        model = self._models.for_role(role, self.settings)
        return await model.cheap_answers() if isinstance(model, SideBySide) else 1

    async def ask_several(self, question: ModelRequest, n: int) -> AsyncGenerator[Answer]:
        """`n` answers of the role's first model to one prompt, written side by side; n is at most
        `answers_at_once`. Each comes as soon as it is complete; who closes this ends the others. A
        step for each, numbered in its label and round from the question's round on; an answer that
        failed alone has no text. Raises as `ask` does."""
        model = self._models.for_role(question.role, self.settings)
        assert isinstance(model, SideBySide)
        with ExitStack() as stack:
            opened = [stack.enter_context(ExitStack()) for _ in range(n)]
            steps = [
                each.enter_context(
                    self.step(question.role, f"{question.label} {number}", number, model.name)
                )
                for number, each in enumerate(opened, question.round)
            ]
            with self._typed(model) as deadline:
                call = await self._plan.call(model, question, deadline, n)
                if self.trace:
                    call = self.trace.sending(steps, call)
                replies = chat_several(
                    model,
                    call,
                    n,
                    deadline=deadline,
                    on_delta=lambda number, _: steps[number].count_piece(self.duration_ms),
                )
                async with aclosing(replies):
                    try:
                        async for number, reply in replies:
                            answer = self._answer(steps[number], reply, call)
                            opened[number].close()
                            yield answer
                    except GeneratorExit:
                        task = asyncio.current_task()
                        is_cancelled = bool(task and task.cancelling())
                        for step, each in zip(steps, opened, strict=True):
                            step.leave_unfinished(is_cancelled)
                            each.close()
                        raise

    async def _ask(self, model: Model, question: ModelRequest) -> Answer:
        tools, images = bool(question.tools), question.images
        if tools or images:
            await self._models.require(model, tools=tools, images=images)
        with (
            self.step(question.role, question.label, question.round, model.name) as step,
            self._typed(model) as deadline,
        ):
            call = await self._plan.call(model, question, deadline)
            if self.trace:
                call = self.trace.sending([step], call)
            told = self._deltas_of(question.role, model)
            try:
                reply = await chat(model, call, deadline=deadline, on_delta=told)
            except EmptyAnswer as error:
                step.fill(error.reply)
                raise
            return self._answer(step, reply, call)

    def _answer(self, step: Step, reply: Reply | EmptyAnswer, call: Call) -> Answer:
        if self.trace and isinstance(reply, Reply):
            self.trace.received(step, reply)
        return answer_of(step, reply, call)

    @contextmanager
    def _typed(self, model: Model) -> Iterator[float]:
        """Around a call: gives its deadline. A model that cannot be had is passed over, the window
        of a call that failed is not kept, and a time-out at the run's end is the run's."""
        now = asyncio.get_running_loop().time
        try:
            yield min(self.deadline, now() + self.settings.MODEL_TIMEOUT_S)
        except (ModelUnreachable, ModelNotFound):
            self._models.pass_over(model, self.settings)
            raise
        except EmptyAnswer:
            raise  # it was loaded, and answered
        except (ModelFailed, ContextTooLong):
            self._models.forget_window(model)
            raise
        except ModelTimeout:
            if now() < self.deadline:
                raise
            limit = self.settings.RUN_TIMEOUT_S * self.mode.timeout_factor
            raise RunTimeout(
                f"The run's {limit:g} seconds are used up. Raise RUN_TIMEOUT_S, or use a faster "
                "model."
            ) from None

    def _deltas_of(self, role: str, model: Model) -> Callable[[Delta], None]:
        """Passes text on; its first piece lets the next role's model begin to load."""
        load_next = self._plan.next_load(role, model)

        def pass_on(delta: Delta) -> None:
            load_next()
            if delta.logprobs and self.request.logprobs is None:
                delta = replace(delta, logprobs=())
            self.logprobs += delta.logprobs
            self.thinking.append(delta.thinking)
            self._events.emit_text(role, delta)

        return pass_on

    # --- what happened -------------------------------------------------------------------------

    @contextmanager
    def step(
        self, stage: str, label: str = "", round: int = 1, model: str | None = None
    ) -> Iterator[Step]:
        """Records a piece of work while it goes on, whatever way it ends."""
        started = self.duration_ms
        step = Step(stage, label, round, model, started)
        if not self._queue_ms_told:
            step.queue_ms, self._queue_ms_told = self.queue_ms, True
        self.steps.append(step)
        about: dict[str, Any] = {"stage": stage, "label": label, "round": round, "model": model}
        self.emit("step", state="started", **about)
        try:
            yield step
        except BaseException as error:
            step.fail(error)
            raise
        finally:
            step.duration_ms = self.duration_ms - started
            self.emit(
                "step",
                state="done",
                **about,
                duration_ms=rounded(step.duration_ms),
                error=step.error["code"] if step.error else None,
            )

    def keep(self, **facts: Any) -> None:
        """Keeps facts for the record, by its names (see `RunFacts`)."""
        for name, value in facts.items():
            setattr(self.facts, name, value)

    def add_evidence(self, findings: Iterable[Finding]) -> None:
        self.facts.evidence.extend(findings)

    def emit(self, event: str, **facts: Any) -> None:
        """Tells every listener, and those that come later."""
        self._events.emit(
            {"event": event, "run": self.id, "at_ms": round(self.elapsed_ms), **facts}
        )

    def events(self, *, text: bool = False) -> AsyncGenerator[Event, None]:
        """What has happened so far, then what happens, until the run is over. With `text` also the
        models' text as it arrives (from now on, unless the request `streams`)."""
        return self._events.listen(text=text)

    def summary(self) -> dict[str, Any]:
        """What `GET /runs` shows: no prompt text."""
        step = self.steps[-1] if self.steps else None
        return {
            "id": self.id,
            "state": self.state,
            "mode": self.mode.name,
            "source": self.request.source,
            "session": self.request.session,
            "accepted": self.accepted_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "elapsed_ms": round(self.elapsed_ms),
            "stage": step.stage if step else None,
            "model": step.model if step else None,
        }
