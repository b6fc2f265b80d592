"""Measure the history: `python -m tools.bench.history [--records N] [--directory DIR]`.

Appending with and without sync, reading the last records of a short and a long history, taking
the long one into the index, and searching it. Records are about 1 KB. `figures` are those that
have targets.
"""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dashboard.filters import read_filter
from history.reader import Reader
from history.record import Record, encode
from history.run_index import Index
from history.segment_files import path_of
from history.store import Store
from tools.bench.figures import Figure, at_most
from tools.bench.processes import LAIOS, environment, work_directory

_TEXT = (
    "sort list sum reverse string factorial prime filter even odd matrix parse json file "
    "count words tree graph queue stack cache retry socket thread lock date time money "
    "user order invoice report chart email token hash salt merge split join group"
)
_WORDS = _TEXT.split()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=100_000, help="length of the long history")
    options.add_argument("--appends", type=int, default=2000, help="appends a measurement")
    options.add_argument("--directory", type=Path, help="where to work (default: temporary)")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.directory) as name:
        directory = Path(name)
        measure_appending(directory, arguments.appends)
        measure_reading(directory, arguments.records)


def figures(count: int) -> list[Figure]:
    """Reading and searching a history of `count` records against one of a thousand."""
    with work_directory() as directory:
        short_ms, _ = last_records_ms(directory, 1000)
        long_ms, cold_ms = last_records_ms(directory, count)
        env = environment(directory, HISTORY_DIR=str(count_directory(directory, count)))
        search = [str(LAIOS), "history", "-q", "sort matrix"]
        again = partial(subprocess.run, search, check=True, env=env, capture_output=True)
        begin = time.perf_counter()
        again()
        first_s = time.perf_counter() - begin
        found_ms = median_ms(again)
    name = f"`load_recent_records(20)` of {count:,} records"
    return [
        at_most(name, long_ms, 5, "{:.2f} ms"),
        at_most(f"{name}, compared with 1,000", long_ms / short_ms, 2, "{:.2f}×"),
        Figure(f"{name}, by a new reader, which lists the files", f"{cold_ms:.2f} ms"),
        at_most(f"`laios history -q` over {count:,} records", found_ms, 300, "{:.0f} ms"),
        Figure("the same, the first time, which makes the index", f"{first_s:.1f} s"),
    ]


def last_records_ms(directory: Path, count: int) -> tuple[float, float]:
    """Milliseconds for the last twenty of so many, by a reader that is kept, as a daemon's is, and
    by one that has read nothing before."""
    target = count_directory(directory, count)
    write_history(target, count)
    kept = partial(Reader(target).load_recent_records, 20)
    return median_ms(kept, times=25), median_ms(partial(_load_cold, target), times=25)


def count_directory(directory: Path, count: int) -> Path:
    return directory / f"history-of-{count}"


def measure_appending(directory: Path, count: int) -> None:
    """Print records per second and the latency of one append in milliseconds."""
    print(f"{'append':24}{'concurrent':>12}{'per second':>12}{'p50 ms':>10}{'p99 ms':>10}")
    for fsync in (True, False):
        for concurrent in (1, 16, 64):
            target = directory / f"append-{fsync}-{concurrent}"
            elapsed, latencies = asyncio.run(append_many(target, fsync, concurrent, count))
            label = "fsync on" if fsync else "fsync off"
            p50, p99 = statistics.median(latencies), sorted(latencies)[int(0.99 * len(latencies))]
            print(
                f"{label:24}{concurrent:12}{len(latencies) / elapsed:12.0f}"
                f"{p50 * 1e3:10.2f}{p99 * 1e3:10.2f}"
            )


async def append_many(
    directory: Path, fsync: bool, concurrent: int, count: int
) -> tuple[float, list[float]]:
    """Append from `concurrent` tasks; give the time taken and each append's, in seconds."""
    store = Store(directory, fsync=fsync)
    records = iter([make_record(number) for number in range(count)])
    latencies: list[float] = []

    async def client() -> None:
        for record in records:
            begin = time.perf_counter()
            if not await store.append(record):
                raise SystemExit(f"not written: {store.state().error}")
            latencies.append(time.perf_counter() - begin)

    begin = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(concurrent)))
    elapsed = time.perf_counter() - begin
    await store.close()
    return elapsed, latencies


