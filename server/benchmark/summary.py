"""Results → what each arm is worth, and what its parts did. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from history.mcnemar import mcnemar
from server.benchmark.result_file import Row
from server.benchmark.statistics import auroc, wilson

BASE = "raw"


@dataclass(frozen=True, slots=True)
class Judged:
    """The judge against the executed labels of the drafts that it saw: rates of right drafts
    accepted and of wrong ones rejected, with how many there were."""

    accepted_right: int
    right: int
    rejected_wrong: int
    wrong: int
    auroc: float | None


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """`right` of `of` answers pass. `mended` and `spoilt`: answers that pass though the draft did
    not, and the other way round. `gained` and `lost` count problems against the raw arm, `p` is
    McNemar's. Tokens and seconds are sums; `ratio` is seconds by raw's on the same problems."""

    arm: str
    models: str
    right: int
    of: int
    low: float
    high: float
    gained: int
    lost: int
    p: float
    mended: int
    spoilt: int
    judged: Judged | None
    failed: int
    calls: int
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    seconds: float
    ratio: float | None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def summarise(rows: Iterable[Row]) -> list[ArmSummary]:
    """A summary for each arm with each set of models, in the order in which they first appear."""
    groups: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        groups[row["arm"], _models(row)][row["problem"]] = row
    return [
        _summary(arm, models, found, groups.get((BASE, models), {}))
        for (arm, models), found in groups.items()
    ]


def _models(row: Row) -> str:
    return ", ".join(dict.fromkeys(row["models"].values()))


def _summary(
    arm: str, models: str, found: Mapping[str, Row], base: Mapping[str, Row]
) -> ArmSummary:
    rows = list(found.values())
    right = sum(row["passed"] for row in rows)
    low, high = wilson(right, len(rows))
    both = [(row, base[name]) for name, row in found.items() if name in base]
    gained = sum(row["passed"] and not other["passed"] for row, other in both)
    lost = sum(other["passed"] and not row["passed"] for row, other in both)
    raw_seconds = sum(other["seconds"] for _, other in both)
    return ArmSummary(
        arm=arm,
        models=models,
        right=right,
        of=len(rows),
        low=low,
        high=high,
        gained=gained,
        lost=lost,
        p=mcnemar(gained, lost),
        mended=sum(row["passed"] and not row["draft_passed"] for row in rows),
        spoilt=sum(row["draft_passed"] and not row["passed"] for row in rows),
        judged=_judged(rows),
        failed=sum(row["error"] is not None for row in rows),
        calls=sum(row["calls"] for row in rows),
        prompt_tokens=sum(row["prompt_tokens"] for row in rows),
        cached_tokens=sum(row["cached_tokens"] for row in rows),
        output_tokens=sum(row["output_tokens"] for row in rows),
        seconds=sum(row["seconds"] for row in rows),
        ratio=sum(row["seconds"] for row, _ in both) / raw_seconds if raw_seconds else None,
    )


def _judged(rows: Sequence[Row]) -> Judged | None:
    """Of the drafts that a judge scored; the score that ranks them is confidence less conflict."""
    scored = [row for row in rows if row["confidence"] is not None]
    if not scored:
        return None
    right = [row for row in scored if row["draft_passed"]]
    wrong = [row for row in scored if not row["draft_passed"]]
    return Judged(
        accepted_right=sum(not row["escalated"] for row in right),
        right=len(right),
        rejected_wrong=sum(row["escalated"] for row in wrong),
        wrong=len(wrong),
        auroc=auroc(
            *([row["confidence"] - row["conflict"] for row in part] for part in (right, wrong))
        ),
    )
