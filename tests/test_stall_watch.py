"""Seeing what holds up the event loop."""

import asyncio
import re
import threading
import time

import pytest
from waiting import until

from server.runtime.stall_watch import STALL_S, StallWatch, stack_of

pytestmark = pytest.mark.only_when("server/runtime/")

BACKTRACKS = "a" * 24 + "b"  # half a second on a fast machine


def sleep_on_the_loop() -> None:
    time.sleep(3 * STALL_S)


def match_on_the_loop() -> None:
    """C code that gives no other thread a turn."""
    began = time.monotonic()
    while time.monotonic() - began < 4 * STALL_S:
        re.match("(a+)+$", BACKTRACKS)


def match_again_and_again(seen: threading.Event) -> None:
    """A single call that is over when another thread has its turn tells nothing any more."""
    while not seen.is_set():
        re.match("(a+)+$", BACKTRACKS)


async def seen_of(hold, caplog) -> str:
    """The stack that was told, once the lag was counted too."""
    lags: list[float] = []

    def stacks() -> list[str]:
        told = [record for record in caplog.records if "held up" in record.message]
        return [record.stack for record in told if hold.__name__ in record.stack]

    with StallWatch(lags.append):
        await until(lambda: lags)
        asyncio.get_running_loop().call_soon(hold)
        await until(lambda: stacks() and max(lags) >= STALL_S)
    return stacks()[0]


async def test_what_sleeps_on_the_loop_is_named(caplog):
    """By its function, its file and its line, with how long it held the loop up."""
    stack = await seen_of(sleep_on_the_loop, caplog)
    assert stack.startswith("sleep_on_the_loop (") and "test_stall_watch.py:" in stack
    await until(lambda: "goes on" in caplog.text)
    told = next(record for record in caplog.records if "goes on" in record.message)
    assert told.held_s >= STALL_S


async def test_what_computes_on_the_loop_is_named(caplog):
    """Also where it lets no other thread run for a time."""
    assert "match_on_the_loop" in await seen_of(match_on_the_loop, caplog)


async def test_what_computes_beside_the_loop_is_named(caplog):
    """A call into C gives the loop no turn, whichever thread makes it."""

    def is_named() -> bool:
        told = [record for record in caplog.records if "held up" in record.message]
        return any("match_again_and_again" in record.stack for record in told)

    lags: list[float] = []
    with StallWatch(lags.append):
        await until(lambda: lags)
        seen = threading.Event()
        matching = asyncio.create_task(asyncio.to_thread(match_again_and_again, seen))
        try:
            await until(is_named)
        finally:
            seen.set()
            await matching


async def test_a_watch_that_is_left_is_over():
    """Its thread ends, also while the loop is held up."""
    before = set(threading.enumerate())
    with StallWatch(lambda lag: None):
        (thread,) = set(threading.enumerate()) - before
    sleep_on_the_loop()
    await until(lambda: not thread.is_alive())


def test_no_frame_is_no_stack():
    """A thread that is over has none."""
    assert stack_of(None) == ""


async def test_the_daemon_counts_its_lag(daemon_with):
    """`/metrics` has it without any run."""
    async with daemon_with({"reply": "x"}) as (_, http):
        async with asyncio.timeout(20):
            while "laios_event_loop_lag_seconds_count 0.0" in (await http.get("/metrics")).text:
                await asyncio.sleep(0.05)
        assert "laios_event_loop_lag_seconds_bucket" in (await http.get("/metrics")).text
