"""Watching the event loop: how long what is ready has to wait, and what held it up.

A thread asks the loop for a sign of life and looks at what it does meanwhile. So a stall is seen
while it lasts, and one in C code that gives no other thread a turn as soon as that is over.
"""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType

log = logging.getLogger("laios.stall")

EVERY_S = 0.1
STALL_S = 0.25
"""The loop is called held up after this time without a sign."""
MOST_FRAMES = 16
MOST_THREADS = 4
_WAITING = ("Condition.wait", "Event.wait", "_worker", "Thread._wait", "Queue.get")

Observe = Callable[[float], None]


class StallWatch:
    """Watches the loop that runs where it is entered, until it is left.

    `observe` gets each measured lag in seconds, from the watch's thread.
    """

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stall-watch", daemon=True)

    def __enter__(self) -> "StallWatch":
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Does not wait: the thread may be waiting for the loop that leaves here."""
        self._over.set()

    def _watch(self) -> None:
        due = time.monotonic() + EVERY_S
        while not self._over.wait(max(0.0, due - time.monotonic())):
            # C code that keeps the interpreter to itself held up this thread too, until just now.
            stack = self._stack() if time.monotonic() - due >= STALL_S else ""
            sign = threading.Event()
            try:
                self._loop.call_soon_threadsafe(sign.set)
            except RuntimeError:  # the loop is closed
                return
            if stack or not sign.wait(STALL_S):
                self._see_through(stack or self._stack(), sign, due)
            else:
                self._observe(time.monotonic() - due)
            due = time.monotonic() + EVERY_S

    def _stack(self) -> str:
        """The loop's; where it waits for its turn, those of the others: one of them does not give
        it."""
        frames = sys._current_frames()
        held = stack_of(frames.pop(self._loop_thread, None))
        if not held.split(" ")[0].endswith("Selector.select"):
            return held
        frames.pop(threading.get_ident(), None)
        others = (stack_of(frame) for frame in frames.values())
        working = [each for each in others if not each.startswith(_WAITING)]
        return " | ".join([*working[:MOST_THREADS], held])

    def _see_through(self, stack: str, sign: threading.Event, since: float) -> None:
        """Tells what holds the loop at once, and for how long when it is over."""
        log.warning("the event loop is held up", extra={"stack": stack})
        while not sign.wait(STALL_S):
            if self._over.is_set():
                return
        lag = time.monotonic() - since
        self._observe(lag)
        log.warning("the event loop goes on", extra={"held_s": round(lag, 2)})


def stack_of(frame: FrameType | None) -> str:
    """Where a thread is, the innermost call first: files, lines and names, no values."""
    calls: list[str] = []
    while frame is not None and len(calls) < MOST_FRAMES:
        code = frame.f_code
        calls.append(f"{code.co_qualname} ({code.co_filename}:{frame.f_lineno})")
        frame = frame.f_back
    return " < ".join(calls)
