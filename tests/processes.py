"""`laios` as real processes, and in this one where it is only about what a command answers."""

import asyncio
import logging
import os
import pty
import re
import select
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

import cli
import platformdirs
import pytest
from typer.testing import CliRunner

from config import load_settings
from server.commands.cli import app
from server.daemon import Daemon

LAIOS = cli.LAIOS

T = TypeVar("T")


def laios(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, with nothing on stdin. It never leaves a trace."""
    done: subprocess.CompletedProcess[str] = cli.laios(*words, **environment)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def invoke(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The same in this process, in a tenth of the time."""
    environment = _directories() | environment
    # What commands replace for good: who sets the log up here would write into a closed stream.
    handler, logs = signal.getsignal(signal.SIGTERM), logging.root.handlers[:]
    try:
        done = CliRunner().invoke(app, words, input=stdin, env=environment, prog_name="laios")
    finally:
        signal.signal(signal.SIGTERM, handler)
        logging.root.handlers[:] = logs
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def _directories() -> dict[str, str]:
    """Where a new process would look: this one's defaults were read before the test began."""
    given = {
        "LAIOS_HISTORY_DIR": platformdirs.user_state_path("laios", appauthor=False) / "history",
        "LAIOS_DOCS_DIR": platformdirs.user_data_path("laios", appauthor=False) / "docs",
        "LAIOS_MODELS_DIR": platformdirs.user_data_path("laios", appauthor=False) / "models",
    }
    return {name: str(path) for name, path in given.items() if name not in os.environ}


@contextmanager
def daemon(**environment: str) -> Iterator[str]:
    """A `laios serve` process; gives its address. It is ended with SIGTERM."""
    process = subprocess.Popen(
        [LAIOS, "serve"], env={**os.environ, **environment}, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    said = ""
    try:
        for line in process.stderr:
            if line.startswith("{"):  # of the log: a machine that is busy
                continue
            said += line
            if line.startswith("    -d "):
                break
        address = re.search(r"^laios listens on (\S+)$", said, re.MULTILINE)
        assert address, f"{process.poll()}: {said}"  # a busy machine's log may come before it
        yield address[1]
    finally:
        process.terminate()
        process.wait(15)
        process.stderr.close()


@contextmanager
def daemon_here(**environment: str) -> Iterator[str]:
    """The same in a thread of this process, where no process is the point."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (_directories() | environment).items():
            patch.setenv(name, value)
        made = Daemon(load_settings(), lambda line: None)
    thread = threading.Thread(target=lambda: asyncio.run(made.run()))
    thread.start()
    try:
        yield made.address
    finally:
        made.stop()
        thread.join(20)
    assert not thread.is_alive()


def on_a_terminal(*words: str, answers: bytes = b"", **environment: str) -> tuple[str, int]:
    """Runs a command on a terminal of its own; gives what it showed and its exit code."""
    ours, theirs = pty.openpty()
    os.write(ours, answers)
    process = subprocess.Popen(
        [LAIOS, *words],
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    os.close(ours)
    assert b"Traceback" not in shown, shown
    return shown.decode(), process.wait(20)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(what: Callable[[], T], within: float = 45) -> T:
    """Tries until the answer is true."""
    until = time.monotonic() + within
    while True:
        if answer := what():
            return answer
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.02)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler], port: int) -> Iterator[None]:
    """Another program's web server on a port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
