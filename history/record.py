"""A run of the pipeline as one line of JSON."""

import json
import math
from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast

import orjson

SCHEMA = 1
"""Number of this record format; goes up when the meaning of a key changes."""

# Errors of a run that say nothing of its answer: the backend could not be had, or somebody stopped
# it.
PASSING = ("cancelled", "busy", "model_unreachable", "model_not_found")

# JSON allows these inside a string, but tools that split text into lines break at them.
_LINE_SEPARATORS = [
    (character.encode(), f"\\u{ord(character):04x}".encode()) for character in "\x85\u2028\u2029"
]


class RunError(TypedDict):
    """Why a run or a step failed: a code of the HTTP API and a sentence for people."""

    code: str
    message: str


class Judgement(TypedDict):
    """The judge's verdict on one text; scores are 1 to 10, or null where `error` says why."""

    confidence_score: int | None
    conflict_score: int | None
    judgement_summary: str | None
    raw_response: str | None
    error: str | None
    p_correct: NotRequired[float]


class StepRecord(TypedDict):
    """One call of a model, or one piece of work beside it; times in milliseconds."""

    stage: str
    label: str | None
    round: int | None
    model: str | None
    started_ms: float
    duration_ms: float
    queue_ms: float | None
    load_ms: float | None
    first_token_ms: float | None
    prompt_tokens: int | None
    output_tokens: int | None
    finish_reason: str | None
    raw: str | None
    error: RunError | None
    note: NotRequired[str | None]


class Record(TypedDict):
    """All that is kept of a run. Texts are null where the caller asked for `no_log`.

    `id` sorts by time, `ts` is RFC 3339 in UTC, `host` the machine's name, `duration_ms` is
    milliseconds. `language` is that of `final_output`, null where it is not known; older records do
    not have it. `final_source` and `final_reason` tell whose text was returned and why that one. A
    mode or a route may add keys of its own; readers ignore what they do not know.
    """

    id: str
    schema: int
    ts: str
    host: str
    session: str | None
    source: Literal["native", "openai", "ollama", "anthropic", "cli", "code", "query", "judge"]
    kind: Literal["run", "auxiliary", "agent"]
    mode: str
    original_prompt: str | None
    normalized_prompt: str | None
    coder_output: str | None
    reviewer_output: str | None
    final_output: str | None
    language: NotRequired[str | None]
    final_source: Literal["coder", "reviewer"] | None
    final_reason: str | None
    escalated: bool
    escalation_reason: str | None
    judge: Judgement | None
    reviewer_judge: Judgement | None
    evidence: list[Any]
    thresholds: dict[str, Any]
    context_ids: list[str]
    steps: list[StepRecord]
    artefact: dict[str, Any] | None
    error: RunError | None
    duration_ms: float


def encode(record: Mapping[str, object]) -> bytes:
    """Give the one line, newline included, that stores `record`.

    Text keeps every code point; a high surrogate directly before a low one is the one character
    that the two stand for. Numbers that JSON lacks (NaN, infinities) become null, values of
    other types their `str()`. Raises TypeError, ValueError or RecursionError for keys that are
    no text, for cycles and for nesting beyond about 1,000 levels.
    """
    try:
        line = orjson.dumps(record, default=_plain, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a lone surrogate, a number beyond 64 bits, deep nesting
        text = json.dumps(_finite(record), default=_plain, allow_nan=False, separators=(",", ":"))
        line = text.encode("ascii") + b"\n"
    return escape_separators(line)


def escape_separators(line: bytes) -> bytes:
    """Give JSON text as one line for every reader, with the same value."""
    if line.isascii():  # soon told: a stream asks for each token
        return line
    for separator, escape in _LINE_SEPARATORS:
        line = line.replace(separator, escape)
    return line


def decode(line: bytes) -> Record | None:
    """Read a line of a history file; None for anything but one JSON object with an id."""
    try:
        value = orjson.loads(line)
    except ValueError:
        value = _loads(line)
    if isinstance(value, dict) and isinstance(value.get("id"), str) and value["id"]:
        return cast(Record, value)
    return None


def _loads(line: bytes) -> object:
    """Read what orjson refuses and `encode` can have written: lone surrogates, deep nesting."""
    try:
        return json.loads(line.decode("utf-8"), parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return list(value)
    return str(value)


def _finite(value: object) -> object:
    """Copy of `value` with null for the floats that JSON has no notation for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
