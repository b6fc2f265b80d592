"""Run a coroutine that Ctrl-C ends without a trace."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def run_interruptible(main: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`, which at Ctrl-C cancels in the middle of what the loop is doing: a
    connection that is being made just then is told to be both made and cancelled, and asyncio
    prints that as an exception of its own. Here the loop is told, between two steps. Raises
    KeyboardInterrupt."""
    was_interrupted = False

    async def cancelled_by_ctrl_c() -> T:
        task = asyncio.current_task()
        assert task

        def interrupt() -> None:
            nonlocal was_interrupted
            if was_interrupted:  # it does not end by being cancelled
                raise KeyboardInterrupt
            was_interrupted = True
            task.cancel()

        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as of what a shell has put aside
            with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, a thread
                asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupt)
        return await main

    try:
        return asyncio.run(cancelled_by_ctrl_c())
    except asyncio.CancelledError:
        if was_interrupted:
            raise KeyboardInterrupt from None
        raise
