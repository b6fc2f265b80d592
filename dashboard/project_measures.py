"""Measures of the runs of `///files`: reliability, quality, cost and time, each with its target.

They are read off the records themselves, of the newest runs. Pure, but for that reading.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter, ge, le
from statistics import median
from typing import Any

from dashboard.filters import Filter, and_term
from dashboard.formatting import count, duration, percent
from history.index_query import Match
from history.record_values import as_table, as_tables
from history.run_index import Index

MODE = "code_files"
NEWEST = 100  # runs that are read: a record with a whole project is large
_MEETS = {"≥": ge, "≤": le}


@dataclass(frozen=True, slots=True)
class Measure:
    """`target` is what is aimed at, "" where nothing is; `met`: None without one."""

    name: str
    shown: str
    target: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Projects:
    """`runs` is how many were read; `filter` finds them."""

    runs: int
    filter: str
    measures: list[Measure]


def projects(index: Index, wanted: Filter) -> Projects | None:
    """The measures of the newest of the runs that fit; None where none of them made a project.
    Reads files: call it in a thread."""
    text = and_term(wanted.text, "mode", MODE)
    narrowed = replace(wanted, matches=(*wanted.matches, Match("mode", (MODE,), loose=True)))
    rows = index.page(narrowed, limit=NEWEST).rows
    records = [record for row in rows if (record := index.get(row.id))]
    return Projects(len(records), text, measures(records)) if records else None


def measures(records: Iterable[Mapping[str, Any]]) -> list[Measure]:
    """The measures of records of the mode. What does not look like the mode's is passed over."""
    runs = [_Run.of(record) for record in records]
    made = [run for run in runs if run.metrics]
    tested = [run for run in made if run.metrics.get("tests_run")]
    judged = [run for run in runs if run.approved is not None]
    files = [file for run in made for file in run.files]
    written = [_number(file, "duration_ms") for file in files if file.get("calls")]
    together, alone = _sum(made, "write_ms"), _sum(made, "write_alone_ms")
    tokens = _sum(made, "prompt_tokens") + _sum(made, "output_tokens")
    found = [
        _share("Projects that are complete and consistent", runs, _Run.is_whole, "≥", 0.95),
        _share("Plans with unreadable JSON at first", runs, attrgetter("unread"), "≤", 0.05),
        *_by_type(files),
        _share("No linter findings", made, _Run.is_clean, "≥", 1.0),
        _share("Their own tests pass", tested, _Run.tests_pass, "≥", 0.90),
        _share("Passed by the judge", judged, attrgetter("approved"), "≥", 0.80),
        _per("Tokens per project", tokens, len(made)),
        _per("Tokens per file", tokens, _sum(made, "files")),
        _per("Tokens per line", tokens, _sum(made, "lines")),
        _time("Time per project (median)", [run.duration_ms for run in made], 120_000),
        _time("Time per file (median)", written, 15_000),
    ]
    if together and alone:
        found.append(Measure("Speed-up by writing files in parallel", f"{alone / together:.1f}×"))
    return [measure for measure in found if measure]


@dataclass(frozen=True, slots=True)
class _Run:
    """`approved`: whether nothing escalated, neither a verdict nor facts that spoke before the
    judge was asked; None for a run that did not come so far."""

    metrics: Mapping[str, Any]
    files: list[dict[str, Any]]
    duration_ms: float
    failed: bool
    unread: bool
    approved: bool | None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "_Run":
        artefact = as_table(record.get("artefact"))
        verdict = as_table(record.get("judge"))
        escalated = bool(record.get("escalated"))  # by the verdict, or by facts in its place
        plans = [step for step in as_tables(record.get("steps")) if step.get("stage") == "manifest"]
        return cls(
            metrics=as_table(artefact.get("metrics")),
            files=as_tables(artefact.get("files")),
            duration_ms=_number(record, "duration_ms"),
            failed=bool(record.get("error")),
            unread=any(map(_is_unread, plans)),
            approved=not escalated if escalated or verdict.get("confidence_score") else None,
        )

    def is_whole(self) -> bool:
        whole = not self.failed and not self.metrics.get("files_failed", 1)
        return whole and bool(self.metrics.get("consistent"))

    def is_clean(self) -> bool:
        return bool(self.metrics.get("lint_clean"))

    def tests_pass(self) -> bool:
        return _number(self.metrics, "tests_passed") == _number(self.metrics, "tests_total")


def _is_unread(step: Mapping[str, Any]) -> bool:
    mended = str(step.get("note") or "").startswith("mended")
    return mended or as_table(step.get("error")).get("code") == "unreadable"


def _by_type(files: Iterable[Mapping[str, Any]]) -> Iterator[Measure]:
    total: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for file in files:
        kind = str(file.get("type"))
        total[kind] += 1
        failed[kind] += file.get("status") == "failed"
    for kind, number in total.most_common(6):
        shown = f"{percent(failed[kind] / number)} of {count(number)}"
        yield Measure(f"Files that failed: {kind}", shown)


def _share(
    name: str, runs: list[_Run], fits: Callable[[_Run], bool], sign: str, target: float
) -> Measure | None:
    if not runs:
        return None
    share = sum(map(fits, runs)) / len(runs)
    shown = f"{percent(share)} of {count(len(runs))}"
    return Measure(name, shown, f"{sign} {percent(target)}", _MEETS[sign](share, target))


def _per(name: str, amount: float, of: float) -> Measure | None:
    return Measure(name, count(amount / of)) if of and amount else None


def _time(name: str, times: list[float], most: float) -> Measure | None:
    if not times:
        return None
    value = median(times)
    return Measure(name, duration(value), f"≤ {duration(most)}", value <= most)


def _sum(runs: Iterable[_Run], key: str) -> float:
    return sum(_number(run.metrics, key) for run in runs)


def _number(value: Mapping[str, Any], key: str) -> float:
    number = value.get(key)
    if isinstance(number, int | float) and abs(number) < 1e15:  # NaN is not
        return float(number)
    return 0.0
