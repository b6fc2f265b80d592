"""Import code at its first call. Most of what a daemon can do is never asked for, and whoever does
not ask pays neither memory nor time for it."""

import asyncio
import threading
from collections.abc import Awaitable
from importlib import import_module
from typing import Any

_IMPORTING = threading.Lock()
"""Two threads that enter a circle of imports from two sides end in a module that is half there."""


class FirstUse:
    """A coroutine function, by its module's name and its own: `FirstUse("m", "f").call` stands for
    `m.f`. It is imported beside the event loop, because that can take a tenth of a second."""

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name
        self._function: Any = None

    async def call(self, *given: Any) -> Any:
        """Raises what the import raises, each time."""
        if self._function is None:
            self._function = await asyncio.to_thread(self.load)
        made: Awaitable[Any] = self._function(*given)
        return await made

    def load(self) -> Any:
        with _IMPORTING:
            return getattr(import_module(self.module), self.name)
