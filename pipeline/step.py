"""A step: one piece of work in a run, as the record keeps it."""

import asyncio
from dataclasses import dataclass, fields
from typing import Any

from pipeline.errors import LaiosError
from pipeline.model import Reply


@dataclass(slots=True)
class Step:
    """One model call (or other piece of work) as the record keeps it. Times in milliseconds,
    `started_ms` from the run's start."""

    stage: str
    label: str
    round: int
    model: str | None
    started_ms: float
    duration_ms: float | None = None
    queue_ms: float | None = None
    load_ms: float | None = None
    first_token_ms: float | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str | None = None
    raw: str | None = None
    error: dict[str, str] | None = None
    note: str | None = None

    def fail(self, error: BaseException) -> None:
        """Keeps how the work went wrong. An error that is not ours is named, no more."""
        if isinstance(error, LaiosError):
            self.error = {"code": error.code, "message": error.message}
        elif isinstance(error, asyncio.CancelledError):
            self.error = {"code": "cancelled", "message": "The run was cancelled."}
        else:
            self.error = {"code": "internal", "message": type(error).__name__}

    def count_piece(self, now_ms: float) -> None:
        """A piece of its answer has come, about a token; `fill` knows better."""
        if self.first_token_ms is None:
            self.first_token_ms = now_ms - self.started_ms
        self.output_tokens = (self.output_tokens or 0) + 1

    def leave_unfinished(self, is_cancelled: bool) -> None:
        """Nobody waits for the rest of its answer any more, or the run was cancelled."""
        if self.duration_ms is None and is_cancelled:
            self.fail(asyncio.CancelledError())
        elif self.duration_ms is None:
            self.finish_reason = "unneeded"

    def fill(self, reply: Reply) -> None:
        self.load_ms = reply.load_ms
        self.first_token_ms = reply.first_token_ms
        self.prompt_tokens = reply.prompt_tokens
        self.cached_tokens = reply.cached_tokens
        if reply.output_tokens is not None:
            self.output_tokens = reply.output_tokens
        self.finish_reason = reply.finish_reason

    @property
    def advice(self) -> str:
        """What helps where its answer cannot be used: a higher limit only one that met it."""
        if self.finish_reason == "length":
            return "Ask for less at once, use a larger model, or raise MAX_OUTPUT_TOKENS."
        return "Ask again in other words, or use another model."

    def as_json(self) -> dict[str, Any]:
        return {name: rounded(getattr(self, name)) for name in _NAMES}


_NAMES = tuple(field.name for field in fields(Step))


def rounded(value: Any) -> Any:
    """A number of milliseconds as the record keeps it."""
    return round(value, 1) if isinstance(value, float) else value
