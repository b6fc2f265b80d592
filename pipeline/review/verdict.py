"""Judge text → Verdict. Pure and strict: a score is read or there is none, never repaired."""

from dataclasses import asdict, dataclass
from typing import Any

from config import Settings
from pipeline.errors import Unreadable
from pipeline.reply_schema import INTEGER, table, text
from pipeline.review.defect_words import defect_in
from pipeline.strict_json import read_object

LOWEST, HIGHEST = 1, 10
MAX_SUMMARY = 300  # characters: an unbounded string never ends on small models

_SCORE = INTEGER | {"minimum": LOWEST, "maximum": HIGHEST}
VERDICT_SCHEMA = table(
    confidence_score=_SCORE, conflict_score=_SCORE, judgement_summary=text(MAX_SUMMARY)
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge said. The scores are None when it said nothing that can be believed; then
    `error` says why. `raw_response` is its last answer as it came. `p_correct`: the probability of
    a yes, where the verdict is one word."""

    confidence_score: int | None
    conflict_score: int | None
    judgement_summary: str | None
    raw_response: str | None
    error: str | None = None
    p_correct: float | None = None

    def escalation(self, settings: Settings) -> str | None:
        """Why the text has to be reviewed: `confidence 6 < 8; conflict 7 > 6`, or None. Scores that
        pass beside a sentence that names a defect do not."""
        if self.confidence_score is None or self.conflict_score is None:
            return self.error or "unparseable verdict"
        reasons = []
        if self.confidence_score < (least := settings.ESCALATION_CONFIDENCE_THRESHOLD):
            reasons.append(f"confidence {self.confidence_score} < {least}")
        if self.conflict_score > (most := settings.ESCALATION_CONFLICT_THRESHOLD):
            reasons.append(f"conflict {self.conflict_score} > {most}")
        if not reasons and (defect := defect_in(self.judgement_summary or "")):
            scores = f"confidence {self.confidence_score}, conflict {self.conflict_score}"
            reasons.append(f"the verdict contradicts itself: {defect!r} beside {scores}")
        return "; ".join(reasons) or None

    def worse_than(self, other: "Verdict") -> bool:
        """Rated both less confident and more conflicting. Without scores on both sides: no."""
        if self.confidence_score is None or other.confidence_score is None:
            return False
        if self.conflict_score is None or other.conflict_score is None:
            return False
        return (
            self.confidence_score < other.confidence_score
            and self.conflict_score > other.conflict_score
        )

    def as_json(self) -> dict[str, Any]:
        known = asdict(self)
        if self.p_correct is None:
            del known["p_correct"]
        return known


def read_verdict(reply: str) -> Verdict:
    """Reads a judge's answer: one JSON object with both scores as whole numbers in range.

    Tolerated around it: blanks, a BOM, a closed `<think>` block, one enclosing code fence. Raises
    Unreadable for everything else.
    """
    value = read_object(reply)
    confidence = _score(value, "confidence_score")
    conflict = _score(value, "conflict_score")
    summary = value.get("judgement_summary", "")
    if not isinstance(summary, str):
        raise Unreadable("judgement_summary is not a string")
    return Verdict(confidence, conflict, summary[:MAX_SUMMARY], reply)


def _score(value: dict[str, Any], key: str) -> int:
    score = value.get(key)
    if type(score) is not int:
        raise Unreadable(f"{key} is not a whole number" if key in value else f"{key} is missing")
    if not LOWEST <= score <= HIGHEST:
        raise Unreadable(f"{key} is out of range")
    return score
