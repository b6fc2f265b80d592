"""Several answers of a backend that gives one to a call: as many calls at a time.

vLLM has `n` for it, but litellm (1.106) loses all ends but the first in a stream of several, and
their reasons: an answer that was cut would look whole. A server that batches answers calls of one
prompt as cheaply; it reads what they share once (vLLM's automatic prefix caching).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from pipeline.model import Call, Frame


async def stream_concurrently(
    stream: Callable[[Call], AsyncGenerator[Frame]], call: Call, n: int
) -> AsyncGenerator[tuple[int, Frame]]:
    """See `SideBySide.stream_several`. Where a call fails, the others are read to their ends before
    its error is raised. Who closes this ends all of them."""
    arrived: asyncio.Queue[tuple[int, Frame | None]] = asyncio.Queue()

    async def forward(number: int) -> None:
        try:
            async with aclosing(stream(call)) as frames:
                async for frame in frames:
                    arrived.put_nowait((number, frame))
        finally:
            arrived.put_nowait((number, None))

    calls = [asyncio.create_task(forward(number)) for number in range(n)]
    try:
        while n:
            number, frame = await arrived.get()
            if frame is None:
                n -= 1
            else:
                yield number, frame
    finally:
        for each in calls:
            each.cancel()
        await asyncio.wait(calls)
    for each in calls:
        each.result()
