"""A typed request from the command line: to the daemon, or carried out in this process."""

import asyncio
from typing import Any

from config import Settings
from pipeline.codework.reading import read_code_request
from pipeline.run import Run
from server import client
from server.code import finished, submit
from server.parts import assemble
from server.progress import Progress


async def ask(
    settings: Settings, asked: dict[str, Any], run_id: str, progress: Progress
) -> dict[str, Any]:
    """The answer of `POST /code`. Raises BadRequest before anything is asked, then Refused,
    Unreachable, or the LaiosError that the run ended with."""
    request = read_code_request(asked)
    if await asyncio.to_thread(client.daemon_is_there, settings):
        show = progress.show if progress.enabled else None
        return await client.post(settings, "/code", asked, run_id, show)
    parts = assemble(settings)
    try:
        runs = submit(parts.scheduler, request, run_id)
        watcher = asyncio.create_task(_watch(runs[0], progress))
        answer = await finished(parts.scheduler, request, runs)
        await watcher
        return answer
    finally:
        await parts.scheduler.drain(0)
        await parts.close()


async def _watch(run: Run, progress: Progress) -> None:
    async for event in run.events():
        progress.show(event)
