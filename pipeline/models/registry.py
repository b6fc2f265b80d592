"""The models of this process: which one plays which role, and how large a window each has."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from config import Settings
from pipeline.errors import (
    ContextTooLong,
    LaiosError,
    ModelError,
    ModelNotFound,
    ModelUnreachable,
    RoleNotPlayed,
    ToolsNotTaken,
)
from pipeline.model import Facts, Message, Model, ReadsAhead, Resident
from pipeline.models.providers import PROVIDERS, Backends
from pipeline.models.starter import STARTER
from pipeline.roles import AUTO, ROLES, keep_alive, model_names, setting_of

if TYPE_CHECKING:
    from pipeline.models.ollama_embedder import Vector

BUCKETS = tuple(4096 << n for n in range(9))  # 4k … 1M tokens
MIN_ANSWER_TOKENS = 256  # a window that leaves less than this for the answer is too small
LOOK_AGAIN_S = 10.0
PROBE_S = 2.0


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a role cannot be played now."""

    role: str
    model: str
    code: str
    message: str


class Registry:
    """The models of a process (`pipeline.roles.Models`). `resolve` must have run once before a role
    is asked for."""

    def __init__(self, settings: Settings) -> None:
        self._backends = Backends(settings)
        self._open: dict[str, Model] = {}
        self._auto = STARTER
        self._looked_at = float("-inf")
        self._looking = asyncio.Lock()
        self._facts: dict[str, Facts] = {}
        self._windows: dict[str, int] = {}
        self._suspects: dict[str, float] = {}  # until when others go first
        self._fit_together: set[frozenset[str]] = set()
        self.last_used: str | None = None  # of the models that share this machine's memory

    async def resolve(self, settings: Settings) -> None:
        """Looks for a real model while `auto` stands on the starter, at most every ten seconds.

        Never goes back: a daemon that has found a real model does not fall to the starter when
        Ollama is away for a moment; its calls say `model_unreachable` instead.
        """
        if not self.stands_on_starter(settings):
            return
        async with self._looking:  # the first run waits for what the start-up's look finds
            if self._auto != STARTER or time.monotonic() - self._looked_at < LOOK_AGAIN_S:
                return
            self._auto = await self._backends.best_installed() or STARTER
            self._looked_at = time.monotonic()

    def stands_on_starter(self, settings: Settings) -> bool:
        """Whether a role that is `auto` found no real model."""
        wanted = any(AUTO in model_names(role, settings) for role in ROLES)
        return wanted and self._auto == STARTER

    def name_for(self, role: str, settings: Settings) -> str:
        """The name of the model that would play the role now."""
        return self._names(role, settings)[0]

    def candidates(self, role: str, settings: Settings) -> list[Model]:
        """The models that can play the role, in the order in which to try them: as the settings
        name them, but those last that could not be had a moment ago.

        Raises ModelNotFound for a name that no backend can have and RoleNotPlayed for a model that
        was not made for the role, if there is no other.
        """
        fit: list[Model] = []
        refusal: ModelNotFound | None = None
        for name in self._names(role, settings):
            try:
                fit.append(self._playing(role, name, settings))
            except ModelNotFound as error:
                refusal = refusal or error
        if refusal and not fit:
            raise refusal
        return fit

    def for_role(self, role: str, settings: Settings) -> Model:
        """The first of `candidates`."""
        return self.candidates(role, settings)[0]

    def pass_over(self, model: Model, settings: Settings) -> None:
        """The model could not be had: for a while others go first."""
        self._suspects[model.name] = time.monotonic() + settings.COOL_DOWN_S

    async def probe(self, model: Model) -> None:
        """Asks a model that could not be had lately whether it is there, before a prompt waits for
        it. Raises what its backend raises."""
        if model.name in self._suspects:
            try:
                async with asyncio.timeout(PROBE_S):
                    await model.facts()
            except TimeoutError:
                raise ModelUnreachable(f"{model.name} does not answer.") from None
            self._suspects.pop(model.name, None)

    def _names(self, role: str, settings: Settings) -> list[str]:
        names = [self._auto if name == AUTO else name for name in model_names(role, settings)]
        now = time.monotonic()
        return sorted(names, key=lambda name: self._suspects.get(name, 0.0) > now)

    def _playing(self, role: str, name: str, settings: Settings) -> Model:
        model = self._get(name, settings)
        if model.roles is not None and role not in model.roles:
            raise RoleNotPlayed(
                f"{model.name} cannot play the {role}; it plays {', '.join(sorted(model.roles))}.",
                f"Set {setting_of(role)} to a general model, such as ollama/qwen2.5-coder:7b.",
            )
        return model

    async def window(self, model: Model, wanted: int, estimated: int, settings: Settings) -> int:
        """The window for a call, in tokens: the smallest bucket that holds what is wanted, and
        never less than the model was given before (Ollama reloads a model when it changes).

        Raises ContextTooLong if the prompt leaves no room for an answer.
        """
        most = await self._longest_window(model, settings)
        if estimated + min(MIN_ANSWER_TOKENS, most // 4) > most:
            raise ContextTooLong(
                f"The prompt is about {estimated} tokens long and {model.name} takes {most} with "
                "the answer. Shorten it, raise MAX_CONTEXT_TOKENS or use a model with a longer "
                "window. Nothing was cut."
            )
        bucket: int = next((size for size in BUCKETS if size >= wanted), most)
        window = min(most, max(bucket, self._windows.get(model.name, 0)))
        self._windows[model.name] = window
        return window

    async def preload(self, role: str, beside: Model, wanted: int, settings: Settings) -> None:
        """Loads the role's model while another one works, if its host has shown both loaded at
        once: loading what does not fit would push out the model that is at work."""
        model = self.for_role(role, settings)
        if model is beside or not isinstance(model, Resident):
            return
        loaded = await model.loaded()
        pair = frozenset((model.name, beside.name))
        if pair <= loaded:
            self._fit_together.add(pair)
        elif pair in self._fit_together and beside.name in loaded:
            window = await self.window(model, wanted, 0, settings)
            await model.preload(window, keep_alive(role, settings))

    async def read_ahead(
        self, role: str, messages: Sequence[Message], wanted: int, settings: Settings
    ) -> bool:
        """Has the role's model read the beginning of its prompts, where it can; whether it did.
        Raises what its backend raises."""
        model = self.for_role(role, settings)
        if not isinstance(model, ReadsAhead):
            return False
        await model.read_ahead(messages, await self.window(model, wanted, 0, settings))
        return True

    async def longest_prompt(self, role: str, settings: Settings) -> int:
        """The tokens that a role's prompt may have when its answer has room. A model that cannot be
        asked now counts as one without a limit of its own: the stage itself will say so."""
        try:
            most = await self._longest_window(self.for_role(role, settings), settings)
        except ModelError:
            most = settings.MAX_CONTEXT_TOKENS
        return most - min(settings.MAX_OUTPUT_TOKENS, most // 2)

    async def _longest_window(self, model: Model, settings: Settings) -> int:
        length = (await self._facts_of(model)).context_length
        return min(settings.MAX_CONTEXT_TOKENS, length or 2**31)

    async def control_tokens(self, model: Model) -> frozenset[str]:
        """The model's own, as far as its backend knows them. Raises what its backend raises."""
        return (await self._facts_of(model)).control_tokens

    async def require_tools(self, model: Model) -> None:
        """Raises ToolsNotTaken for a model that is known to call none. One that cannot be asked now
        says so when it is called."""
        takes: bool | None = None
        with suppress(ModelError):
            takes = (await self._facts_of(model)).takes_tools
        if takes is False:
            raise ToolsNotTaken(model.name)

    async def can_call_tools(self, role: str, settings: Settings) -> bool:
        """Whether one of the role's models calls tools, as far as is known; of a name that no
        backend can have the run that needs it says what is wrong."""
        await self.resolve(settings)
        try:
            candidates = self.candidates(role, settings)
        except ModelNotFound as error:
            return not isinstance(error, RoleNotPlayed)
        for model in candidates:
            with suppress(ToolsNotTaken):
                await self.require_tools(model)
                return True
        return False

    async def _facts_of(self, model: Model) -> Facts:
        if model.name not in self._facts:
            self._facts[model.name] = await model.facts()
        return self._facts[model.name]

    def share_memory(self, settings: Settings) -> bool:
        """Whether a role's model lives in this machine's memory. A name that no backend can have
        counts as no: the run that needs it says what is wrong with it."""
        for role in ROLES:
            with suppress(ModelNotFound):
                if any(model.shares_memory for model in self.candidates(role, settings)):
                    return True
        return False

    async def problems(self, settings: Settings) -> list[Problem]:
        """What stands in the way of a run now, asked of the backends; [] when all is well."""
        await self.resolve(settings)
        found = await asyncio.gather(*(self._problem(role, settings) for role in ROLES))
        return [problem for problem in found if problem]

    async def _problem(self, role: str, settings: Settings) -> Problem | None:
        """What the first model says, if none of the role's models is there."""
        first: Problem | None = None
        try:
            for model in self.candidates(role, settings):
                try:
                    await model.facts()
                    return None
                except LaiosError as error:
                    first = first or Problem(role, model.name, error.code, error.message)
        except ModelNotFound as error:
            first = Problem(role, self.name_for(role, settings), error.code, error.message)
        return first

    def _get(self, name: str, settings: Settings) -> Model:
        if name not in self._open:
            provider, _, rest = name.partition("/")
            provider = provider.partition("@")[0]
            if not rest:
                raise ModelNotFound(
                    f"{name!r} is no model name. Write provider/name, such as ollama/{name}."
                )
            make = PROVIDERS.get(provider, PROVIDERS["*"])
            self._open[name] = make(self._backends, name, settings)
        return self._open[name]

    async def embed(self, texts: Sequence[str]) -> "Sequence[Vector] | None":
        """A vector for each text, by an embedding model of Ollama's; None where there is none."""
        return await self._backends.embedder.embed(texts)

    async def close(self) -> None:
        """Gives back every connection and process."""
        for model in self._open.values():
            await model.close()
        await self._backends.close()
