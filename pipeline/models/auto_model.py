"""Which model `auto` stands for now."""

import asyncio
import logging
import time
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from config import Settings, expanded
from pipeline.models.adapter import split_adapters
from pipeline.models.auto import Installed, choose, installed_file
from pipeline.models.gguf import NotGguf, read_header
from pipeline.models.local import PROVIDER
from pipeline.models.local_library import is_library_name
from pipeline.models.machine import total_memory
from pipeline.models.model_file import size_of
from pipeline.models.starter import STARTER
from pipeline.roles import AUTO, model_names, setting_of
from pipeline.small_models import is_small

if TYPE_CHECKING:
    from pipeline.models.providers import Backends

LOOK_AGAIN_S = 10.0
OLLAMA = "ollama/"

log = logging.getLogger(__name__)


class AutoModel:
    """The best model that is installed, looked for again and again; the starter until there is one.

    `missed` is a better one that was taken before and is gone, "" where there is none.
    """

    def __init__(self, backends: "Backends") -> None:
        self._backends = backends
        self._looked_at = float("-inf")
        self._looking = asyncio.Lock()
        self._best: Installed | None = None  # the one of that name
        self._files: dict[str, Installed | None] = {}  # by their names as models
        self.name = STARTER
        self.missed = ""

    @property
    def warning(self) -> str:
        """What a person should know of it; "" where all is as usual."""
        if not self.missed:
            return ""
        return f"{self.missed} is gone; `auto` takes {self.name} until it is back."

    async def look(self, *, at_once: bool = False) -> None:
        """Takes what is best now; at most every ten seconds, unless `at_once`. The first run waits
        for what the start-up's look finds.

        Never goes back to the starter, and keeps a model of Ollama's while Ollama is away: its
        calls say `model_unreachable` instead.
        """
        async with self._looking:
            if not at_once and time.monotonic() - self._looked_at < LOOK_AGAIN_S:
                return
            installed = await self._backends.installed(self.name)
            self._looked_at = time.monotonic()
            best = choose(installed, total_memory())
            there = {model.name: model for model in installed}
            self._best = there[best] if best else self._best
            if best and best != self.name:
                self._take(best, there.keys())

    async def weigh(self, settings: Settings) -> None:
        """Reads what the files are that the coder's setting names."""
        for name in _coders(settings):
            self._files[name] = await asyncio.to_thread(_file_of, name)

    def beside(self, role: str, settings: Settings) -> list[str]:
        """What it is in a role, the first that is available: for judge and reviewer the models that
        are named to draft, whose drafts a lesser one would spoil, if nothing is installed, a file
        of theirs is better, or what is installed is small and theirs cannot be weighed."""
        named = _coders(settings)
        if not named or setting_of(role) == setting_of("coder"):
            return [self.name]
        if self._best is None or (is_small(self.name) and not named[0].startswith(PROVIDER)):
            return named
        files = {found.name: name for name in named if (found := self._files.get(name))}
        weighed = [self._files[name] for name in files.values()]
        best = choose([self._best, *filter(None, weighed)], total_memory())
        return [files.get(best or "", self.name)]

    def _take(self, best: str, there: Collection[str]) -> None:
        before, self.name = self.name, best
        self.missed = before if before not in there and before != STARTER else ""
        if self.missed:
            log.warning(self.warning)
        else:
            log.info("auto takes %s", best)


def _coders(settings: Settings) -> list[str]:
    """The models that are named to draft, but the starter."""
    return [name for name in model_names("coder", settings) if name not in (AUTO, STARTER)]


def _file_of(name: str) -> Installed | None:
    """A model that is named by its file's path, under the file's own name; None for any other, and
    where it cannot be read."""
    base, _ = split_adapters(name.removeprefix(PROVIDER))
    if not name.startswith(PROVIDER) or is_library_name(base):
        return None
    path = expanded(base)
    with suppress(OSError, NotGguf):
        return installed_file(path.stem, size_of(path), read_header(path))
    return None
