"""The numbers page: what the runs that fit a filter add up to, each number with the filter text
that leads to the runs behind it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from dashboard.filters import Filter, and_term
from history.counts import FINE
from history.results import RunCounts
from history.run_index import Index

SCORES = range(1, 11)


@dataclass(frozen=True, slots=True)
class Bar:
    """So many runs; `filter` finds them."""

    label: str
    runs: int
    filter: str


@dataclass(frozen=True, slots=True)
class Day:
    """The runs of a day (UTC). One that escalated and failed is counted as failed alone."""

    day: str
    runs: int
    escalated: int
    errors: int
    filter: str


@dataclass(frozen=True, slots=True)
class StageTimes:
    """How long a stage took, in milliseconds, within 2.2 %."""

    stage: str
    p50_ms: float
    p95_ms: float
    filter: str


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a model gave its tokens, from the first one on."""

    model: str
    tokens: int
    tokens_per_s: float
    filter: str


@dataclass(frozen=True, slots=True)
class ReviewEffect:
    """Mean scores of the drafts that were reviewed, and of their reviews."""

    runs: int
    confidence_before: float
    confidence_after: float
    conflict_before: float
    conflict_after: float
    filter: str

    @property
    def confidence_change(self) -> float:
        return self.confidence_after - self.confidence_before

    @property
    def conflict_change(self) -> float:
        return self.conflict_after - self.conflict_before


@dataclass(frozen=True, slots=True)
class Numbers:
    """`runs` is what was counted; not `exact`: the newest ones, and there are more.

    `decided` runs had a verdict, or evidence or an open comparison of drafts in its place: those
    that could escalate.
    """

    runs: int
    exact: bool
    filter: str
    days: list[Day]
    modes: list[Bar]
    decided: int
    escalated: Bar
    reasons: list[Bar]
    confidence: list[Bar]
    conflict: list[Bar]
    review: ReviewEffect | None
    stages: list[StageTimes]
    models: list[Speed]
    errors: list[Bar]

    @property
    def escalation_rate(self) -> float:
        """Part of the runs that could escalate."""
        return self.escalated.runs / self.decided if self.decided else 0.0

    @property
    def error_rate(self) -> float:
        """Part of all runs."""
        return sum(bar.runs for bar in self.errors) / self.runs if self.runs else 0.0


def numbers(index: Index, filter: Filter) -> Numbers:
    """What the runs that fit add up to. Reads files: call it in a thread."""
    counted, text = index.run_counts(filter), filter.text
    counts = _ByKey(counted)
    reasons = counts.bars("reason", text)
    escalated = sum(bar.runs for bar in reasons)
    judged = sum(runs for verdict, runs in counts.runs("verdict").items() if verdict != "none")
    unasked = sum(bar.runs for bar in reasons if bar.label in ("evidence", "undecided"))
    return Numbers(
        runs=counted.runs,
        exact=counted.exact,
        filter=text,
        days=list(_days(counts, text)),
        modes=counts.bars("mode", text),
        decided=unasked + judged,
        escalated=Bar("escalated", escalated, and_term(text, "escalated", "yes")),
        reasons=reasons,
        confidence=_scores(counts, "confidence", text),
        conflict=_scores(counts, "conflict", text),
        review=_review(counts, text),
        stages=list(_stages(counts, text)),
        models=sorted(_speeds(counts, text), key=lambda speed: -speed.tokens),
        errors=counts.bars("error", text),
    )


class _ByKey:
    """Numbers of runs and amounts, by key."""

    def __init__(self, counted: RunCounts) -> None:
        self._runs: dict[str, dict[str, int]] = {}
        for (key, value), runs in counted.counts.runs.items():
            self._runs.setdefault(key, {})[value] = runs
        self._amounts = counted.counts.amounts

    def runs(self, key: str) -> dict[str, int]:
        return self._runs.get(key, {})

    def amount(self, key: str, value: str) -> float:
        return self._amounts[key, value]

    def bars(self, key: str, text: str) -> list[Bar]:
        """A bar for each value of a key that runs are found by, the longest first."""
        ordered = sorted(self.runs(key).items(), key=lambda item: (-item[1], item[0]))
        return [Bar(value, runs, and_term(text, key, value)) for value, runs in ordered]


def _days(counts: _ByKey, text: str) -> Iterator[Day]:
    escalated, errors = counts.runs("day:escalated"), counts.runs("day:error")
    for day, runs in sorted(counts.runs("day").items()):
        yield Day(day, runs, escalated.get(day, 0), errors.get(day, 0), _within(text, day))


def _within(text: str, day: str) -> str:
    """The day with its zone: the reader's may be another one."""
    begun = and_term(text, "since", f"{day}T00:00Z")
    if day == date.max.isoformat():
        return begun
    return and_term(begun, "until", f"{date.fromisoformat(day) + timedelta(days=1)}T00:00Z")


def _scores(counts: _ByKey, key: str, text: str) -> list[Bar]:
    """A bar for each score, also for those that no run has."""
    runs = counts.runs(key)
    return [Bar(s, runs.get(s, 0), and_term(text, key, s)) for s in map(str, SCORES)]


def _review(counts: _ByKey, text: str) -> ReviewEffect | None:
    runs = counts.runs("reviewed").get("yes", 0)
    if not runs:
        return None
    confidence = _means(counts.runs("review:confidence"))
    conflict = _means(counts.runs("review:conflict"))
    return ReviewEffect(runs, *confidence, *conflict, and_term(text, "reviewed", "yes"))


def _means(pairs: Mapping[str, int]) -> tuple[float, float]:
    """Mean scores before and after, from counts of `before after`."""
    total = sum(pairs.values())
    scores = [(tuple(map(int, pair.split())), runs) for pair, runs in pairs.items()]
    before = sum(pair[0] * runs for pair, runs in scores) / total
    after = sum(pair[1] * runs for pair, runs in scores) / total
    return before, after


def _stages(counts: _ByKey, text: str) -> Iterator[StageTimes]:
    stages: dict[str, dict[int, int]] = {}
    for value, steps in counts.runs("ms").items():
        bucket, _, stage = value.partition(" ")
        stages.setdefault(stage, {})[int(bucket)] = steps
    for stage, buckets in sorted(stages.items()):
        p50, p95 = percentile(buckets, 0.5), percentile(buckets, 0.95)
        yield StageTimes(stage, p50, p95, and_term(text, "stage", stage))


def _speeds(counts: _ByKey, text: str) -> Iterator[Speed]:
    for model in counts.runs("tokens"):
        tokens, ms = counts.amount("tokens", model), counts.amount("generation", model)
        yield Speed(model, int(tokens), tokens / ms * 1000, and_term(text, "model", model))


def percentile(buckets: Mapping[int, int], part: float) -> float:
    """Milliseconds that this part of the durations does not exceed, from a histogram of them."""
    rest = sum(buckets.values()) * part
    for bucket, count in sorted(buckets.items()):
        if rest <= count:
            return float(2 ** ((bucket + rest / count) / FINE) - 1)
        rest -= count
    return 0.0
