"""What the daemon costs beside its model calls: `python -m tools.bench.overhead [--rounds N]`.

On a backend that answers at once, `code_reviewed` without escalation (two calls) against a bare
Starlette + aiohttp handler that makes the same two calls. Both sides take turns, so that what else
the machine does hits both; figures are medians of the rounds' ratios.
"""

import argparse
import os
import statistics
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from laios.durable_file import sync
from tools.bench.figures import Figure, at_least, at_most, table
from tools.bench.load import PROMPT, Load
from tools.bench.processes import Server, daemon, module, on, work_directory

ROUNDS = 5
ONE_S, MANY_S, WARM_S = 0.6, 1.0, 0.5
MANY = 64
FRAMES = 500
CROWD, CROWD_RUNS, CROWD_MS = 256, 2000, 50
SYNCS, LINE_BYTES = 40, 1500  # a line of history is about so long
SIDES = ("bare", "unsynced", "synced")


@dataclass(slots=True)
class Rounds:
    """What was measured of one side, a value a round. `cpu_ms` is processor time a run."""

    one: list[Load] = field(default_factory=list)
    many: list[Load] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    frames: list[Load] = field(default_factory=list)
    raw_one: list[Load] = field(default_factory=list)
    raw_many: list[Load] = field(default_factory=list)


def figures(rounds: int = ROUNDS) -> list[Figure]:
    with ExitStack() as stack:
        directory = stack.enter_context(work_directory())
        backend = stack.enter_context(module("tools.bench.backend"))
        servers = {"bare": stack.enter_context(module("tools.bench.bare", backend.url))}
        for side, fsync in (("unsynced", False), ("synced", True)):
            servers[side] = stack.enter_context(
                daemon(directory / side, HISTORY_FSYNC=fsync, **on(backend))
            )
        for server in servers.values():
            server.load(MANY, WARM_S)
        ceiling = backend.load(MANY, MANY_S)
        found = {side: Rounds() for side in SIDES}
        sync_ms: list[float] = []
        for _ in range(rounds):
            sync_ms.append(measure_sync(directory))
            take_turns(servers, found)
        crowd = servers["synced"].load(
            CROWD, 30, count=CROWD_RUNS, prompt=f"{PROMPT} (backend: 1 frames, {CROWD_MS} ms)"
        )
    return [*ratios(found, sync_ms), crowd_figure(crowd), *orientation(found, ceiling, sync_ms)]


def take_turns(servers: dict[str, Server], found: dict[str, Rounds]) -> None:
    """One round: every load on every side."""
    for side, server in servers.items():
        found[side].one.append(checked(server.load(1, ONE_S)))
    for side, server in servers.items():
        before = server.cpu_s()
        load = checked(server.load(MANY, MANY_S))
        found[side].many.append(load)
        found[side].cpu_ms.append((server.cpu_s() - before) / load.succeeded * 1000)
    raw = f"///raw {PROMPT}"
    for side in ("unsynced", "synced"):
        found[side].raw_one.append(checked(servers[side].load(1, ONE_S, prompt=raw)))
        found[side].raw_many.append(checked(servers[side].load(MANY, MANY_S, prompt=raw)))
    for side in ("bare", "unsynced"):
        long = f"{PROMPT} (backend: {FRAMES} frames, 0 ms)"
        found[side].frames.append(checked(servers[side].load(1, ONE_S, prompt=long)))


def checked(load: Load) -> Load:
    assert load.succeeded and not load.failed, load
    return load


def measure_sync(directory: Path) -> float:
    """Milliseconds that appending one line and syncing it takes, at the median."""
    took = []
    descriptor = os.open(directory / "line", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        for _ in range(SYNCS):
            begin = time.perf_counter()
            os.write(descriptor, b"x" * LINE_BYTES)
            sync(descriptor)
            took.append(time.perf_counter() - begin)
    finally:
        os.close(descriptor)
    return statistics.median(took) * 1000


def ratios(found: dict[str, Rounds], sync_ms: list[float]) -> list[Figure]:
    """The figures with targets, each the median over the rounds."""
    bare, unsynced, synced = (found[side] for side in SIDES)
    slower = median(u.p50_ms / b.p50_ms for u, b in zip(unsynced.one, bare.one, strict=True))
    shares = {
        side: median(d.per_s / b.per_s for d, b in zip(rounds.many, bare.many, strict=True)) * 100
        for side, rounds in (("not synced", unsynced), ("synced", synced))
    }
    syncs = median(
        (s.p50_ms - u.p50_ms) / ms
        for s, u, ms in zip(synced.one, unsynced.one, sync_ms, strict=True)
    )
    return [
        at_most("one caller, not synced: p50 to the bare handler's", slower, 2.5, "{:.2f}×"),
        at_least(f"{MANY} callers, not synced: runs/s", shares["not synced"], 40, "{:.0f} %"),
        at_least(f"{MANY} callers, synced: runs/s", shares["synced"], 35, "{:.0f} %"),
        at_most("one caller: what syncing adds, in `fdatasync`s", syncs, 1.0, "{:.2f}"),
    ]


def crowd_figure(crowd: Load) -> Figure:
    return Figure(
        f"{CROWD} callers, backend of {CROWD_MS} ms: runs that succeed",
        f"{crowd.succeeded:,} of {CROWD_RUNS:,} ({crowd.per_s:,.0f}/s)",
        f"{CROWD_RUNS:,}",
        crowd.succeeded == CROWD_RUNS,
    )


def orientation(found: dict[str, Rounds], ceiling: Load, sync_ms: list[float]) -> list[Figure]:
    """What stands behind the ratios, without targets."""
    names = {"bare": "bare handler", "unsynced": "laios, not synced", "synced": "laios, synced"}
    rows = [
        Figure(
            names[side],
            f"{median(load.p50_ms for load in rounds.one):.2f} ms; "
            f"{median(load.per_s for load in rounds.many):,.0f}/s at {MANY}, "
            f"{median(rounds.cpu_ms):.2f} ms of processor a run",
        )
        for side, rounds in found.items()
    ]
    for side in ("unsynced", "synced"):
        one = median(load.p50_ms for load in found[side].raw_one)
        many = median(load.per_s for load in found[side].raw_many)
        text = f"{one:.2f} ms; {many:,.0f}/s at {MANY}"
        rows.append(Figure(f"{names[side]}, one call (`///raw`)", text))
    for side in ("bare", "unsynced"):
        rounds = found[side]
        us = median(
            (long.p50_ms - short.p50_ms) / (FRAMES - 1) * 1000
            for long, short in zip(rounds.frames, rounds.one, strict=True)
        )
        rows.append(Figure(f"{names[side]}: each further frame of an answer", f"{us:.1f} µs"))
    rows.append(Figure("`fdatasync` of one line", f"{median(sync_ms):.2f} ms"))
    rows.append(Figure("the most that the load client can do", f"{ceiling.per_s:,.0f}/s at {MANY}"))
    return rows


def median(values: Iterable[float]) -> float:
    return statistics.median(list(values))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    print(table(figures(options.parse_args().rounds)))


if __name__ == "__main__":
    main()
