"""Server-sent events: new rows that fit a filter, and the stages of runs that go on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

import anyio
import orjson
from sse_starlette import EventSourceResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dashboard import formatting, timeline_rows
from dashboard.filters import Filter, FilterError, read_filter
from dashboard.page_context import PageContext, context_of
from dashboard.templating import part
from dashboard.timeline import newest_id
from history.index_row import Row

PING_S = 15
GRACE_S = 0.5
TICK_S = 0.25
"""So often the daemon's runs are looked at, while somebody watches."""
BATCH = 50
MOST = 200

WHOLE = "100"

Message = dict[str, str]


async def stream(request: Request) -> Response:
    """`?q=` filter; `?after=` the newest run that the page knows (`Last-Event-ID` after a break).

    `run`: a row, its id is the run's. `running`: the runs that go on, whenever more has changed
    than their time. `index`: how far it is.
    `gone`: the run that the page knew is no longer there, or more have come than a page shows; it
    is to be loaded again.
    """
    context, asked = context_of(request), request.query_params
    try:
        wanted = read_filter(asked.get("q", ""))
    except FilterError as error:
        raise HTTPException(400, str(error)) from None
    after = request.headers.get("last-event-id") or asked.get("after", "")
    leaving = anyio.Event()  # set when the server stops: the stream then ends by itself
    return EventSourceResponse(
        _messages(context, wanted, after, leaving),
        ping=PING_S,
        shutdown_event=leaving,
        shutdown_grace_period=GRACE_S,
    )


async def _messages(
    context: PageContext, wanted: Filter, after: str, leaving: anyio.Event
) -> AsyncIterator[Message]:
    # An index that cannot be used ends the stream; the page says why when it is loaded again.
    with suppress(sqlite3.Error, OSError):
        async with context.index_sync.watching() as news:
            waking = asyncio.create_task(_wake(leaving, news))
            try:
                async for message in _watch(context, wanted, after, news, leaving):
                    yield message
            finally:
                waking.cancel()


async def _wake(leaving: anyio.Event, news: asyncio.Event) -> None:
    await leaving.wait()
    news.set()


async def _watch(
    context: PageContext, wanted: Filter, after: str, news: asyncio.Event, leaving: anyio.Event
) -> AsyncIterator[Message]:
    await context.index_sync.refresh()
    after = await asyncio.to_thread(_known, context, after)
    running: list[timeline_rows.LiveView] | None = None  # the first ones are sent, even if none
    done, grown = "", True
    while not leaving.is_set():
        news.clear()
        if done != WHOLE and (progress := await _progress(context)) != done:
            done, grown = progress, True
            yield {"event": "index", "data": done}
        sent = 0
        while grown and done == WHOLE:
            rows = await asyncio.to_thread(_since, context, wanted, after)
            sent += len(rows)
            grown = len(rows) == BATCH
            too_many = grown and (sent > MOST or not after)
            if too_many or (not rows and await asyncio.to_thread(_known, context, after) != after):
                after, grown = await asyncio.to_thread(newest_id, context), False
                yield {"event": "gone", "data": after}
                break
            for row in rows:
                after = row.id
                yield {"event": "run", "id": row.id, "data": _row(row)}
        live = [timeline_rows.live_view(run) for run in context.running()]
        if (now := [replace(view, elapsed_ms=0) for view in live]) != running:  # pages count on
            running = now
            yield {"event": "running", "data": part("live", live)}
        grown = await _wait(news, context, done)


async def _wait(news: asyncio.Event, context: PageContext, done: str) -> bool:
    """Until there is something new in the history (True), or time to look at the daemon's runs."""
    hurry = context.daemon is not None or done != WHOLE
    try:
        async with asyncio.timeout(TICK_S if hurry else None):
            return await news.wait()
    except TimeoutError:
        return False


def _known(context: PageContext, after: str) -> str:
    """Where to go on: at what the page knows, or now if the history does not know that."""
    return after if not after or context.index.get(after) else newest_id(context)


def _since(context: PageContext, wanted: Filter, after: str) -> list[Row]:
    """The next rows, oldest first."""
    return list(context.index.page(wanted, after=after or None, limit=BATCH).rows)[::-1]


@lru_cache(MOST)
def _shown(row: Row) -> str:
    """Made once for all who watch."""
    return part("line", timeline_rows.row_view(row))


def _row(row: Row) -> str:
    day = formatting.day_key(row.ts)
    name = formatting.day_name(day, datetime.now().astimezone().date())
    return orjson.dumps({"id": row.id, "day": day, "name": name, "html": _shown(row)}).decode()


async def _progress(context: PageContext) -> str:
    """Percent of the history that is in the index."""
    if await context.index_sync.refresh():
        return WHOLE  # though a busy history may be longer again
    state = await asyncio.to_thread(context.index.state)
    return WHOLE if state.complete else f"{99 * state.done / max(1, state.total):.0f}"
