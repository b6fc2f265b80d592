"""What the index keeps of a record: enough for a line of the timeline and for every count."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from history.record_values import as_table, as_tables

PROMPT_CHARACTERS = 200
MAX_STAGES = 64
"""So many steps of a run are kept; a run of ours has three or four."""


class Stage(NamedTuple):
    """A step of a run, without its texts. Times in milliseconds, `started_ms` from the run's
    start; `load_ms` and `first_token_ms` from the start of the call. `cached_tokens`: those of the
    prompt that the backend had read before. `error` is a code."""

    stage: str
    label: str | None
    model: str | None
    started_ms: float | None
    duration_ms: float | None
    queue_ms: float | None
    load_ms: float | None
    first_token_ms: float | None
    prompt_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    error: str | None

    @property
    def generation_ms(self) -> float | None:
        """From the first token to the end; without a first token, all that was not loading."""
        if self.duration_ms is None:
            return None
        begun = self.first_token_ms if self.first_token_ms is not None else self.load_ms or 0
        return max(0.0, self.duration_ms - begun)


class Row(NamedTuple):
    """A run as the timeline shows it, without reading its line.

    `ts` is seconds since 1970. Scores are whole numbers from 1 to 10. `prompt` is its first line,
    at most 200 characters. `models` are in the order of their first calls. `evidence` is the
    number of findings. `verdict` is what came of the judge's verdict on the draft: `pass`,
    `escalated`, `unparseable`, or `none` where there was no verdict or evidence came before it.
    `reason` is why the run escalated, in one word (see `reason_of`; as in the metrics). None stands
    for what the record does not have, or has as something else than what belongs there; lone
    surrogates are `?`.
    """

    ts: float | None
    duration_ms: float | None
    id: str
    session: str | None
    kind: str | None
    mode: str | None
    source: str | None
    host: str | None
    escalated: bool
    escalation_reason: str | None
    error: str | None
    verdict: str
    reason: str | None
    judged: bool
    confidence: int | None
    conflict: int | None
    review_confidence: int | None
    review_conflict: int | None
    evidence: int
    final_source: str | None
    final_reason: str | None
    prompt: str | None
    models: tuple[str, ...]
    stages: tuple[Stage, ...]

    @property
    def auxiliary(self) -> bool:
        """Not asked for by a person: hidden unless it is asked for."""
        return self.kind == "auxiliary"

    @property
    def queue_ms(self) -> float | None:
        """The time before the run had its turn."""
        return next((s.queue_ms for s in self.stages if s.queue_ms is not None), None)

    @property
    def output_tokens(self) -> int:
        """Of all calls together."""
        return sum(stage.output_tokens or 0 for stage in self.stages)

    @property
    def reviewed(self) -> bool:
        """Both the draft and its review have readable scores."""
        scores = (self.confidence, self.conflict, self.review_confidence, self.review_conflict)
        return None not in scores


def row_of(record: Mapping[str, Any]) -> Row:
    """The row of a record, whatever is in it. Raises nothing."""
    judge, review = as_table(record.get("judge")), as_table(record.get("reviewer_judge"))
    confidence = _score(judge.get("confidence_score"))
    conflict = _score(judge.get("conflict_score"))
    readable = confidence is not None and conflict is not None
    stages = tuple(stages_of(as_tables(record.get("steps"))[:MAX_STAGES]))
    escalated, why = record.get("escalated") is True, text_of(record.get("escalation_reason"))
    reason = reason_of(why or "", bool(judge) and not readable) if escalated else None
    evidence = record.get("evidence")
    prompt = record.get("normalized_prompt") or record.get("original_prompt")
    return Row(
        seconds(record.get("ts")),
        _number(record.get("duration_ms")),
        text_of(record.get("id")) or "",
        text_of(record.get("session")),
        text_of(record.get("kind")),
        text_of(record.get("mode")),
        text_of(record.get("source")),
        text_of(record.get("host")),
        escalated,
        why,
        text_of(as_table(record.get("error")).get("code")),
        _verdict(reason, bool(judge), readable),
        reason,
        bool(judge),
        confidence,
        conflict,
        _score(review.get("confidence_score")),
        _score(review.get("conflict_score")),
        len(evidence) if isinstance(evidence, list) else 0,
        text_of(record.get("final_source")),
        text_of(record.get("final_reason")),
        first_line(prompt) if isinstance(prompt, str) else None,
        tuple(dict.fromkeys([stage.model for stage in stages if stage.model])),
        stages,
    )


def _verdict(reason: str | None, judged: bool, readable: bool) -> str:
    if not judged or reason == "evidence":
        return "none"
    if not readable:
        return "unparseable"
    return "escalated" if reason else "pass"


def reason_of(text: str, unparseable: bool) -> str:
    """An escalation's reason as one of a few words: evidence, undecided, judge, confidence,
    conflict, both, other."""
    for kind in ("evidence", "undecided"):
        if text.startswith(f"{kind}:"):
            return kind
    if unparseable:
        return "judge"
    low, torn = "confidence " in text, "conflict " in text
    return "both" if low and torn else "confidence" if low else "conflict" if torn else "other"


def stages_of(steps: Iterable[Mapping[str, Any]]) -> Iterator[Stage]:
    """Those of a record's steps that have a name."""
    for step in steps:
        get = step.get
        if stage := text_of(get("stage")):
            yield Stage(
                stage,
                text_of(get("label")),
                text_of(get("model")),
                _number(get("started_ms")),
                _number(get("duration_ms")),
                _number(get("queue_ms")),
                _number(get("load_ms")),
                _number(get("first_token_ms")),
                _count(get("prompt_tokens")),
                _count(get("output_tokens")),
                _count(get("cached_tokens")),
                text_of(as_table(get("error")).get("code")),
            )


def text_of(value: object) -> str | None:
    """A string that SQLite and HTML take, without lone surrogates; None for anything else."""
    if type(value) is not str:
        return None
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def seconds(ts: object) -> float | None:
    """RFC 3339 → seconds since 1970, so that moments compare however they are written."""
    try:
        return datetime.fromisoformat(ts).timestamp() if isinstance(ts, str) else None
    except (ValueError, OverflowError, OSError):
        return None


def first_line(prompt: str) -> str:
    """As the timeline shows it."""
    line, _, _ = prompt[:4096].lstrip().partition("\n")
    return text_of(line.rstrip()[:PROMPT_CHARACTERS]) or ""


def _number(value: Any) -> float | None:
    """A number of milliseconds: not negative, and not beyond what a float can tell apart."""
    plain = type(value) is float or type(value) is int
    return value if plain and 0 <= value < 1e15 else None


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 53 else None


def _score(value: Any) -> int | None:
    return value if type(value) is int and 1 <= value <= 10 else None
