"""Counts over runs: what facets, numbers and thresholds are made of. Pure.

`Counts` has numbers of runs and sums of amounts by `(key, value)`. The keys are those that runs
are found by (see `found_by`), for which there are no amounts, and these:

| key | value | counts | amount |
|---|---|---|---|
| `day`, `day:error` | date (UTC) | runs | |
| `day:escalated` | date (UTC) | runs that escalated and did not fail | |
| `scores` | confidence, conflict, verdict | runs | |
| `review:confidence`, `review:conflict` | score before, after | runs with both | |
| `ms` | bucket (16 to a doubling), stage | steps | |
| `tokens` | model | calls that gave tokens | tokens |
| `generation` | model | the same calls | milliseconds |
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from history.index_query import bucket_of
from history.index_row import Row

Key = tuple[str, str]

FINE = 16
"""Buckets to a doubling of a stage's duration: an error of at most 2.2 %."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_S = 86400


class Counts(NamedTuple):
    """Counts over runs, see above."""

    runs: Mapping[Key, int]
    amounts: Mapping[Key, float]


def count_runs(rows: Iterable[Row], found: Iterable[Iterable[Key]] | None = None) -> Counts:
    """Counts over the rows. `found` is what each is found by, where that is known already."""
    rows = list(rows)
    runs = Counter(chain.from_iterable(found if found is not None else map(found_by, rows)))
    for (key, *values), count in Counter(_measures(rows)).items():
        runs[str(key), " ".join(map(str, values))] += count
    amounts: defaultdict[Key, float] = defaultdict(float)
    for model, speeds in _speeds(rows).items():
        for key, amount in (("tokens", 0), ("generation", 1)):
            runs[key, model] += len(speeds)
            amounts[key, model] += sum(speed[amount] for speed in speeds)
    return Counts(runs, amounts)


def found_by(row: Row) -> list[Key]:
    """The keys and values that a run is found by, each once. There is always a `kind`."""
    stages = tuple([stage.stage for stage in row.stages])
    found = list(
        _shape(
            *(row.kind, row.verdict, row.mode, row.source, row.host, row.error, row.reason),
            *(row.evidence > 0, row.reviewed, row.models, stages),
        )
    )
    if row.session:
        found.append(("session", row.session))
    if row.confidence is not None:
        found.append(("confidence", str(row.confidence)))
    if row.conflict is not None:
        found.append(("conflict", str(row.conflict)))
    if row.duration_ms is not None:
        found.append(("latency", str(bucket_of(row.duration_ms))))
    return found


@lru_cache(4096)
def _shape(
    kind: str | None,
    verdict: str,
    mode: str | None,
    source: str | None,
    host: str | None,
    error: str | None,
    reason: str | None,
    evidence: bool,
    reviewed: bool,
    models: tuple[str, ...],
    stages: tuple[str, ...],
) -> list[Key]:
    """The keys of which there are few combinations."""
    named = {"mode": mode, "source": source, "host": host, "error": error, "reason": reason}
    found = [("kind", kind or ""), ("verdict", verdict)]
    found += [(key, value) for key, value in named.items() if value]
    flags = {"evidence": evidence, "reviewed": reviewed}
    found += [(key, "yes") for key, flag in flags.items() if flag]
    found += [("model", model) for model in models]
    found += [("stage", stage) for stage in dict.fromkeys(stages)]
    return found


def _measures(rows: Iterable[Row]) -> Iterator[tuple[object, ...]]:
    """Keys with the parts of their values: putting them together costs more than counting them."""
    for row in rows:
        if (day := day_of(row.ts)) is not None:
            yield "day", day
            if row.error:
                yield "day:error", day
            elif row.escalated:
                yield "day:escalated", day
        if row.confidence is not None and row.conflict is not None:
            yield "scores", row.confidence, row.conflict, row.verdict
            if row.reviewed:
                yield "review:confidence", row.confidence, row.review_confidence
                yield "review:conflict", row.conflict, row.review_conflict
        for stage in row.stages:
            if stage.duration_ms is not None:
                yield "ms", bucket_of(stage.duration_ms, FINE), stage.stage


def _speeds(rows: Iterable[Row]) -> Mapping[str, list[tuple[float, float]]]:
    """Tokens and milliseconds of each model's calls."""
    speeds: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        for stage in row.stages:
            if stage.model and stage.output_tokens and (ms := stage.generation_ms):
                speeds[stage.model].append((stage.output_tokens, ms))
    return speeds


def day_of(ts: float | None) -> str | None:
    """The date (UTC) of seconds since 1970."""
    return None if ts is None else _date(ts // _DAY_S)


@lru_cache(1024)
def _date(day: float) -> str | None:
    try:
        return (_EPOCH + timedelta(days=day)).date().isoformat()
    except OverflowError:
        return None
