"""The calls of one run to its models: one window for all of them, and the next stage's model loaded
while the present one writes."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from config import Settings
from pipeline.errors import LaiosError, ModelTimeout
from pipeline.model import GENERAL, Call, Model, OneWindow
from pipeline.model_request import ModelRequest
from pipeline.roles import Models, calls_at_a_time, keep_alive
from pipeline.sampling import for_model
from pipeline.task import Task
from pipeline.tokens import estimate, estimate_messages, most_tokens

SPARE_TOKENS = 64  # of a share: an estimate may be short by some, and the engine writes ahead


def usual_window(settings: Settings, tokens: int = 0) -> int:
    """The window for a request of so many tokens: with it, the stages' own instructions and a draft
    of usual length, and the longest answer."""
    return tokens + 2 * GENERAL.instruction_tokens + settings.MAX_OUTPUT_TOKENS


class CallPlan:
    """`roles`: those that the run's stages ask, in order. `logprobs` as in `Call`, for each."""

    def __init__(
        self,
        models: Models,
        settings: Settings,
        roles: Sequence[str],
        logprobs: int | None = None,
    ) -> None:
        self._models, self._settings, self._roles = models, settings, roles
        self._logprobs = logprobs
        self._window = 0
        self._preloading: asyncio.Task[None] | None = None

    def choose_window(self, task: Task, more: int = 0) -> None:
        """Chooses the window for the whole run, so that its stages do not make the backend reload;
        `more` tokens for what else its prompts will hold."""
        self._window = usual_window(self._settings, more + most_tokens(task.material))

    async def call(self, model: Model, question: ModelRequest, deadline: float, n: int = 1) -> Call:
        """The call, with a window that holds the prompt and `n` answers. Raises ModelError and
        ContextTooLong."""
        settings = self._settings
        limit = question.max_tokens or settings.MAX_OUTPUT_TOKENS
        try:
            async with asyncio.timeout_at(deadline):
                await self._models.probe(model)
                facts = await self._models.facts_of(model)
                prompt = await asyncio.to_thread(question.prompt_for, model, facts)
                estimated = estimate_messages(prompt.messages) + estimate(prompt.tools.text)
                most = estimate_messages(prompt.messages, most_tokens) + estimate(prompt.tools.text)
                wanted = max(self._window, most + limit)
                window = await self._models.window(model, wanted, estimated, settings)
        except TimeoutError:
            raise ModelTimeout(f"{model.name} did not say in time whether it is there.") from None
        if model.shares_memory:
            self._models.last_used = model.name
        return Call(
            role=question.role,
            **prompt._asdict(),
            context_tokens=window,
            max_tokens=min(limit, self._room(model, window, estimated, n)),
            temperature=for_model(question.temperature, model.name),
            schema=question.schema,
            think=question.think,
            keep_alive=keep_alive(question.role, settings),
            logprobs=self._logprobs if question.logprobs is None else question.logprobs,
            stop=question.stop,
        )

    def _room(self, model: Model, window: int, prompt: int, n: int) -> int:
        """Tokens for each of `n` answers: what the prompt leaves of the window, or of this run's
        share where runs share one (the embedded engine with MAX_CONCURRENT_RUNS), as long as the
        prompt takes less than half of that; otherwise the call waits until it has the window to
        itself."""
        if not isinstance(model, OneWindow):
            return window - prompt
        if n == 1:
            at_a_time = calls_at_a_time(self._models, self._settings)
            share = window // min(at_a_time, model.most_answers) - SPARE_TOKENS
            window = share if at_a_time > 1 and prompt < share // 2 else window
        return (window - prompt) // n

    def next_load(self, role: str, beside: Model) -> Callable[[], None]:
        """What begins to load the model of the stage after `role`'s, if it is another one and fits
        `beside` this one: to be called at each piece of text, the first of which counts."""
        roles, settings = self._roles, self._settings
        follows = roles[roles.index(role) + 1 :] if role in roles else ()
        others = follows and self._models.name_for(follows[0], settings) != beside.name
        begun = not (others and settings.PRELOAD)

        def begin() -> None:
            nonlocal begun
            if not begun:
                begun = True
                self._preloading = asyncio.create_task(self._preload(follows[0], beside))

        return begin

    async def _preload(self, role: str, beside: Model) -> None:
        """A convenience: if it fails, the stage itself will say so."""
        with suppress(LaiosError):
            await self._models.preload(role, beside, self._window, self._settings)

    def end(self) -> None:
        """Nothing more is loaded for this run."""
        if self._preloading:
            self._preloading.cancel()
