"""Which model `auto` stands for now."""

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from pipeline.models.auto import choose
from pipeline.models.machine import total_memory
from pipeline.models.starter import STARTER

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
            if best and best != self.name:
                self._take(best, {model.name for model in installed})

    def _take(self, best: str, there: set[str]) -> None:
        before, self.name = self.name, best
        self.missed = before if before not in there and before != STARTER else ""
        if self.missed:
            log.warning(self.warning)
        else:
            log.info("auto takes %s", best)
