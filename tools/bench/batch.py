"""What `laios batch` costs beside its models: `python -m tools.bench.batch [--requests N] [--ray]`.

Requests of one model call (`///raw`) on a backend that answers at once: in the process of the
command, over a daemon, and with `--ray` on a Ray cluster of one and of two nodes on this machine.
The cost of a request is processor time, of the command and all its children, less that of the same
command with a single request: starting is measured beside. On the cluster a second backend answers
after 50 ms, so that not this machine's processors are what limits two nodes.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.bench.figures import Figure, circumstances, table
from tools.bench.processes import (
    LAIOS,
    Server,
    daemon,
    environment,
    free_port,
    module,
    on,
    work_directory,
)

REQUESTS = 10_000
CONCURRENCY = 16
SLOW_MS = 50  # of the cluster's backend
NODES_LIMIT_S = 300.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one command, in seconds."""

    wall: float
    cpu: float


def figures(requests: int, ray: bool) -> list[Figure]:
    with work_directory() as directory, module("tools.bench.backend") as backend:
        alone = environment(directory / "alone", PORT=free_port(), **on(backend))
        found = _overhead("in the process", directory / "alone", requests, alone)
        with daemon(directory / "served", **on(backend)) as server:
            served = environment(directory / "served", PORT=server.port, **on(backend))
            found += _overhead("over a daemon", directory / "served", requests, served, server)
        if ray:
            found += _on_clusters(directory, requests, backend)
    return found


def _overhead(
    where: str,
    directory: Path,
    requests: int,
    env: dict[str, str],
    server: Server | None = None,
) -> list[Figure]:
    """Of so many requests, less that of one."""
    directory.mkdir(exist_ok=True)
    start = _cost(directory, "one", 1, env)
    before = server.cpu_s() if server else 0.0
    whole = _cost(directory, "all", requests, env)
    each = (whole.cpu - start.cpu) / requests
    daemons = (server.cpu_s() - before) / requests if server else 0.0
    beside = f", the daemon {daemons * 1000:.2f} ms" if server else ""
    return [
        Figure(f"{where}: start", f"{start.cpu:.2f} s of processor time"),
        Figure(f"{where}: a request", f"{each * 1000:.2f} ms of processor time{beside}"),
        Figure(f"{where}: requests a second", f"{requests / whole.wall:.0f}"),
    ]


def _on_clusters(directory: Path, requests: int, backend: Server) -> list[Figure]:
    found, rates = [], {}
    for nodes in (1, 2):
        place = directory / f"nodes-{nodes}"
        place.mkdir()
        env = environment(place, **on(backend), MAX_DRAFTS=1)
        with _cluster(place, nodes, env) as address:
            words = ("--ray", address, "--actors", f"{nodes}:{nodes}")
            _cost(place, "warm", 1, env, *words)  # starts Ray's own processes
            one = _cost(place, "one", 1, env, *words)
            instant = _cost(place, "all", requests, env, *words)
            slow = _cost(
                place, "slow", requests, env, *words, wish=f"backend: 1 frames, {SLOW_MS} ms"
            )
        each = (instant.wall - one.wall) / requests
        rates[nodes] = requests / (slow.wall - one.wall)
        name = f"Ray, {nodes} node{'s' if nodes > 1 else ''}"
        found += [
            Figure(f"{name}: a job of one request", f"{one.wall:.1f} s"),
            Figure(f"{name}: a request, backend at once", f"{each * 1000:.2f} ms"),
            Figure(f"{name}: requests a second, backend {SLOW_MS} ms", f"{rates[nodes]:.0f}"),
        ]
    return [*found, Figure("Ray: two nodes against one", f"× {rates[2] / rates[1]:.2f}", "2")]


def _cost(
    directory: Path, name: str, requests: int, env: dict[str, str], *words: str, wish: str = ""
) -> Cost:
    """Of a batch from an empty answers file. Raises RuntimeError where a request failed."""
    asked = directory / f"{name}.jsonl"
    lines = ({"id": i, "prompt": f"add two numbers, {i}. {wish}"} for i in range(requests))
    asked.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    command = [LAIOS, "batch", asked, "-o", directory / f"{name}.answers", "--mode", "raw"]
    begun, cpu = time.perf_counter(), _children_s()
    done = subprocess.run(
        [*map(str, command), f"--concurrency={CONCURRENCY}", *words],
        env=env,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return Cost(time.perf_counter() - begun, _children_s() - cpu)


def _children_s() -> float:
    """Seconds of processor time of all children that have ended, and of theirs."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@contextmanager
def _cluster(directory: Path, nodes: int, env: dict[str, str]) -> Iterator[str]:
    command = [sys.executable, "-m", "tools.bench.ray_nodes", str(directory), f"--nodes={nodes}"]
    process = subprocess.Popen(
        command,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin and process.stdout
    with process:
        yield process.stdout.readline().strip()
        process.stdin.close()
        process.wait(NODES_LIMIT_S)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--requests", type=int, default=REQUESTS)
    options.add_argument("--ray", action="store_true", help="on clusters of one and two nodes too")
    arguments = options.parse_args()
    begun = circumstances()
    print(f"{begun}\n\n{table(figures(arguments.requests, arguments.ray))}")


if __name__ == "__main__":
    main()
