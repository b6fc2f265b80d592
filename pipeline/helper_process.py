"""Run a helper program on a text, and end it when it takes too long."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence


async def answer_of(
    command: Sequence[str], fed: str, deadline_s: float, cwd: str | None = None
) -> tuple[int, bytes] | None:
    """Its exit status and what it printed; None where it takes too long or cannot be started."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=cwd
        )
    except OSError:
        return None
    try:
        async with asyncio.timeout(deadline_s):
            out, _ = await process.communicate(fed.encode("utf-8", "replace"))
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return await process.wait(), out
