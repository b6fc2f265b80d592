"""A process by its pidfd, so that a reused process id is never mistaken for it.

By system call, because many builds of Python come without `os.pidfd_open`. The numbers are the same
on every architecture (linux/unistd.h).
"""

import asyncio
import ctypes
import os
import signal
from contextlib import suppress
from threading import Lock

_PIDFD_SEND_SIGNAL, _PIDFD_OPEN = 424, 434


def _call(number: int, *arguments: int) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    result: int = library.syscall(number, *arguments)
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


class ProcessHandle:
    """A process from its start to its end. `ended` is done when it is gone; a namespace's first
    process is gone only after all the others in it."""

    def __init__(self, pid: int) -> None:
        """Raises OSError where there is no such process."""
        self.pid = pid
        self._loop = asyncio.get_running_loop()
        self._descriptor = _call(_PIDFD_OPEN, pid, 0)
        self._closing = Lock()  # its number is soon another process's
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(self._descriptor, self._end)

    def kill(self) -> None:
        """From any thread."""
        with self._closing, suppress(ProcessLookupError):
            if not self.ended.done():
                _call(_PIDFD_SEND_SIGNAL, self._descriptor, signal.SIGKILL, 0, 0)

    def _end(self) -> None:
        self._loop.remove_reader(self._descriptor)
        with self._closing:
            os.close(self._descriptor)
            self.ended.set_result(None)
