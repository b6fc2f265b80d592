"""What the sandbox costs: `python -m tools.bench.sandbox`."""

import asyncio
import os
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.sandbox import Arguments, Case, Limits, SandboxUnavailable, run, run_case
from pipeline.sandbox.toolchain import toolchain
from tools.bench.figures import Figure, at_most, table

STARTS = 60
WATCHED_S = 2
TESTS, CORES = 50, 2
LIMITS = Limits(
    wall_s=10, cpu_s=5, memory_mb=512, processes=32, output_bytes=65536, files_mb=64
)  # fmt: skip
SLEEPS = f"import time; time.sleep({WATCHED_S})"
PROGRAM = """
def merge(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged
"""


def figures() -> list[Figure]:
    """Medians of starts in turn with the bare interpreter, what it takes to watch a program, and
    the median of three rounds of tests."""
    try:
        bare, boxed = asyncio.run(starts())
        watched = asyncio.run(watched_s())
    except SandboxUnavailable as error:
        return [Figure("sandbox", f"none: {error.message}")]
    with on_cores(CORES):
        tests = asyncio.run(tests_s())
    cost = statistics.median(boxed) - statistics.median(bare)
    return [
        Figure("bare interpreter, p50", f"{statistics.median(bare) * 1e3:.1f} ms"),
        at_most("what the sandbox adds to that, p50", cost * 1e3, 25, "{:.1f} ms"),
        at_most("watching a program, of one core", watched / WATCHED_S, 0.05, "{:.1%}"),
        at_most(f"{TESTS} small tests on {CORES} cores", statistics.median(tests), 1.5, "{:.2f} s"),
    ]


async def starts() -> tuple[list[float], list[float]]:
    """Seconds of a Python that does nothing, without and with a sandbox around it."""
    python = str(toolchain("python", None).executable)
    bare, boxed = [], []
    for _ in range(STARTS):
        begin = time.perf_counter()
        subprocess.run([python, "-I", "-S", "-c", "0"], check=True, env={})  # noqa: ASYNC221
        between = time.perf_counter()
        outcome = await run({}, ["python", "-I", "-S", "-c", "0"], LIMITS)
        boxed.append(time.perf_counter() - between)
        bare.append(between - begin)
        assert outcome.exit == 0, outcome
    return bare, boxed


async def watched_s() -> float:
    """Seconds of processor time that laios itself takes while a program does nothing."""
    before = time.process_time()
    outcome = await run({}, ["python", "-I", "-S", "-c", SLEEPS], LIMITS)
    assert outcome.exit == 0, outcome
    return time.process_time() - before


async def tests_s() -> list[float]:
    """Seconds that the tests take, in three rounds."""
    cases = [Case(Arguments(([[0, n], [n, n + 1]],)), [[0, n + 1]], "merge") for n in range(TESTS)]
    taken = []
    for _ in range(3):
        begin = time.perf_counter()
        results = await asyncio.gather(*(run_case(PROGRAM, case, LIMITS) for case in cases))
        taken.append(time.perf_counter() - begin)
        assert all(result.passed for result in results), results
    return taken


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """This process and its children on so many cores."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_of_them)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)


if __name__ == "__main__":
    print(table(figures()))
