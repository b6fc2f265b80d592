"""A text's tokens, from a process that is ended when it takes too long."""

import atexit
import socket
import subprocess
import threading
from multiprocessing.connection import Connection

import orjson

from laios.launcher import command

DEADLINE_S = 2.0  # a text; between two tokens the process itself stops long before
_START_S = 10.0

Token = tuple[str, int]


class LexingProcess:
    """Started at first need, ended with a text that takes too long and with this process. Any
    thread may ask; they wait for each other."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.end)

    def tokens(self, text: str, lexer: str) -> list[Token]:
        """Types (`Name.Function`) and lengths, one behind the other from the text's beginning; none
        where that takes too long. `lexer` is one of Pygments' names."""
        question = orjson.dumps([text.encode("utf-8", "replace").decode(), lexer])
        with self._turn:
            try:
                connection = self._connection or self._start()
                connection.send_bytes(question)
                if connection.poll(DEADLINE_S):
                    return [(kind, size) for kind, size in orjson.loads(connection.recv_bytes())]
            except (EOFError, OSError):
                pass  # it was ended by someone else, or cannot be started
            self.end()
            return []

    def _start(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                command("dashboard.lexing_worker", str(number)),
                stdin=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,  # Ctrl-C is not meant for it
            )
        self._connection = Connection(ours.detach())
        if not self._connection.poll(_START_S):
            raise OSError("the lexing process does not start")
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
