"""A record of a run."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from laios.types.run_details import RunFault

_EMPTY: Mapping[str, Any] = {
    **dict.fromkeys(("ts", "host", "source", "kind", "mode"), ""),
    **{name: [] for name in ("evidence", "context_ids", "steps")},
    "escalated": False,
    "thresholds": {},
    "duration_ms": 0,
}


class Record(BaseModel):
    """A record of the history (PIPELINE.md has a line for each key). Texts are null where the
    caller asked for `no_log`; times in milliseconds; `ts` is RFC 3339 in UTC. Keys of a mode's or a
    route's own stand in `model_extra`. What another program has written in a value's place is left
    out: it is None or empty."""

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

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """Any object of the history, which has an id."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            wrong = {str(each["loc"][0]) for each in error.errors(include_url=False)}
            return cls.model_validate({**value, **{name: _EMPTY.get(name) for name in wrong}})
