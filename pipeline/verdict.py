"""Judge text → Verdict. Pure and strict: a score is read or there is none, never repaired."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from pipeline.code import drop_thinking
from pipeline.errors import Unreadable

LOWEST, HIGHEST = 1, 10
MAX_SUMMARY = 300  # characters: an unbounded string never ends on small models

_SCORE = {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST}
VERDICT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "confidence_score": _SCORE,
        "conflict_score": _SCORE,
        "judgement_summary": {"type": "string", "maxLength": MAX_SUMMARY},
    },
    "required": ["confidence_score", "conflict_score", "judgement_summary"],
    "additionalProperties": False,
}

_ONE_FENCE = re.compile(r"(`{3,}|~{3,})(?![`~])[^\n`]*\n(.*)\1", re.DOTALL)


class Thresholds(Protocol):
    @property
    def ESCALATION_CONFIDENCE_THRESHOLD(self) -> int: ...
    @property
    def ESCALATION_CONFLICT_THRESHOLD(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge said. The scores are None when it said nothing that can be believed; then
    `error` says why. `raw_response` is its last answer as it came."""

    confidence_score: int | None
    conflict_score: int | None
    judgement_summary: str | None
    raw_response: str | None
    error: str | None = None

    def escalation(self, thresholds: Thresholds) -> str | None:
        """Why the text has to be reviewed: `confidence 6 < 8; conflict 7 > 6`, or None."""
        if self.confidence_score is None or self.conflict_score is None:
            return self.error or "unparseable verdict"
        reasons = []
        if self.confidence_score < (least := thresholds.ESCALATION_CONFIDENCE_THRESHOLD):
            reasons.append(f"confidence {self.confidence_score} < {least}")
        if self.conflict_score > (most := thresholds.ESCALATION_CONFLICT_THRESHOLD):
            reasons.append(f"conflict {self.conflict_score} > {most}")
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
        return {name: getattr(self, name) for name in _NAMES}


_NAMES = tuple(field.name for field in fields(Verdict))


def read_verdict(text: str) -> Verdict:
    """Reads a judge's answer: one JSON object with both scores as whole numbers in range.

    Tolerated around it: blanks, a BOM, a closed `<think>` block, one enclosing code fence. Raises
    Unreadable for everything else.
    """
    value = _one_object(_unwrap(text))
    confidence = _score(value, "confidence_score")
    conflict = _score(value, "conflict_score")
    summary = value.get("judgement_summary", "")
    if not isinstance(summary, str):
        raise Unreadable("judgement_summary is not a string")
    return Verdict(confidence, conflict, summary[:MAX_SUMMARY], text)


def _unwrap(text: str) -> str:
    body = drop_thinking(text).strip().lstrip("\ufeff").strip()
    fenced = _ONE_FENCE.fullmatch(body)
    return fenced[2].strip() if fenced else body


def _one_object(body: str) -> dict[str, Any]:
    if not body:
        raise Unreadable("the answer is empty")
    if not (body.startswith("{") and body.endswith("}")):
        raise Unreadable("the answer is not one JSON object")
    try:
        value = json.loads(body, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Unreadable("the answer is not valid JSON") from None
    if not isinstance(value, dict):
        raise Unreadable("the answer is not one JSON object")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Unreadable("a key stands twice")
    return value


def _no_constant(name: str) -> Any:
    raise Unreadable(f"{name} is not a number")


def _score(value: dict[str, Any], key: str) -> int:
    score = value.get(key)
    if type(score) is not int:
        raise Unreadable(f"{key} is not a whole number" if key in value else f"{key} is missing")
    if not LOWEST <= score <= HIGHEST:
        raise Unreadable(f"{key} is out of range")
    return score
