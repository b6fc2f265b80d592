"""A daemon of this program's own, in a child process that ends with it."""

import json
import subprocess
import threading
from contextlib import suppress

from laios.connection import Connection
from laios.errors import DaemonUnreachable, InvalidSettings
from laios.launcher import command

STOP_S = 15.0  # its runs are cancelled and recorded within that


class LocalDaemon:
    """Runs the pipeline with the user's settings, on a free port and with a token that nobody else
    knows. In a process of its own: the packages of laios have plain names, which would shadow those
    of this program. It takes about a second to start; `connection` waits for that."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            command("server.child_daemon"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is this program's to handle
        )
        self._connection: Connection | None = None
        self._asking = threading.Lock()

    def connection(self) -> Connection:
        """Where it listens. Raises InvalidSettings and DaemonUnreachable."""
        with self._asking:
            self._connection = self._connection or self._told()
        return self._connection

    def _told(self) -> Connection:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise DaemonUnreachable("The local daemon did not start; its words are on stderr.")
        said = json.loads(line)
        if "error" in said:
            raise InvalidSettings(said["error"])
        return Connection(said["address"], said["token"])

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> None:
        """Ends it; what it was running is recorded as cancelled."""
        with self._process, suppress(BrokenPipeError):
            assert self._process.stdin
            self._process.stdin.close()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
