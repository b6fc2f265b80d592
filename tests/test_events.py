"""What a run tells those who watch it."""

import asyncio
from contextlib import aclosing

from pipeline.events import Events
from pipeline.model import Delta


async def test_who_comes_late_misses_nothing_but_text():
    """What has happened comes first; text goes to those who asked, from then on."""
    events = Events()
    events.emit({"event": "started"})
    events.emit_text("coder", Delta("lost"))

    async def watch(*, text):
        return [event["event"] async for event in events.listen(text=text)]

    watchers = [asyncio.create_task(watch(text=text)) for text in (False, True)]
    await asyncio.sleep(0)
    events.emit_text("coder", Delta("x"))
    events.emit({"event": "done"})
    events.end()
    assert await asyncio.gather(*watchers) == [["started", "done"], ["started", "delta", "done"]]
    assert await watch(text=True) == ["started", "done"]


async def test_a_watcher_that_leaves_is_forgotten():
    """Nothing collects for somebody who does not read."""
    events = Events()
    events.emit({"event": "started"})
    async with aclosing(events.listen(text=True)) as heard:
        assert (await anext(heard))["event"] == "started"
        assert len(events._listeners) == 1
    assert events._listeners == {}
