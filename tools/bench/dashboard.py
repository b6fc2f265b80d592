"""Measure the dashboard's data: `python -m tools.bench.dashboard [--records N] [--directory DIR]`.

Taking a long history into the index, then what a page asks of it: rows, facets, neighbours,
numbers and thresholds, for filters of every sort; and the pages themselves over HTTP, as
`laios dashboard` serves them. Records are about 1 KB. With `--directory` the
history is kept there and used again.
"""

import argparse
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from dashboard.assets import contents
from dashboard.filters import parse
from dashboard.numbers import numbers
from dashboard.thresholds import what_if
from history.record import Record
from history.run_index import Index
from tools.bench.figures import Figure, at_most, table
from tools.bench.history import make_record, median_ms, write_history
from tools.bench.processes import LAIOS, Server, end, environment, free_port, get, work_directory

FEW = 10_000
PAGE_MS, FEW_MS, FILTER_MS, NUMBERS_MS, CATCH_UP_S, ASSETS_KB = 150, 100, 300, 1000, 60, 120
FILTERS = {
    "one mode": "mode:code_raw",
    "two filters that exclude each other": "mode:code_raw escalated:yes",
    "many filters, with no match": "mode:code_reviewed verdict:pass confidence<7 conflict>6",
    "rare session": "session:rare",
    "word": "sort",
    "two words and a rare session": "sort matrix session:rare",
    "one word in one run": "needle{half}",
    "phrase": '"sort list"',
    "beginning of a word": "fac",
    "model, turned round": "-model:small escalated:yes",
    "slow": "latency>30s",
    "slower than any": "latency>100h",
    "word and slow": "sort latency>59.9s",
    "score range": "confidence>=7 conflict<=3",
    "error": "error:yes",
    "last day": "since:1d",
    "old day": "since:2023-11-16 until:2023-11-16 sort",
    "not a word": "-sort",
    "id": "id:0000000000000001",
}
MODELS = ("ollama/qwen2.5-coder:7b", "ollama/small:1b", "local/starter")
REASONS = ("confidence 6 < 8", "conflict 7 > 6", "confidence 5 < 8; conflict 8 > 6")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=100_000, help="length of the long history")
    options.add_argument("--directory", type=Path, help="where to keep it (default: temporary)")
    arguments = options.parse_args()
    print(table(figures(arguments.records, arguments.directory)))


def figures(count: int, directory: Path | None = None) -> list[Figure]:
    """What the dashboard asks of an index of `count` records."""
    with nullcontext(directory) if directory else work_directory() as place:
        index = _index(place, count)
        found = [*_catching_up(index, count), *_asking(index, count)]
        _index(place, FEW).catch_up()
        found += [*_over_http(place, FEW, FEW_MS), *_over_http(place, count, PAGE_MS)]
        size = sum(len(body) for body, _ in contents().values()) / 1024
        return [*found, at_most("assets together", size, ASSETS_KB, "{:.0f} KB")]


def _index(place: Path, count: int) -> Index:
    """The index that `laios dashboard` will find, over a history of so many runs."""
    history = place / f"runs-{count}"
    if not history.exists():
        write_history(history, count, make=make_run)
    return Index(history, Path(environment(place)["XDG_CACHE_HOME"]) / "laios")


def _over_http(place: Path, count: int, most_ms: float) -> list[Figure]:
    """From the request to the last byte of the answer."""
    with _viewer(place, place / f"runs-{count}") as server:

        def ask(path: str, **query: str) -> float:
            get(server, path)
            return median_ms(lambda: get(server, f"{path}?{urlencode(query)}"))

        wanted = {
            "first page": (ask("/dashboard"), most_ms),
            "one mode, escalated": (ask("/dashboard", q="mode:reviewed escalated:yes"), FILTER_MS),
            "a phrase": (ask("/dashboard", q='"sort list"'), FILTER_MS),
            "a run": (ask(f"/dashboard/runs/{count // 2:020d}"), most_ms),
            "numbers": (ask("/dashboard/numbers"), NUMBERS_MS),
        }
    return [
        at_most(f"over HTTP, {count:,} runs: {name}", took, most, "{:.0f} ms")
        for name, (took, most) in wanted.items()
    ]


@contextmanager
def _viewer(place: Path, history: Path) -> Iterator[Server]:
    port = free_port()
    command = [str(LAIOS), "dashboard", f"--history={history.absolute()}", f"--port={port}"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=environment(place),
    )  # fmt: skip
    assert process.stdout
    with closing(process.stdout):
        try:
            process.stdout.readline()  # the address: it is listened on
            yield Server(process, port)
        finally:
            end(process)


