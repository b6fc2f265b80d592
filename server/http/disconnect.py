"""A caller who goes away."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from starlette.requests import Request
from starlette.types import Receive

from pipeline.run import Run
from pipeline.scheduler import Scheduler


@asynccontextmanager
async def cancelled_when_gone(
    scheduler: Scheduler, http: Request, runs: Sequence[Run]
) -> AsyncIterator[None]:
    """While the answer is waited for: when the caller goes away first, the runs are cancelled and
    recorded."""
    gone = asyncio.create_task(_cancel_when_gone(scheduler, http, runs))
    try:
        yield
    except asyncio.CancelledError:
        cancel_all(scheduler, runs)
        raise
    finally:
        gone.cancel()


def cancel_all(scheduler: Scheduler, runs: Sequence[Run]) -> None:
    for run in runs:
        scheduler.cancel(run.id)


async def _cancel_when_gone(scheduler: Scheduler, http: Request, runs: Sequence[Run]) -> None:
    await until_gone(http.receive)
    cancel_all(scheduler, runs)


async def until_gone(receive: Receive) -> None:
    """Once the body has been read, all that can come is that the caller goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass
