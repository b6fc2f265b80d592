"""The processes of a benchmark: a fake backend, the bare handler, daemons, load clients; each ends
with the block that started it."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from tools.bench.backend import MODEL
from tools.bench.load import Load

LAIOS = Path(sys.executable).with_name("laios")
LIMIT_S = 60.0
POLL_S = 0.002

Variables = dict[str, object]


@dataclass(frozen=True, slots=True)
class Server:
    """A child process that listens on a port of 127.0.0.1."""

    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def load(self, concurrent: int, seconds: float, **more: object) -> Load:
        """Puts a load on it, from a process of its own (see `tools.bench.load`)."""
        options = {"port": self.port, "concurrent": concurrent, "seconds": seconds, **more}
        words = [f"--{name}={value}" for name, value in options.items()]
        command = [sys.executable, "-m", "tools.bench.load", *words]
        done = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, timeout=LIMIT_S + seconds
        )
        return Load(**json.loads(done.stdout))

    def cpu_s(self) -> float:
        """Seconds of processor time so far."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)


@contextmanager
def work_directory() -> Iterator[Path]:
    """A directory on the disk that the repository is on: /tmp may be memory, where a sync is free.
    Gone afterwards."""
    parent = Path(__file__).parents[2] / ".cache"
    parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent) as name:
        yield Path(name)


def environment(directory: Path, **settings: object) -> dict[str, str]:
    """A daemon's environment: nothing of the person who runs this, everything in `directory`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LAIOS_") and name not in ("OLLAMA_HOST", "PYTHONDONTWRITEBYTECODE")
    }
    homes = {f"XDG_{name}_HOME": str(directory / name) for name in ("CONFIG", "STATE", "CACHE")}
    chosen = {f"LAIOS_{name}": str(value) for name, value in settings.items()}
    return kept | homes | chosen


def on(backend: Server) -> Variables:
    """Settings for a daemon on the fake, with room for every run that a benchmark starts."""
    roles: Variables = {f"{role}_MODEL_NAME": f"ollama/{MODEL}" for role in _ROLES}
    room: Variables = {"MAX_CONCURRENT_RUNS": 512, "MAX_QUEUED_RUNS": 4096}
    return {"OLLAMA_HOST": backend.url} | roles | room


_ROLES = ("CODER", "JUDGE", "REVIEWER")


@contextmanager
def module(name: str, *words: str, env: dict[str, str] | None = None) -> Iterator[Server]:
    """`python -m name …`, a server that prints its port first."""
    command = [sys.executable, "-m", name, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    with _ended(process):
        assert process.stdout
        port = int(process.stdout.readline())
        yield Server(process, port)


@contextmanager
def spawn(name: str, port: int, env: dict[str, str], log: IO[str]) -> Iterator[Server]:
    """`python -m name`, a server on the port that `env` tells it, not waited for."""
    process = subprocess.Popen(
        [sys.executable, "-m", name], stdout=subprocess.PIPE, stderr=log, text=True, env=env
    )
    with _ended(process):
        yield Server(process, port)


@contextmanager
def daemon(directory: Path, **settings: object) -> Iterator[Server]:
    """`laios serve`, ready; its log goes to a file, as a service's does."""
    with ExitStack() as stack:
        directory.mkdir(parents=True, exist_ok=True)
        log = stack.enter_context((directory / "log").open("w"))
        server = start(directory, log, **settings)
        stack.enter_context(_ended(server.process))
        wait_ready(server)
        yield server


def start(directory: Path, log: IO[str], **settings: object) -> Server:
    """Starts `laios serve` on a free port and does not wait for it."""
    port = free_port()
    env = environment(directory, PORT=port, HISTORY_DIR=directory / "history", **settings)
    return Server(subprocess.Popen([LAIOS, "serve"], stderr=log, text=True, env=env), port)


def wait_ready(server: Server) -> None:
    """Until /healthz is answered. Raises RuntimeError."""
    until = time.monotonic() + LIMIT_S
    while time.monotonic() < until and server.process.poll() is None:
        try:
            if get(server, "/healthz")[0] == 200:
                return
        except OSError:
            time.sleep(POLL_S)
    raise RuntimeError("the daemon did not come up")


def get(server: Server, path: str) -> tuple[int, bytes]:
    """Status and body of a GET. Raises OSError."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def end(process: subprocess.Popen[str]) -> int:
    """Stops a child in order, or not; gives its exit code."""
    process.send_signal(signal.SIGTERM)
    try:
        return process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


@contextmanager
def _ended(process: subprocess.Popen[str]) -> Iterator[None]:
    try:
        yield
    finally:
        if process.poll() is None:
            end(process)
        if process.stdout:
            process.stdout.close()


def free_port() -> int:
    """A port below those that the system gives to outgoing connections, so that it stays free."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
