"""Looks at a running program again and again from a thread of its own: the event loop may be held
up by other work of the daemon's, and a program must not gain by that."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from threading import Event, Thread

from pipeline.sandbox.outcome import Ending
from pipeline.sandbox.termination import Termination

_FIRST_LOOK_S = 0.005


class WatchThread:
    """Ends a program that has reached a limit, and tells which."""

    def __init__(
        self,
        look: Callable[[], Ending | None],
        kill: Callable[[], None],
        over: Termination,
        *,
        wall_s: float,
        look_s: float,
        rest: float = 0,
    ) -> None:
        """`look` says which limit is exceeded, if one is; `kill` ends the program. Both are called
        from the thread. A look is taken every `look_s` seconds, and after `rest` times as long as
        the last one took."""
        self._look, self._kill, self._over = look, kill, over
        self._wall_s, self._look_s, self._rest = wall_s, look_s, rest
        self._loop = asyncio.get_running_loop()
        self._stopped = Event()
        self._gone: asyncio.Future[None] = self._loop.create_future()
        Thread(target=self._run, name="sandbox-watch", daemon=True).start()

    async def stop(self) -> None:
        """Returns when the last look is over; may be called again."""
        self._stopped.set()
        await self._gone

    def _run(self) -> None:
        try:
            if ended := self._reached():
                self._end(partial(self._over.tell, ended))
        except Exception as error:  # what cannot be watched does not go on
            self._end(partial(self._over.fail, error))
        finally:
            self._loop.call_soon_threadsafe(self._gone.set_result, None)

    def _reached(self) -> Ending | None:
        """The limit that was reached; None where the program ended before."""
        begun, wait_s = time.monotonic(), _FIRST_LOOK_S
        while not self._stopped.wait(wait_s):
            looked = time.monotonic()
            if looked - begun > self._wall_s:  # the loop's own clock stands when the loop does
                return "timeout"
            if ended := self._look():
                return ended
            wait_s = max(self._look_s, self._rest * (time.monotonic() - looked))
        return None

    def _end(self, tell: Callable[[], None]) -> None:
        """Tells before the program's end can be seen, so that this is what it ended of."""
        self._loop.call_soon_threadsafe(tell)
        self._kill()
