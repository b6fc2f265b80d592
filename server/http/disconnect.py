"""Cancel runs whose caller disconnects."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.types import Receive

from pipeline.errors import Cancelled
from pipeline.request import Request as RunRequest
from pipeline.run import Run
from pipeline.scheduler import Scheduler

T = TypeVar("T")


async def run_to_end(scheduler: Scheduler, http: Request, asked: RunRequest) -> Run:
    """The run of a request, once it is on record. Raises what `Scheduler.submit` raises, and the
    LaiosError that the run ended with."""
    run = scheduler.submit(asked)
    await waited_for(scheduler, http, [run], scheduler.finished(run))
    return run


async def waited_for(
    scheduler: Scheduler, http: Request, runs: Sequence[Run], work: Coroutine[Any, Any, T]
) -> T:
    """What the work gives, which ends with the runs. When the caller goes away first, they are
    cancelled and recorded."""
    try:
        return await unless_gone(http.receive, work)
    except (Cancelled, asyncio.CancelledError):
        cancel_all(scheduler, runs)
        raise


def cancel_all(scheduler: Scheduler, runs: Sequence[Run]) -> None:
    for run in runs:
        scheduler.cancel(run.id)


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """What the work gives; it is cancelled when the caller goes away first. Raises Cancelled."""
    working = asyncio.create_task(work)
    gone = asyncio.create_task(until_gone(receive))
    try:
        await asyncio.wait([working, gone], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Cancelled("Nobody waits for the answer any more.")
        return await working
    finally:
        working.cancel()
        gone.cancel()


async def until_gone(receive: Receive) -> None:
    """Once the body has been read, all that can come is that the caller goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass
