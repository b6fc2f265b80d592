"""Wait for new records."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from history.record import Record

if TYPE_CHECKING:
    from history.reader import Position, Reader

_POLL_MS = 500  # notifications are a hint: some file systems send none


async def follow(
    directory: Path, reader: "Reader", position: "Position"
) -> AsyncGenerator[Record, None]:
    """The records after `position`, each as it is written, for ever."""
    import watchfiles  # here, because it takes longer to import than all the rest

    while not await asyncio.to_thread(directory.is_dir):  # noqa: ASYNC110 (no event tells)
        await asyncio.sleep(_POLL_MS / 1000)
    changes = watchfiles.awatch(
        directory,
        debounce=100,
        step=20,
        rust_timeout=_POLL_MS,
        yield_on_timeout=True,
        recursive=False,
    )
    async with aclosing(changes):
        while True:
            entries, position = await asyncio.to_thread(reader.read_on, position)
            for entry in entries:
                yield entry.record
            if not entries:
                await anext(changes)