def _catching_up(index: Index, count: int) -> list[Figure]:
    begin, processor = time.perf_counter(), time.process_time()
    if not index.catch_up():
        return []
    elapsed, processor = time.perf_counter() - begin, time.process_time() - processor
    size = index.path.stat().st_size / 1e6
    return [
        at_most(f"indexing {count:,} records", elapsed, CATCH_UP_S, "{:.1f} s"),
        Figure("the same in processor time", f"{processor:.1f} s"),
        Figure("size of the index", f"{size:,.0f} MB"),
        Figure("updating the index if nothing is new", f"{median_ms(index.catch_up):.1f} ms"),
    ]


def _asking(index: Index, count: int) -> list[Figure]:
    now = datetime.fromtimestamp(1.7e9 + count, UTC)
    everything = parse("", now)

    def first_page(text: str) -> Callable[[], object]:
        asked = parse(text.format(half=count // 2), now)
        return lambda: (index.page(asked), index.facets(asked))

    middle, kind_all = f"{count // 2:020d}", parse("kind:all", now)
    found = [
        Figure("state", f"{median_ms(index.state):.1f} ms"),
        at_most("first page with facets", median_ms(first_page("")), PAGE_MS, "{:.0f} ms"),
    ]
    found += [
        at_most(
            f"the same, {name}: `{text}`", median_ms(first_page(text), 3), FILTER_MS, "{:.0f} ms"
        )
        for name, text in FILTERS.items()
    ]
    calls: dict[str, Callable[[], object]] = {
        "page in the middle": partial(index.page, everything, before=middle),
        "page after": partial(index.page, everything, after=middle),
        "neighbours": partial(index.neighbours, middle, everything),
        "neighbours, far apart": partial(index.neighbours, middle, parse("latency>100h", now)),
        "one run": partial(index.get, middle),
        "groups by session": partial(index.session_groups, everything),
    }
    found += [
        at_most(name, median_ms(call, 3), FILTER_MS, "{:.0f} ms") for name, call in calls.items()
    ]
    pages: dict[str, Callable[[], object]] = {
        "numbers": partial(numbers, index, everything),
        "numbers, every kind": partial(numbers, index, kind_all),
        "numbers of a filter": partial(numbers, index, parse("mode:code_reviewed", now)),
        "thresholds": partial(what_if, index, everything, 7, 6),
    }
    found += [
        at_most(name, median_ms(call, 3), NUMBERS_MS, "{:.0f} ms") for name, call in pages.items()
    ]
    return found


def make_run(number: int) -> Record:
    """A run of one mode or the other with its steps, as a daemon would have recorded it."""
    choose = random.Random(-number)
    record: dict[str, Any] = {**make_record(number), "original_prompt": None, "coder_output": None}
    if choose.random() < 0.1:
        record["kind"] = "auxiliary"
    raw = record["kind"] == "auxiliary" or choose.random() < 0.3
    judge = record["judge"]
    escalated = not raw and (judge["confidence_score"] < 8 or judge["conflict_score"] > 6)
    record |= {
        "mode": "code_raw" if raw else "code_reviewed",
        "judge": None if raw else judge,
        "escalated": escalated,
        "escalation_reason": choose.choice(REASONS) if escalated else None,
    }
    stages = ["coder"] if raw else ["coder", "judge", "reviewer", "judge"][: 4 if escalated else 2]
    record["steps"] = [_make_step(choose, stage, nth * 9000) for nth, stage in enumerate(stages)]
    if escalated:
        record["reviewer_judge"] = {"confidence_score": 9, "conflict_score": 2}
    if choose.random() < 0.02:
        record |= {"final_output": None, "error": {"code": "model_timeout", "message": "Too slow."}}
    record["duration_ms"] = round(choose.expovariate(1 / 8000), 1)
    return record  # type: ignore[return-value]


def _make_step(choose: random.Random, stage: str, started: float) -> dict[str, object]:
    return {
        "stage": stage,
        "model": choose.choice(MODELS),
        "started_ms": started,
        "duration_ms": round(choose.expovariate(1 / 3000) + 100, 1),
        "first_token_ms": 90.5,
        "output_tokens": choose.randint(20, 600),
    }


if __name__ == "__main__":
    main()
