"""A query from the command line: to the daemon, or carried out in this process."""

import asyncio
from typing import Any

from config import Settings
from pipeline.run import Run
from server import client
from server.parts import assemble
from server.progress import Progress
from server.query import answer_of, request_of
from server.query_request import read_query


async def ask(
    settings: Settings, asked: dict[str, Any], run_id: str, progress: Progress
) -> dict[str, Any]:
    """The answer of `POST /query`. Raises BadRequest before anything is asked, then Refused,
    Unreachable, or the LaiosError that the run ended with."""
    query = read_query(asked)
    if await asyncio.to_thread(client.daemon_is_there, settings):
        show = progress.show if progress.enabled else None
        return await client.post(settings, "/query", asked, run_id, show)
    parts = assemble(settings)
    try:
        run = parts.scheduler.submit(request_of(query, run_id))
        watcher = asyncio.create_task(_watch(run, progress))
        await parts.scheduler.finished(run)
        await watcher
        return answer_of(run)
    finally:
        await parts.scheduler.drain(0)
        await parts.close()


async def _watch(run: Run, progress: Progress) -> None:
    async for event in run.events():
        progress.show(event)
