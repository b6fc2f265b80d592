"""An earlier run beside the new answer to the same request, and what many of them add up to. Pure,
and whatever is in the records."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from history.bench_summary import WITHOUT_EVIDENCE
from history.index_row import Row, row_of
from history.record import Record
from history.record_values import as_table, as_tables, as_text
from history.statistics import mcnemar
from laios.tested_json import code_alone


@dataclass(frozen=True, slots=True)
class Facts:
    """What is on record of one run. `confidence` and `conflict` are of the text that was returned,
    `accepted` says whether they keep to the thresholds that were in force, `evidence` is against
    that text; None stands for what was not looked at. `seconds` are the run's own."""

    id: str
    mode: str | None
    models: tuple[str, ...]
    error: str | None
    escalated: bool
    returned: str | None
    confidence: int | None
    conflict: int | None
    accepted: bool | None
    evidence: tuple[str, ...] | None
    tests_passed: int | None
    tests: int | None
    tokens: int
    seconds: float

    @property
    def outcome(self) -> str:
        """In a few words: what failed, else facts against it, tests and scores."""
        if self.error:
            return self.error
        tests = f"{self.tests_passed}/{self.tests} tests" if self.tests else ""
        wrong = f"{len(self.evidence)} findings" if self.evidence else ""
        judged = f"judged {self.confidence}/{self.conflict}" if self.confidence else ""
        unsaid = "not checked" if self.evidence is None else "nothing against it"
        return ", ".join(filter(None, (wrong, tests, judged))) or unsaid


@dataclass(frozen=True)
class Pair:
    """`old` was there, `new` is the answer to the same request."""

    old: Record
    new: Record

    @cached_property
    def before(self) -> Facts:
        return facts_of(self.old)

    @cached_property
    def after(self) -> Facts:
        return facts_of(self.new)

    @cached_property
    def changed_lines(self) -> int:
        """Lines that only one of the answers has, wherever they stand: a real difference of two
        texts takes long to find in hostile ones, and pages count hundreds of pairs."""
        old, new = (Counter(_output(record).splitlines()) for record in (self.old, self.new))
        return (old - new).total() + (new - old).total()

    @property
    def same(self) -> bool:
        return _output(self.old) == _output(self.new)

    def as_json(self) -> dict[str, Any]:
        return {
            "old": asdict(self.before),
            "new": asdict(self.after),
            "same": self.same,
            "changed_lines": self.changed_lines,
        }


@dataclass(frozen=True, slots=True)
class PairedCount:
    """How often something holds of both answers, only of one, of neither; only pairs in which it
    was looked at on both sides. `p`: how likely so uneven a split is if both are equally good
    (McNemar's exact test)."""

    what: str
    both: int
    only_old: int
    only_new: int
    neither: int

    @property
    def of(self) -> int:
        return self.both + self.only_old + self.only_new + self.neither

    @property
    def p(self) -> float:
        return mcnemar(self.only_old, self.only_new)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "of": self.of, "p": self.p}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the pairs add up to. `counts` has what was looked at in any pair; tokens and seconds are
    sums, old and new."""

    pairs: int
    same: int
    counts: list[PairedCount]
    tokens: tuple[int, int]
    seconds: tuple[float, float]

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "counts": [each.as_json() for each in self.counts]}


def compare(pairs: Sequence[Pair]) -> Comparison:
    counts = [_count(what, holds, pairs) for what, holds in MEASURES.items()]
    old, new = [pair.before for pair in pairs], [pair.after for pair in pairs]
    return Comparison(
        len(pairs),
        sum(pair.same for pair in pairs),
        [each for each in counts if each.of],
        (sum(each.tokens for each in old), sum(each.tokens for each in new)),
        (
            round(sum(each.seconds for each in old), 3),
            round(sum(each.seconds for each in new), 3),
        ),
    )


def _tests_hold(facts: Facts) -> bool | None:
    return None if not facts.tests else facts.tests_passed == facts.tests


def _no_evidence(facts: Facts) -> bool | None:
    return None if facts.evidence is None else not facts.evidence and not facts.error


MEASURES: Mapping[str, Callable[[Facts], bool | None]] = {
    "answered": lambda facts: not facts.error,
    "no evidence against it": _no_evidence,
    "its tests hold": _tests_hold,
    "the judge accepts it": lambda facts: facts.accepted,
    "no review was needed": lambda facts: None if facts.evidence is None else not facts.escalated,
}
"""What is counted, of each answer; None where it was not looked at."""


def _count(what: str, holds: Callable[[Facts], bool | None], pairs: Iterable[Pair]) -> PairedCount:
    found = [(holds(pair.before), holds(pair.after)) for pair in pairs]
    known = [(bool(old), bool(new)) for old, new in found if old is not None and new is not None]
    return PairedCount(
        what,
        known.count((True, True)),
        known.count((True, False)),
        known.count((False, True)),
        known.count((False, False)),
    )


def facts_of(record: Record) -> Facts:
    """Raises nothing, whatever the record holds."""
    row = row_of(record)
    reviewed = row.final_source == "reviewer"
    confidence = row.review_confidence if reviewed else row.confidence
    conflict = row.review_conflict if reviewed else row.conflict
    passed, total = _tests(record.get("artefact"))
    return Facts(
        id=row.id,
        mode=row.mode,
        models=row.models,
        error=row.error,
        escalated=row.escalated,
        returned=row.final_source,
        confidence=confidence,
        conflict=conflict,
        accepted=_accepted(record, confidence, conflict),
        evidence=_evidence(record, row),
        tests_passed=passed,
        tests=total,
        tokens=row.output_tokens + sum(stage.prompt_tokens or 0 for stage in row.stages),
        seconds=round((row.duration_ms or 0) / 1000, 3),
    )


def _accepted(record: Record, confidence: int | None, conflict: int | None) -> bool | None:
    limits = as_table(record.get("thresholds"))
    least, most = limits.get("confidence"), limits.get("conflict")
    if confidence is None or conflict is None:
        return None
    if not isinstance(least, int | float) or not isinstance(most, int | float):
        return None
    return confidence >= least and conflict <= most


def _evidence(record: Record, row: Row) -> tuple[str, ...] | None:
    if (row.mode or "").removesuffix("_ctx") in WITHOUT_EVIDENCE:
        return None
    return tuple(
        f"{each.get('kind')}: {each.get('detail')}"
        for each in as_tables(record.get("evidence"))
        if row.final_source in (None, each.get("stage"))
    )


def _tests(artefact: object) -> tuple[int | None, int | None]:
    """How many of a run's tests pass, of how many; None where it has none."""
    tests = as_table(artefact).get("tests")
    if isinstance(tests, list):
        status = [each["status"] for each in as_tables(tests) if "status" in each]
        return (status.count("passed"), len(status)) if status else (None, None)
    if isinstance(tests, dict):
        passed, total = tests.get("passed"), tests.get("total")
        if isinstance(passed, int) and isinstance(total, int) and total:
            return passed, total
    return None, None


def _output(record: Record) -> str:
    return as_text(code_alone(record).get("final_output")) or ""
