"""What has to be closed on the event loop, closed at the end of a block."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar


class Closable(Protocol):
    """Connections and processes are given back by `close`."""

    async def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


@asynccontextmanager
async def async_closing(thing: C) -> AsyncIterator[C]:
    """Gives the thing, and closes it when the block is left."""
    try:
        yield thing
    finally:
        await thing.close()
