"""A run as a record of the history."""

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pipeline.analysis.evidence import Finding
from pipeline.errors import LaiosError
from pipeline.request import CHATS
from pipeline.step import rounded

if TYPE_CHECKING:
    from pipeline.run import Run


@dataclass(slots=True)
class RunFacts:
    """What the stages and flows found out, by the record's names."""

    coder_output: str | None = None
    reviewer_output: str | None = None
    escalated: bool = False
    escalation_reason: str | None = None
    judge: dict[str, Any] | None = None
    reviewer_judge: dict[str, Any] | None = None
    evidence: list[Finding] = field(default_factory=list)
    context_ids: list[str] = field(default_factory=list)
    context_left_out: int = 0
    final_source: Literal["coder", "reviewer"] | None = None
    final_reason: str | None = None
    language: str | None = None
    artefact: Mapping[str, Any] | None = None


_own_words: list[re.Pattern[str]] = []  # filled by importing `pipeline.capabilities`


def own_words(*patterns: str) -> None:
    """Declares how a capability's reasons begin where they are laios' own words, with scores and
    codes, and quote nobody: a record without texts keeps that much of a reason."""
    _own_words.extend(map(re.compile, patterns))


def record_of(run: "Run", output: str | None, error: LaiosError | None) -> dict[str, Any]:
    """The record's keys and values, with all texts; all but `schema`, which the history adds."""
    facts, settings = run.facts, run.settings
    return {
        "id": run.id,
        "ts": run.accepted_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "host": platform.node(),
        "session": run.request.session,
        "source": run.request.source,
        "kind": run.request.kind,
        "mode": run.mode.name,
        "original_prompt": run.request.prompt,
        "normalized_prompt": run.prompt,
        "coder_output": facts.coder_output,
        "reviewer_output": facts.reviewer_output,
        "final_output": output,
        "language": facts.language,
        "final_source": facts.final_source,
        "final_reason": facts.final_reason,
        "escalated": facts.escalated,
        "escalation_reason": facts.escalation_reason,
        "judge": facts.judge,
        "reviewer_judge": facts.reviewer_judge,
        "evidence": [finding.as_json() for finding in facts.evidence],
        "thresholds": {
            "confidence": settings.ESCALATION_CONFIDENCE_THRESHOLD,
            "conflict": settings.ESCALATION_CONFLICT_THRESHOLD,
        },
        "context_ids": facts.context_ids,
        "steps": [step.as_json() for step in run.steps],
        "artefact": facts.artefact,
        "error": {"code": error.code, "message": error.message} if error else None,
        "duration_ms": rounded(run.duration_ms),
        **({"prompt_is_part": True} if _shown_more(run) else {}),
        **({"context_left_out": facts.context_left_out} if facts.context_left_out else {}),
    }


def _shown_more(run: "Run") -> bool:
    """Whether the model saw of a chat what stands in no record: its earlier turns, its images."""
    request = run.request
    turns = request.conversation and run.mode.takes_conversation
    return bool(turns) or (request.task is not None and request.source in CHATS)


def outcome(record: Mapping[str, Any]) -> dict[str, Any]:
    """The run in a few numbers and words, for the log: no text of prompt or model."""
    return {
        "outcome": record["error"]["code"] if record["error"] else "ok",
        "duration_ms": round(record["duration_ms"]),
        "escalated": record["escalated"],
        "stages": " ".join(step["stage"] for step in record["steps"]),
    }


def without_texts(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with every text that a person or a model wrote taken out (`no_log`)."""
    return {
        **record,
        **dict.fromkeys(_TEXTS),
        **{
            name: _with_nulls(record[name], "judgement_summary", "raw_response")
            for name in ("judge", "reviewer_judge")
        },
        "steps": [
            {**step, "raw": None, "note": None, "error": _with_nulls(step["error"], "message")}
            for step in record["steps"]
        ],
        "evidence": [
            {"stage": each["stage"], "kind": each["kind"], "detail": each["kind"]}
            for each in record["evidence"]
        ],
        **{
            name: _reason_without_texts(record[name], record["evidence"])
            for name in ("escalation_reason", "final_reason")
        },
        "error": _with_nulls(record["error"], "message"),
    }


def _reason_without_texts(reason: str | None, evidence: Sequence[Mapping[str, Any]]) -> str | None:
    """What of a reason is scores, codes and our own words: the rest may quote code, examples, a
    model. Evidence is named by its kinds."""
    kept = []
    for part in (reason or "").split("; "):
        if part.startswith("evidence: "):
            kept.append(f"evidence: {', '.join(dict.fromkeys(e['kind'] for e in evidence))}")
        elif own := next(filter(None, (each.match(part) for each in _own_words)), None):
            kept.append(own[0])
    return "; ".join(kept) or None


_TEXTS = (
    "original_prompt",
    "normalized_prompt",
    "coder_output",
    "reviewer_output",
    "final_output",
    "language",
    "artefact",
)


def _with_nulls(value: Mapping[str, Any] | None, *names: str) -> dict[str, Any] | None:
    return {**value, **dict.fromkeys(names)} if value else None
