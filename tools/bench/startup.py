"""How fast it starts and how little it takes: `python -m tools.bench.startup`."""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import psutil

from tools.bench.bare import LIBRARIES
from tools.bench.figures import Figure, at_most, table
from tools.bench.processes import (
    LAIOS,
    Server,
    daemon,
    end,
    environment,
    free_port,
    module,
    on,
    start,
    wait_ready,
    work_directory,
)

STARTS = 9
IDLE_S = 2.0
BARE = f"import {', '.join(LIBRARIES)}"
OF_LITELLM = ("tiktoken", "tokenizers")  # shared objects that only litellm brings in


def figures(starts: int = STARTS) -> list[Figure]:
    """Medians of so many starts, of which the first is not counted: it compiles."""
    with work_directory() as directory:
        healthy = [serve_s(directory) for _ in range(starts + 1)][1:]
        cpu = [(serve_cpu_s(directory), bare_cpu_s()) for _ in range(starts)]
        helped = [help_s(directory) for _ in range(starts + 1)][1:]
        memory, litellm = idle(directory)
        alone_mb = idle_alone(directory)
        bare_mb = idle_bare()
    return [
        at_most("`laios serve` to `/healthz`", statistics.median(healthy), 1.0, "{:.2f} s"),
        at_most(
            "processor time to `/healthz`, to that of the libraries' bare imports",
            statistics.median(serve / bare for serve, bare in cpu),
            2.0,
            "{:.2f}×",
        ),
        at_most("`laios --help`", statistics.median(helped), 0.3, "{:.2f} s"),
        at_most("idle daemon before its first run, resident", memory.before, 60, "{:.0f} MB"),
        at_most("the same without Ollama, on the starter", alone_mb, 60, "{:.0f} MB"),
        Figure("idle on Ollama after 20 runs", f"{memory.after:.0f} MB"),
        Figure("the same of its libraries under a bare handler", f"{bare_mb:.0f} MB"),
        Figure("litellm in that daemon", "imported" if litellm else "not", "not", not litellm),
    ]


def serve_s(directory: Path) -> float:
    """Seconds from the start of `laios serve` to the first answer."""
    with (directory / "log").open("w") as log:
        begin = time.perf_counter()
        server = start(directory, log)
        try:
            wait_ready(server)
            return time.perf_counter() - begin
        finally:
            end(server.process)


def serve_cpu_s(directory: Path) -> float:
    """Seconds of processor time of `laios serve` until its first answer."""
    with (directory / "log").open("w") as log:
        server = start(directory, log)
        try:
            wait_ready(server)
            return server.cpu_s()
        finally:
            end(server.process)


def bare_cpu_s() -> float:
    """Seconds of processor time of a Python that imports the libraries alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", BARE], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def help_s(directory: Path) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [LAIOS, "--help"], check=True, stdout=subprocess.DEVNULL, env=environment(directory)
    )
    return time.perf_counter() - begin


class Idle(NamedTuple):
    """Resident megabytes of a daemon that rests: freshly started, and after 20 runs."""

    before: float
    after: float


def idle(directory: Path) -> tuple[Idle, bool]:
    """What it takes, and whether it has litellm in it."""
    with module("tools.bench.backend") as backend, daemon(directory, **on(backend)) as server:
        before = _resident_mb(server)
        after = _after_runs(server)
        paths = [region.path for region in psutil.Process(server.process.pid).memory_maps()]
        litellm = any(name in path for name in OF_LITELLM for path in paths)
        return Idle(before, after), litellm


def idle_alone(directory: Path) -> float:
    """Resident megabytes where no Ollama listens, before the first run."""
    with daemon(directory, OLLAMA_HOST=f"127.0.0.1:{free_port()}") as server:
        return _resident_mb(server)


def idle_bare() -> float:
    """Resident megabytes of the least that can be had with the same libraries, after 20 runs."""
    with (
        module("tools.bench.backend") as backend,
        module("tools.bench.bare", backend.url, "--libraries") as server,
    ):
        return _after_runs(server)


def _after_runs(server: Server) -> float:
    found = server.load(4, 60, count=20)
    assert found.succeeded == 20, found
    return _resident_mb(server)


def _resident_mb(server: Server) -> float:
    time.sleep(IDLE_S)
    return float(psutil.Process(server.process.pid).memory_info().rss / 1e6)


if __name__ == "__main__":
    print(table(figures()))
