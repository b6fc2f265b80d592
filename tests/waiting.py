"""Waiting in a test for what comes about."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], object], within: float = 20) -> None:
    """Returns when the condition is true; fails if it does not come true in that many seconds."""
    async with asyncio.timeout(within):
        while not condition():
            await asyncio.sleep(0.005)
