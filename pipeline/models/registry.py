"""The models of this process: which one plays which role, and how large a window each has."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from config import Settings, with_provider
from pipeline.errors import (
    ContextTooLong,
    GeneralModelNeeded,
    LaiosError,
    ModelError,
    ModelNotFound,
    ModelUnreachable,
    RoleNotPlayed,
)
from pipeline.model import Facts, Message, Model, ReadsAhead
from pipeline.model_residence import LoadedModel, Parallel, Resident, Residing, Stored, StoredModel
from pipeline.models.auto_model import AutoModel
from pipeline.models.known_facts import KnownFacts, refuse_unable
from pipeline.models.model_file import NO_TEMPLATE
from pipeline.models.model_problems import Notice, Problem
from pipeline.models.providers import PROVIDERS, Backends
from pipeline.models.starter import STARTER
from pipeline.models.window import more_room, smallest_window
from pipeline.roles import AUTO, ROLES, keep_alive, model_names
from pipeline.small_models import NO_JUDGE, is_small

if TYPE_CHECKING:
    from pipeline.analysis.similarity import Vector
    from pipeline.models.ollama_embedder import Embedder

MIN_ANSWER_TOKENS = 256  # a window that leaves less than this for the answer is too small
PROBE_S = 2.0


class Registry:
    """The models of a process (`pipeline.roles.Models`). `resolve` must have run once before a role
    is asked for."""

    def __init__(self, settings: Settings) -> None:
        self._backends = Backends(settings)
        self._open: dict[str, Model] = {}
        self._auto = AutoModel(self._backends)
        self._facts = KnownFacts()
        self._windows: dict[str, int] = {}
        self._suspects: dict[str, float] = {}  # until when others go first
        self._fit_together: set[frozenset[str]] = set()
        self.last_used: str | None = None  # of the models that share this machine's memory

    async def resolve(self, settings: Settings) -> None:
        """Sees to it that `auto` stands for the best model that is installed."""
        await self._backends.load(name for role in ROLES for name in model_names(role, settings))
        if self.uses_auto(settings):
            await self._auto.look()
            await self._auto.weigh(settings)

    @property
    def auto(self) -> str:
        """The model that `auto` stands for."""
        return self._auto.name

    async def replace_missing(self, role: str, chosen: str, settings: Settings) -> bool:
        """The role's model is gone: whether `auto`, which had `chosen`, has another one now."""
        if AUTO not in model_names(role, settings):
            return False
        if self._auto.name == chosen:
            await self._auto.look(at_once=True)
        return self._auto.name != chosen

    def stands_on_starter(self, settings: Settings) -> bool:
        """Whether a role that is `auto` found no real model."""
        of_auto = [role for role in ROLES if AUTO in model_names(role, settings)]
        return any(self._auto.beside(role, settings) == [STARTER] for role in of_auto)

    def uses_auto(self, settings: Settings) -> bool:
        return any(AUTO in model_names(role, settings) for role in ROLES)

    def name_for(self, role: str, settings: Settings) -> str:
        """The name of the model that would play the role now."""
        return self.names_for(role, settings)[0]

    def candidates(self, role: str, settings: Settings) -> list[Model]:
        """The models that can play the role, in the order in which to try them. Raises what
        `playing` raises, if there is no other."""
        fit: list[Model] = []
        refusal: ModelNotFound | None = None
        for name in self.names_for(role, settings):
            try:
                fit.append(self.playing(role, name, settings))
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

    def names_for(self, role: str, settings: Settings) -> list[str]:
        """As the settings name them, but those last that could not be had a moment ago."""
        auto = self._auto.beside(role, settings)
        said = ([name] if name != AUTO else auto for name in model_names(role, settings))
        names = dict.fromkeys(chain.from_iterable(said))
        now = time.monotonic()
        return sorted(names, key=lambda name: self._suspects.get(name, 0.0) > now)

    def playing(self, role: str, name: str, settings: Settings) -> Model:
        """The model of this name in the role. Raises ModelNotFound for one that no backend can
        have, or that was not made for the role (GeneralModelNeeded)."""
        model = self._get(name, settings)
        if model.roles is not None and role not in model.roles:
            raise GeneralModelNeeded(model.name)
        return model

    async def window(self, model: Model, wanted: int, estimated: int, settings: Settings) -> int:
        """The window for a call, in tokens: the smallest bucket that holds what is wanted, and
        never less than the model was given before (Ollama reloads a model when it changes).

        Raises ContextTooLong if the prompt leaves no room for an answer.
        """
        most = await self._longest_window(model, settings)
        if estimated + min(MIN_ANSWER_TOKENS, most // 4) > most:
            trained = (await self.facts_of(model)).context_length
            raise ContextTooLong(
                f"The prompt is about {estimated} tokens long, and {model.name} takes {most} "
                f"including the answer. {more_room(trained, settings)} Nothing was cut."
            )
        window = min(most, max(smallest_window(wanted, most), self._windows.get(model.name, 0)))
        self._windows[model.name] = window
        return window

    def forget_window(self, model: Model) -> None:
        """A call failed, perhaps for its window: the next one's is only as large as it needs."""
        self._windows.pop(model.name, None)

    async def preload(self, role: str, beside: Model, wanted: int, settings: Settings) -> None:
        """Loads the role's model while another one works, if its host has shown both loaded at
        once: loading what does not fit would push out the model that is at work."""
        model = self.for_role(role, settings)
        if model is beside or not isinstance(model, Resident):
            return
        loaded = set(await model.loaded())
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
        """The tokens that a role's prompt may have when its answer has room."""
        most = await self.longest_window(role, settings)
        return most - min(settings.MAX_OUTPUT_TOKENS, most // 2)

    async def longest_window(self, role: str, settings: Settings) -> int:
        """The tokens that a role's prompt and answer may have together. A model that cannot be
        asked now counts as one without a limit of its own: the stage itself will say so."""
        try:
            return await self._longest_window(self.for_role(role, settings), settings)
        except ModelError:
            return settings.MAX_CONTEXT_TOKENS

    async def _longest_window(self, model: Model, settings: Settings) -> int:
        length = (await self.facts_of(model)).context_length
        return min(settings.MAX_CONTEXT_TOKENS, length or 2**31)

    async def require(self, model: Model, *, tools: bool, images: bool) -> None:
        """Raises ToolsNotTaken or ImagesNotTaken for a model that is known to take none. One that
        cannot be asked now says so when it is called."""
        facts = Facts()
        with suppress(ModelError):
            facts = await self.facts_of(model)
        refuse_unable(model.name, facts, tools=tools, images=images)

    async def can_take(
        self, role: str, settings: Settings, *, tools: bool = False, images: bool = False
    ) -> bool:
        """Whether one of the role's models takes them, as far as is known; of a name that no
        backend can have the run that needs it says what is wrong."""
        await self.resolve(settings)
        try:
            candidates = self.candidates(role, settings)
        except ModelNotFound as error:
            return not isinstance(error, RoleNotPlayed)
        for model in candidates:
            with suppress(RoleNotPlayed):
                await self.require(model, tools=tools, images=images)
                return True
        return False

    async def facts_of(self, model: Model) -> Facts:
        """What its backend said of it lately. Raises what its backend raises."""
        return await self._facts.of(model)

    def local_calls(self, settings: Settings) -> int | None:
        """How many calls the roles' models in this machine's memory answer side by side: several
        models one, because they could push each other out; None where no model lives there."""
        local: dict[str, Model] = {}
        for role in ROLES:
            with suppress(ModelNotFound):  # the run that needs it says what is wrong
                found = self.candidates(role, settings)
                local |= {model.name: model for model in found if model.shares_memory}
        each = [m.calls_at_a_time() if isinstance(m, Parallel) else 1 for m in local.values()]
        return None if not each else each[0] if len(each) == 1 else 1

    async def loaded_models(self, settings: Settings) -> list[LoadedModel]:
        """Those of the roles that are in memory now; of hosts that do not answer, none."""
        found: dict[str, LoadedModel] = {}
        for model in self._of_roles(ROLES, settings):
            if isinstance(model, Residing) and model.name not in found:
                with suppress(LaiosError):
                    if row := (await model.loaded()).get(model.name):
                        found[model.name] = row
        return list(found.values())

    async def stored_models(
        self, settings: Settings, roles: Iterable[str]
    ) -> dict[str, StoredModel]:
        """The files of the roles' models, by name, as far as they are known."""
        found: dict[str, StoredModel] = {}
        for model in self._of_roles(roles, settings):
            if isinstance(model, Stored) and model.name not in found:
                with suppress(LaiosError):
                    if files := await model.stored():
                        found[model.name] = files
        return found

    def _of_roles(self, roles: Iterable[str], settings: Settings) -> Iterator[Model]:
        for role in roles:
            with suppress(ModelNotFound):
                yield self.for_role(role, settings)

    async def problems(self, settings: Settings) -> list[Problem]:
        """What stands in the way of a run now, asked of the backends; [] when all is well."""
        await self.resolve(settings)
        found = await self._problems(settings)
        gone = {problem.model for problem in found if problem.code == "model_not_found"}
        if self.auto in gone:
            await self._auto.look(at_once=True)
            found = await self._problems(settings)
        return found

    async def _problems(self, settings: Settings) -> list[Problem]:
        """One for all roles of which the same is to be said."""
        together: dict[tuple[str, str, str], list[str]] = {}
        found = await asyncio.gather(*(self._problem(role, settings) for role in ROLES))
        for role, said in zip(ROLES, found, strict=True):
            if said:
                together.setdefault(said, []).append(role)
        return [Problem(tuple(roles), *said) for said, roles in together.items()]

    async def notices(self, settings: Settings) -> list[Notice]:
        """What works and yet should be known: a better model that is gone, models without a chat
        template, a judge that is none. Those that cannot be asked are left to `problems`."""
        names = dict.fromkeys(self.name_for(role, settings) for role in ROLES)
        found = await asyncio.gather(*(self._template_notice(name, settings) for name in names))
        gone = Notice("replaced", self.auto, self._auto.warning) if self._auto.warning else None
        judge = self.name_for("judge", settings)
        none = Notice("no_judge", judge, f"{judge} {NO_JUDGE}") if is_small(judge) else None
        return [notice for notice in (gone, *found, none) if notice]

    async def _template_notice(self, name: str, settings: Settings) -> Notice | None:
        with suppress(LaiosError):
            if not (await self._get(name, settings).facts()).has_chat_template:
                return Notice("no_chat_template", name, f"{name} {NO_TEMPLATE}")
        return None

    async def _problem(self, role: str, settings: Settings) -> tuple[str, str, str] | None:
        """Model, code and message of the first model, if none of the role's models is there."""
        first: tuple[str, str, str] | None = None
        try:
            for model in self.candidates(role, settings):
                try:
                    await model.facts()
                    return None
                except LaiosError as error:
                    first = first or (model.name, error.code, error.message)
        except ModelNotFound as error:
            first = (self.name_for(role, settings), error.code, error.message)
        return first

    def _get(self, name: str, settings: Settings) -> Model:
        if name not in self._open:
            provider, _, rest = name.partition("/")
            provider = provider.partition("@")[0]
            if not rest:
                is_kept = self._backends.library.find(name) is not None
                meant = f"local/{name}" if is_kept else with_provider(name)
                raise ModelNotFound(
                    f"{name!r} is not a model name. Write provider/name, such as {meant}."
                )
            make = PROVIDERS.get(provider, PROVIDERS["*"])
            self._open[name] = make(self._backends, name, settings)
        return self._open[name]

    async def ollama_version(self) -> str | None:
        """The version of the Ollama server behind; None where none answers."""
        await self._backends.load_ollama()
        from pipeline.models.ollama_library import version

        with suppress(LaiosError):
            return await version(self._backends.ollama)
        return None

    async def embedder(self) -> "Embedder":
        """The embedding model of Ollama's, for callers who want vectors."""
        await self._backends.load_ollama()
        return self._backends.embedder

    async def embed(self, texts: Sequence[str]) -> "Sequence[Vector] | None":
        """A vector for each text, by an embedding model of Ollama's; None where there is none."""
        return await (await self.embedder()).embed(texts)

    async def close(self) -> None:
        """Gives back every connection and process."""
        await self._backends.close()