def measure_reading(directory: Path, count: int) -> None:
    """Print milliseconds for reading the end, seconds for indexing, milliseconds for searching."""
    short, long = directory / "short", directory / "long"
    write_history(short, 1000)
    write_history(long, count)
    size = sum(path.stat().st_size for path in long.iterdir())
    print(f"\n{count:,} records, {size / count:.0f} bytes each")
    for target, label in ((short, "1,000"), (long, f"{count:,}")):
        report(
            f"load_recent_records(20) cold, {label}",
            partial(_load_cold, target),
        )
        reader = Reader(target)
        report(f"load_recent_records(20), {label}", partial(reader.load_recent_records, 20))
    index = Index(long, directory / "cache")
    begin = time.perf_counter()
    taken = index.catch_up()
    elapsed = time.perf_counter() - begin
    print(f"{'catch-up':48}{elapsed:10.2f} s   ({taken / elapsed:,.0f} records/s)")
    cached = sum(path.stat().st_size for path in index.path.parent.iterdir())
    print(f"{'size of the index':48}{cached / size:10.0%} of the history")
    report("catch-up, nothing new", index.catch_up)
    for query in ("sort", "sort matrix invoice", '"sort list"', "fac", f"needle{count // 2}", ""):
        report(f"search {query or 'everything'}", partial(index.search, read_filter(query)))
    for query in ("sort session:s7", "session:rare", "sort session:rare"):
        report(f"search {query}", partial(index.search, read_filter(query)))


def _load_cold(directory: Path) -> list[Record]:
    return Reader(directory).load_recent_records(20)


def report(label: str, call: Callable[[], object], times: int = 7) -> None:
    """Print the median time of a call in milliseconds."""
    print(f"{label:48}{median_ms(call, times):10.2f} ms")


def median_ms(call: Callable[[], object], times: int = 7) -> float:
    took = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        took.append(time.perf_counter() - begin)
    return statistics.median(took) * 1e3


def write_history(
    directory: Path, count: int, per_file: int = 1000, make: Callable[[int], Record] | None = None
) -> None:
    """Write history files directly; one record in a thousand belongs to the session `rare`."""
    make = make or make_record
    directory.mkdir()
    for number, start in enumerate(range(0, count, per_file), 1):
        lines = [encode(make(i)) for i in range(start, min(start + per_file, count))]
        path_of(directory, number).write_bytes(b"".join(lines))
        os.utime(directory, (0, 0))  # as if written long ago


def make_record(number: int) -> Record:
    """A record with prompt and code of random words."""
    choose = random.Random(number)
    prompt = " ".join(choose.choices(_WORDS, k=12)) + f" needle{number}"
    code = f"def {choose.choice(_WORDS)}(items):\n    " + " + ".join(choose.choices(_WORDS, k=12))
    session = "rare" if number % 1000 == 500 else choose.choice([None, f"s{number % 50}"])
    return {
        "id": f"{number:020d}",
        "schema": 1,
        "ts": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1.7e9 + number)),
        "host": "bench",
        "session": session,
        "source": "native",
        "kind": "run",
        "mode": "code_reviewed",
        "original_prompt": prompt,
        "normalized_prompt": prompt,
        "coder_output": code,
        "reviewer_output": None,
        "final_output": code,
        "final_source": "coder",
        "final_reason": None,
        "escalated": False,
        "escalation_reason": None,
        "judge": {
            "confidence_score": choose.randint(1, 10),
            "conflict_score": choose.randint(1, 10),
            "judgement_summary": "It does what was asked.",
            "raw_response": None,
            "error": None,
        },
        "reviewer_judge": None,
        "evidence": [],
        "thresholds": {"confidence": 8, "conflict": 6},
        "context_ids": [],
        "steps": [],
        "artefact": None,
        "error": None,
        "duration_ms": 1234.5,
    }


if __name__ == "__main__":
    main()
