"""How fast it starts and how little it takes: `python -m tools.bench.startup`."""

import statistics
import subprocess
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
OF_LITELLM = ("tiktoken", "tokenizers")  # shared objects that only litellm brings in


def figures(starts: int = STARTS) -> list[Figure]:
    """Medians of so many starts, of which the first is not counted: it compiles."""
    with work_directory() as directory:
        healthy = [serve_s(directory) for _ in range(starts + 1)][1:]
        helped = [help_s(directory) for _ in range(starts + 1)][1:]
        resident_mb, litellm = idle(directory)
    return [
        at_most("`laios serve` to `/healthz`", statistics.median(healthy), 1.0, "{:.2f} s"),
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
