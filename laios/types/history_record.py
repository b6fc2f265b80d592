"""What is kept of a run."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from laios.types.run_details import RunFault


class Record(BaseModel):
    """A record of the history (PIPELINE.md has a line for each key). Texts are null where the
    caller asked for `no_log`; times in milliseconds; `ts` is RFC 3339 in UTC. Keys of a mode's or a
    route's own stand in `model_extra`."""

    model_config = ConfigDict(extra="allow")

    id: str
    ts: str
    host: str
    session: str | None
    source: str
    kind: str
    mode: str
    original_prompt: str | None
    normalized_prompt: str | None
    coder_output: str | None
    reviewer_output: str | None
    final_output: str | None
    language: str | None = None
    final_source: Literal["coder", "reviewer"] | None = None
    final_reason: str | None = None
    escalated: bool
    escalation_reason: str | None
    judge: dict[str, Any] | None
    reviewer_judge: dict[str, Any] | None
    evidence: list[Any]
    thresholds: dict[str, Any]
    context_ids: list[str]
    steps: list[dict[str, Any]]
    artefact: dict[str, Any] | None
    error: RunFault | None
    duration_ms: float
