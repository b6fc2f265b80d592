"""A process of laios's own that answers one question after the other, and that can be ended.

What one call into C does nobody can interrupt: it holds up all threads of its process, and has to
stand in another one. Both ends are here: `AnsweringProcess` asks, `answer_questions` answers.
"""

import atexit
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection

from laios.launcher import command

_START_S = 10.0


class AnsweringProcess:
    """Calls `main` of a module, which calls `answer_questions`. It is started at first need and
    ended with a question that takes too long and with this process. Any thread may ask; they wait
    for each other."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._turn = threading.Lock()
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.end)

    def ask(self, question: bytes, deadline_s: float) -> bytes | None:
        """The answer; None where it takes too long, or the process was ended by someone else."""
        with self._turn:
            try:
                connection = self._connection or self._start()
                connection.send_bytes(question)
                if connection.poll(deadline_s):
                    return connection.recv_bytes()
            except (EOFError, OSError):
                pass  # its processor time is over, or it cannot be started
            self.end()
            return None

    def _start(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                command(self._module, str(number)),
                stdin=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,  # Ctrl-C is not meant for it
            )
        self._connection = Connection(ours.detach())
        if not self._connection.poll(_START_S):
            raise OSError(f"{self._module} does not start")
        self._connection.recv_bytes()
        return self._connection

    def end(self) -> None:
        """Ends the process, if there is one."""
        if self._connection:
            self._connection.close()
        if self._process:
            self._process.kill()
            self._process.wait()
        self._connection = self._process = None


def answer_questions(answer: Callable[[bytes], bytes], most_s: float) -> None:
    """Serves the connection whose file descriptor is the only argument, until the caller goes. A
    question that takes more than `most_s` seconds of processor time ends the process: the kernel's
    timer does, so that a call into C is no way around it."""
    connection = Connection(int(sys.argv[1]))
    connection.send_bytes(b"")  # ready: what comes now is not the time of starting
    try:
        while True:
            question = connection.recv_bytes()
            signal.setitimer(signal.ITIMER_PROF, most_s)
            answered = answer(question)
            signal.setitimer(signal.ITIMER_PROF, 0)
            connection.send_bytes(answered)
    except (EOFError, OSError):
        return
