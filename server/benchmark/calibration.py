"""A judge's verdicts against executed labels → what it is worth, and which thresholds pay. Pure.

A draft is accepted where its confidence is at least one threshold and its conflict at most another;
where the judge said one word, where the probability of yes is at least one threshold. To accept a
wrong one costs `cost`, to send a right one to the reviewer costs 1."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from history.bench_results import ResultRow
from history.bench_summary import WITHOUT_EVIDENCE
from history.statistics import auroc, auroc_interval, wilson

LEAST = 20  # drafts, and a quarter of it of each kind, below which nothing is advised
DIGITS = 3  # of a threshold that is a probability
Scores = tuple[int, int]
Thresholds = Scores | float
GRID: list[Thresholds] = [
    (confidence, conflict) for confidence in range(1, 11) for conflict in range(10, 0, -1)
]


@dataclass(frozen=True, slots=True)
class Scored:
    """A draft that a judge scored and the hidden tests have labelled. `yes`: the probability of
    it, where the judge said one word."""

    confidence: int
    conflict: int
    right: bool
    yes: float | None = None

    def accepted(self, thresholds: Thresholds) -> bool:
        if isinstance(thresholds, tuple):
            confidence, conflict = thresholds
            return self.confidence >= confidence and self.conflict <= conflict
        return self.yes is not None and self.yes >= thresholds

    @property
    def rank(self) -> float:
        return self.confidence - self.conflict if self.yes is None else self.yes


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
    less conflict, or of the probability of yes, with its 95 % interval. `reliability`: of the
    drafts with that confidence, how many are right. `best` are the thresholds of the least cost;
    `cost_…` what the drafts cost by them (chosen each time without the draft that is judged),
    accepted always, and reviewed always."""

    judge: str
    accepted_right: Share
    rejected_wrong: Share
    auroc: float | None
    auroc_low: float | None
    auroc_high: float | None
    reliability: dict[int, Share]
    best: Thresholds
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
        found["best"] = (
            {"confidence": self.best[0], "conflict": self.best[1]}
            if isinstance(self.best, tuple)
            else {"p_correct": self.best}
        )
        return found


def scored_drafts(rows: Iterable[ResultRow]) -> dict[str, list[Scored]]:
    """By the judge's name, the last one of each problem and coder: other modes, settings and
    versions mostly show it the same draft again. One that gave scores once and words later: those
    of the way in which it was asked last."""
    found: dict[str, list[tuple[str, Scored]]] = {}
    for row in rows:
        if row["confidence"] is not None and row["conflict"] is not None:
            verdict = (row["confidence"], row["conflict"], row["draft_passed"])
            draft = Scored(*verdict, row.get("p_correct"))
            what = f"{row['problem']} {row['models'].get('coder')}"
            found.setdefault(row["models"].get("judge", ""), []).append((what, draft))
    return {judge: [*dict(_of_one_form(drafts)).values()] for judge, drafts in found.items()}


def _of_one_form(drafts: Sequence[tuple[str, Scored]]) -> Iterable[tuple[str, Scored]]:
    last = drafts[-1][1].yes is None
    return ((what, each) for what, each in drafts if (each.yes is None) == last)


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
    judge: str, drafts: Sequence[Scored], scores: Scores, least_yes: float, cost: float
) -> Calibration:
    """`scores`, `least_yes`: the thresholds in force, for either form of verdicts."""
    right = [each for each in drafts if each.right]
    wrong = [each for each in drafts if not each.right]
    ranked = auroc(*([each.rank for each in part] for part in (right, wrong)))
    low, high = auroc_interval(ranked, len(right), len(wrong))
    levels = sorted({each.confidence for each in drafts}, reverse=True)
    words = any(each.yes is not None for each in drafts)
    in_force = least_yes if words else scores
    choice = _probabilities(drafts) if words else GRID
    return Calibration(
        judge=judge,
        accepted_right=Share.counted(each.accepted(in_force) for each in right),
        rejected_wrong=Share.counted(not each.accepted(in_force) for each in wrong),
        auroc=ranked,
        auroc_low=low,
        auroc_high=high,
        reliability={
            level: Share.counted(each.right for each in drafts if each.confidence == level)
            for level in levels
        },
        best=_best(_costs(drafts, choice, cost)),
        cost_of_best=_cost_left_out(drafts, choice, cost),
        cost_of_always=cost * len(wrong),
        cost_of_never=len(right),
    )


def _probabilities(drafts: Iterable[Scored]) -> list[Thresholds]:
    """Those that tell any two of the drafts apart, halfway between them, and the ends."""
    found = sorted({each.yes for each in drafts if each.yes is not None})
    between = [round((low + high) / 2, DIGITS) for low, high in pairwise(found)]
    return [0.0, *between, 1.0]


def _cost_of(draft: Scored, thresholds: Thresholds, cost: float) -> float:
    if draft.accepted(thresholds):
        return 0.0 if draft.right else cost
    return 1.0 if draft.right else 0.0


def _costs(
    drafts: Sequence[Scored], choice: Iterable[Thresholds], cost: float
) -> dict[Thresholds, float]:
    return {each: sum(_cost_of(draft, each, cost) for draft in drafts) for each in choice}


def _best(costs: Mapping[Thresholds, float]) -> Thresholds:
    """Of the least cost; of equals the strictest."""
    return min(costs, key=lambda each: (costs[each], _leniency(each)))


def _leniency(thresholds: Thresholds) -> tuple[float, ...]:
    return (-thresholds[0], thresholds[1]) if isinstance(thresholds, tuple) else (-thresholds,)


def _cost_left_out(drafts: Sequence[Scored], choice: Sequence[Thresholds], cost: float) -> float:
    """What the drafts cost by thresholds that were chosen without them, one by one: the best ones
    on the drafts themselves would flatter the judge."""
    costs = _costs(drafts, choice, cost)
    total = 0.0
    for draft, times in Counter(drafts).items():
        without = {each: costs[each] - _cost_of(draft, each, cost) for each in choice}
        total += _cost_of(draft, _best(without), cost) * times
    return total
