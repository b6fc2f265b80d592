"""Results → what each arm is worth, and what its parts did. Pure."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import mean
from typing import Any

from history.bench_results import ResultRow
from history.record_values import as_text
from history.statistics import auroc, mcnemar, wilson

Found = dict[str, ResultRow]  # by the problem

BASE = "raw"
_ENOUGH = 5  # problems on which an arm was asked first
_LONGEST_WORD, _MOST_WORDS = 80, 5
# They look at no evidence and draw once (or blindly), so that no finding says nothing.
WITHOUT_EVIDENCE = ("code_raw", "review_only", "answer")


@dataclass(frozen=True, slots=True)
class Rates:
    """Against the executed labels of the drafts that were looked at: how many of the right ones
    were accepted and of the wrong ones rejected. `auroc`: of scores alone."""

    accepted_right: int
    right: int
    rejected_wrong: int
    wrong: int
    auroc: float | None = None


@dataclass(frozen=True, slots=True)
class ArmSummary:
    """`right` of `of` answers pass. `mended` and `spoilt`: answers that pass though the chosen
    draft did not, and the other way round; `drawn_…` the same of the chosen draft and the first.
    `gained` and `lost` count problems against the raw arm, `p` is McNemar's. Tokens and seconds are
    sums; `ratio` is mean seconds by raw's (`_ratio`). `engine` and `quantization` are "" in results
    from before they were kept."""

    arm: str
    models: str
    engine: str
    quantization: str
    right: int
    of: int
    low: float
    high: float
    gained: int
    lost: int
    p: float
    drawn_mended: int
    drawn_spoilt: int
    mended: int
    spoilt: int
    judged: Rates | None
    evidence: Rates | None
    failed: int
    calls: int
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    seconds: float
    ratio: float | None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def latest(rows: Sequence[ResultRow], asked: Iterable[ResultRow] = ()) -> list[ResultRow]:
    """Of the newest revision and settings of each arm, or those of its rows that are `asked` for:
    what was measured before a change is not mixed with what came after it."""
    newest = {_arm(row): _conditions(row) for row in (*rows, *asked)}
    return [row for row in rows if newest[_arm(row)] == _conditions(row)]


def _arm(row: ResultRow) -> tuple[str, str]:
    return row["arm"], models_of(row)


def _conditions(row: ResultRow) -> tuple[str, str]:
    return row["revision"], json.dumps(row["settings"], sort_keys=True)


def summarise(rows: Iterable[ResultRow]) -> list[ArmSummary]:
    """A summary for each arm with each set of models, in the order in which they first appear."""
    groups: dict[tuple[str, str], Found] = defaultdict(dict)
    seen: set[tuple[str, str]] = set()
    for row in rows:
        of = models_of(row), row["problem"]
        # Rows from before it was said are first by their place in the file.
        row = {"first": of not in seen, **row}
        seen.add(of)
        groups[row["arm"], models_of(row)][row["problem"]] = row
    return [
        _summary(arm, models, found, groups.get((BASE, models), {}))
        for (arm, models), found in groups.items()
    ]


def models_of(row: ResultRow) -> str:
    """Their names, each once."""
    return ", ".join(dict.fromkeys(row["models"].values()))


def _words(rows: Iterable[ResultRow], name: str) -> str:
    """What the rows say under this name, each word once and not too many of them."""
    said = dict.fromkeys(each for row in rows if (each := as_text(row.get(name))))
    return ", ".join(each[:_LONGEST_WORD] for each in islice(said, _MOST_WORDS))


def _summary(arm: str, models: str, found: Found, base: Found) -> ArmSummary:
    rows = list(found.values())
    right = sum(row["passed"] for row in rows)
    low, high = wilson(right, len(rows))
    both = [(row, base[name]) for name, row in found.items() if name in base]
    gained = sum(row["passed"] and not other["passed"] for row, other in both)
    lost = sum(other["passed"] and not row["passed"] for row, other in both)
    drawn = [(drafts[0], row["draft_passed"]) for row in rows if (drafts := _drawn(row))]
    return ArmSummary(
        arm=arm,
        models=models,
        engine=_words(rows, "engine"),
        quantization=_words(rows, "quantization"),
        right=right,
        of=len(rows),
        low=low,
        high=high,
        gained=gained,
        lost=lost,
        p=mcnemar(gained, lost),
        drawn_mended=drawn.count((False, True)),
        drawn_spoilt=drawn.count((True, False)),
        mended=sum(row["passed"] and not row["draft_passed"] for row in rows),
        spoilt=sum(row["draft_passed"] and not row["passed"] for row in rows),
        judged=_judged(rows),
        evidence=_evidence(rows),
        failed=sum(row["error"] is not None for row in rows),
        calls=sum(row["calls"] for row in rows),
        prompt_tokens=sum(row["prompt_tokens"] for row in rows),
        cached_tokens=sum(row["cached_tokens"] for row in rows),
        output_tokens=sum(row["output_tokens"] for row in rows),
        seconds=sum(row["seconds"] for row in rows),
        ratio=_ratio(arm, found, base),
    )


def _ratio(arm: str, found: Found, base: Found) -> float | None:
    """Of the problems on which each of the two was asked first, where there are enough: an engine
    copies the draft that it has just written for another arm. Else of those that both have."""
    ours = [row["seconds"] for row in found.values() if row["first"] is True]
    theirs = [row["seconds"] for row in base.values() if row["first"] is True]
    if arm == BASE or min(len(ours), len(theirs)) < _ENOUGH:
        both = found.keys() & base.keys()
        ours = [found[name]["seconds"] for name in both]
        theirs = [base[name]["seconds"] for name in both]
    return mean(ours) / mean(theirs) if any(theirs) else None


def _judged(rows: Sequence[ResultRow]) -> Rates | None:
    """Of the drafts that a judge scored; what ranks them is confidence less conflict and, where it
    said one word, of equals the probability of its yes."""
    scored = [row for row in rows if None not in (row["confidence"], row["conflict"])]
    ranks: dict[bool, list[float]] = {True: [], False: []}
    for row in scored:
        yes = row.get("p_correct") or 0.0
        ranks[row["draft_passed"]].append(row["confidence"] - row["conflict"] + yes)
    drafts = [(row["draft_passed"], not row["escalated"]) for row in scored]
    return _rates(drafts, auroc(ranks[True], ranks[False]))


def _evidence(rows: Iterable[ResultRow]) -> Rates | None:
    """Of the drafts that evidence was looked for against, a finding rejects."""
    return _rates([draft for row in rows for draft in _examined(row)])


def _examined(row: ResultRow) -> list[tuple[bool, bool]]:
    """Each draft: whether it passes, and whether nothing was found against it. Rows from before
    the findings of each were kept have them of the chosen one."""
    if row.get("mode") in WITHOUT_EVIDENCE or row.get("source", "") is None:
        return []
    passed, found = _truths(row.get("drafts")), _truths(row.get("faulted"))
    if passed and len(passed) == len(found):
        return [(right, not fault) for right, fault in zip(passed, found, strict=True)]
    against = row.get("evidence")
    if not isinstance(against, list):
        return []
    return [(row["draft_passed"], not any(str(each).startswith("coder:") for each in against))]


def _drawn(row: ResultRow) -> list[bool]:
    """Whether each draft passes, where drawing was not blind."""
    return [] if row.get("mode") in WITHOUT_EVIDENCE else _truths(row.get("drafts"))


def _truths(value: object) -> list[bool]:
    """A list of booleans; [] for anything else."""
    whole = isinstance(value, list) and all(isinstance(each, bool) for each in value)
    return value if whole else []  # type: ignore[return-value]


def _rates(drafts: Sequence[tuple[bool, bool]], area: float | None = None) -> Rates | None:
    """Of pairs: whether it is right, whether it was accepted."""
    if not drafts:
        return None
    accepted = [accepted for right, accepted in drafts if right]
    rejected = [not accepted for right, accepted in drafts if not right]
    return Rates(sum(accepted), len(accepted), sum(rejected), len(rejected), area)
