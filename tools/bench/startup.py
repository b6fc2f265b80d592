"""How fast it starts and how little it takes: `python -m tools.bench.startup`."""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tools.bench.figures import Figure, at_most, table
from tools.bench.processes import (
    LAIOS,
    daemon,
    end,
    environment,
    module,
    on,
    start,
    wait_ready,
    work_directory,
)

STARTS = 9
IDLE_S = 2.0
# What any daemon on these libraries imports, with nothing of ours.
BARE = (
    "import aiohttp, httptools, orjson, pydantic_settings, sqlite3, starlette.applications, typer, "
    "uvicorn.server, uvloop, watchfiles"
)
OF_LITELLM = ("tiktoken", "tokenizers")  # shared objects that only litellm brings in


def figures(starts: int = STARTS) -> list[Figure]:
    """Medians of so many starts, of which the first is not counted: it compiles."""
    with work_directory() as directory:
        healthy = [serve_s(directory) for _ in range(starts + 1)][1:]
        cpu = [(serve_cpu_s(directory), bare_cpu_s()) for _ in range(starts)]
        helped = [help_s(directory) for _ in range(starts + 1)][1:]
        resident_mb, litellm = idle(directory)
    return [
        at_most("`laios serve` to `/healthz`", statistics.median(healthy), 1.0, "{:.2f} s"),
        at_most(
            "processor time to `/healthz`, to that of the libraries' bare imports",
            statistics.median(serve / bare for serve, bare in cpu),
            2.0,
            "{:.2f}×",
        ),
        at_most("`laios --help`", statistics.median(helped), 0.3, "{:.2f} s"),
        at_most("idle daemon on Ollama, resident", resident_mb, 70, "{:.0f} MB"),
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


def idle(directory: Path) -> tuple[float, bool]:
    """Resident megabytes of a daemon that has carried out a few runs and then rested, and whether
    it has litellm in it."""
    with module("tools.bench.backend") as backend, daemon(directory, **on(backend)) as server:
        found = server.load(4, 5, count=20)
        assert found.succeeded == 20, found
        time.sleep(IDLE_S)
        process = psutil.Process(server.process.pid)
        paths = [region.path for region in process.memory_maps()]
        litellm = any(name in path for name in OF_LITELLM for path in paths)
        return process.memory_info().rss / 1e6, litellm


if __name__ == "__main__":
    print(table(figures()))
