"""A judge's scores against executed labels → what it is worth, and which thresholds pay. Pure.

A draft is accepted where its confidence is at least one threshold and its conflict at most another.
To accept a wrong one costs `cost`, to send a right one to the reviewer costs 1."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from history.bench_results import ResultRow
from history.bench_summary import WITHOUT_EVIDENCE
from history.statistics import auroc, auroc_interval, wilson

LEAST = 20  # drafts, and a quarter of it of each kind, below which nothing is advised
GRID = [(confidence, conflict) for confidence in range(1, 12) for conflict in range(10, -1, -1)]
ALWAYS, NEVER = (1, 10), (11, 0)  # thresholds that accept everything, nothing


@dataclass(frozen=True, slots=True)
class Scored:
    """A draft that a judge scored and the hidden tests have labelled."""

    confidence: int
    conflict: int
    right: bool

    def accepted(self, confidence: int, conflict: int) -> bool:
        return self.confidence >= confidence and self.conflict <= conflict


@dataclass(frozen=True, slots=True)
class Share:
    """`of` with the 95 % interval of `k / of`, as shares."""

    k: int
    of: int
    low: float
    high: float

    @classmethod
    def counted(cls, found: Iterable[bool]) -> "Share":
        each = list(found)
        return cls(sum(each), len(each), *wilson(sum(each), len(each)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """`accepted_right` and `rejected_wrong` are at the thresholds in force, `auroc` of confidence
    less conflict with its 95 % interval. `reliability`: of the drafts with that confidence, how
    many are right. `best` are the thresholds of the least cost; `cost_…` what the drafts cost by
    them (chosen each time without the draft that is judged), accepted always, and reviewed
    always."""

    judge: str
    accepted_right: Share
    rejected_wrong: Share
    auroc: float | None
    auroc_low: float | None
    auroc_high: float | None
    reliability: dict[int, Share]
    best: tuple[int, int]
    cost_of_best: float
    cost_of_always: float
    cost_of_never: float

    @property
    def drafts(self) -> int:
        return self.accepted_right.of + self.rejected_wrong.of

    @property
    def enough(self) -> bool:
        """Whether there are drafts enough to say anything."""
        fewest = min(self.accepted_right.of, self.rejected_wrong.of)
        return self.drafts >= LEAST and fewest >= LEAST // 4

    @property
    def pays(self) -> bool:
        """Whether asking the judge costs less than not asking it."""
        return self.cost_of_best < min(self.cost_of_always, self.cost_of_never)

    def as_json(self) -> dict[str, Any]:
        found = {**asdict(self), "enough": self.enough, "pays": self.pays}
        found["best"] = {"confidence": self.best[0], "conflict": self.best[1]}
        return found


def scored_drafts(rows: Iterable[ResultRow]) -> dict[str, list[Scored]]:
    """By the judge's name."""
    found: dict[str, list[Scored]] = {}
    for row in rows:
        if row["confidence"] is not None and row["conflict"] is not None:
            draft = Scored(row["confidence"], row["conflict"], row["draft_passed"])
            found.setdefault(row["models"].get("judge", ""), []).append(draft)
    return found


def unjudged(rows: Iterable[ResultRow], judge: str) -> tuple[int, int]:
    """Results without a verdict in which this judge (`auto`: any) could have been asked for one,
    and in how many of them facts had rejected the draft: then no judge is asked."""
    found = [
        row
        for row in rows
        if row["confidence"] is None and row.get("mode") not in WITHOUT_EVIDENCE
        if judge in ("auto", row["models"].get("judge"))
    ]
    return len(found), sum(map(_is_rejected, found))


def _is_rejected(row: ResultRow) -> bool:
    evidence = row.get("evidence")
    return isinstance(evidence, list) and any(str(each).startswith("coder:") for each in evidence)


def calibrate(
    judge: str, drafts: Sequence[Scored], thresholds: tuple[int, int], cost: float
) -> Calibration:
    """`thresholds`: those in force, confidence and conflict."""
    right = [each for each in drafts if each.right]
    wrong = [each for each in drafts if not each.right]
    ranked = auroc(*([each.confidence - each.conflict for each in part] for part in (right, wrong)))
    low, high = auroc_interval(ranked, len(right), len(wrong))
    levels = sorted({each.confidence for each in drafts}, reverse=True)
    return Calibration(
        judge=judge,
        accepted_right=Share.counted(each.accepted(*thresholds) for each in right),
        rejected_wrong=Share.counted(not each.accepted(*thresholds) for each in wrong),
        auroc=ranked,
        auroc_low=low,
        auroc_high=high,
        reliability={
            level: Share.counted(each.right for each in drafts if each.confidence == level)
            for level in levels
        },
        best=_best(_costs(drafts, cost)),
        cost_of_best=_cost_left_out(drafts, cost),
        cost_of_always=_cost(drafts, ALWAYS, cost),
        cost_of_never=_cost(drafts, NEVER, cost),
    )


def _cost(drafts: Iterable[Scored], thresholds: tuple[int, int], cost: float) -> float:
    return sum(_cost_of(each, thresholds, cost) for each in drafts)


def _cost_of(draft: Scored, thresholds: tuple[int, int], cost: float) -> float:
    if draft.accepted(*thresholds):
        return 0.0 if draft.right else cost
    return 1.0 if draft.right else 0.0


def _costs(drafts: Sequence[Scored], cost: float) -> dict[tuple[int, int], float]:
    return {thresholds: _cost(drafts, thresholds, cost) for thresholds in GRID}


def _best(costs: dict[tuple[int, int], float]) -> tuple[int, int]:
    """Of the least cost; of equals the strictest that a setting can have, else what there is."""
    sayable = [each for each in costs if each[0] <= 10 and each[1] >= 1]
    return min(sayable, key=lambda each: (costs[each], -each[0], each[1]))


def _cost_left_out(drafts: Sequence[Scored], cost: float) -> float:
    """What the drafts cost by thresholds that were chosen without them, one by one: the best ones
    on the drafts themselves would flatter the judge."""
    costs = _costs(drafts, cost)
    total = 0.0
    for draft in set(drafts):
        without = {each: costs[each] - _cost_of(draft, each, cost) for each in GRID}
        total += _cost_of(draft, _best(without), cost) * drafts.count(draft)
    return total
