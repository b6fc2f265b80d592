"""The disk and memory that a model takes on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class StoredModel:
    """A model's files: their size in bytes, and when they came or were changed last."""

    size: int
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory. `size` is what it takes there in bytes, its window included, and
    `vram` the part of it on the GPU; `context` is its window in tokens, `expires_at` when it goes
    if nobody asks (None: not said); `digest` is its host's, "" where there is none."""

    name: str
    size: int
    vram: int
    context: int | None
    expires_at: datetime | None
    digest: str = ""


@runtime_checkable
class Stored(Protocol):
    """A model whose files are known."""

    async def stored(self) -> StoredModel | None:
        """None where they are not there. Raises ModelUnreachable and ModelFailed."""
        ...


@runtime_checkable
class Residing(Protocol):
    """A model whose host tells which models are loaded."""

    async def loaded(self) -> Mapping[str, LoadedModel]:
        """What the host holds in memory now, by the names of models here. Raises ModelUnreachable
        and ModelFailed."""
        ...


@runtime_checkable
class Parallel(Protocol):
    """A model whose host may answer several calls side by side."""

    def calls_at_a_time(self) -> int:
        """How many calls to send at a time, as far as its host has shown."""
        ...


@runtime_checkable
class Resident(Residing, Protocol):
    """One that can also be loaded without a prompt."""

    async def preload(self, context_tokens: int, keep_alive: str) -> None:
        """Has the host load the model with this window."""
        ...
