"""A model of the library in the embedded engine; each call is noted as its last use."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pipeline.model import Call, Facts, Frame
from pipeline.models.adapter import split_adapters
from pipeline.models.local import PROVIDER, Engine, LocalModel
from pipeline.models.local_library import LocalEntry, LocalLibrary


class LibraryModel(LocalModel):
    """`local/<name:tag>`, perhaps with adapters behind it."""

    def __init__(self, name: str, engine: Engine, library: LocalLibrary) -> None:
        """Raises ModelNotFound where the library has no such model."""
        self._key, adapters = split_adapters(name.removeprefix(PROVIDER))
        self._library = library
        super().__init__(name, engine, library.get(self._key).path, adapters)

    async def stream_several(self, call: Call, n: int) -> AsyncGenerator[tuple[int, Frame]]:
        """As the engine answers; `stream` comes this way too."""
        self._look_up().mark_used()
        async with aclosing(super().stream_several(call, n)) as answers:
            async for numbered in answers:
                yield numbered

    async def facts(self) -> Facts:
        """Raises ModelNotFound also where a file has changed since it came."""
        self._look_up()
        return await super().facts()

    def _look_up(self) -> LocalEntry:
        """Since the last time a file of another name may have come in its place. Raises
        ModelNotFound."""
        entry = self._library.get(self._key)
        self._path = entry.path
        return entry
