"""What backends say of their models, kept and asked again now and then, because another model may
have taken a name; and what a model can therefore not be asked."""

import time

from pipeline.errors import ImagesNotTaken, LaiosError, ToolsNotTaken
from pipeline.model import Facts, Model

KEPT_S = 10.0


class KnownFacts:
    """The facts of a process's models."""

    def __init__(self) -> None:
        self._known: dict[str, Facts] = {}
        self._until: dict[str, float] = {}

    async def of(self, model: Model) -> Facts:
        """What was said at most a few seconds ago; what is known still counts where the backend
        does not answer now. Raises what it raises where nothing is known yet."""
        if time.monotonic() > self._until.get(model.name, float("-inf")):
            try:
                self._known[model.name] = await model.facts()
            except LaiosError:
                if model.name not in self._known:
                    raise
            self._until[model.name] = time.monotonic() + KEPT_S
        return self._known[model.name]


def refuse_unable(name: str, facts: Facts, *, tools: bool, images: bool) -> None:
    """Raises ToolsNotTaken or ImagesNotTaken where the model takes none of what is wanted."""
    if tools and facts.takes_tools is False:
        raise ToolsNotTaken(name)
    if images and facts.takes_images is False:
        raise ImagesNotTaken(name)
