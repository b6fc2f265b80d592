"""Running and queued runs, and ending one."""

from typing import Literal

from pydantic import BaseModel


class RunRow(BaseModel):
    """A run of `GET /runs`. `accepted` is RFC 3339; `queue_position` begins with 1, `wait_s` is the
    expected wait in seconds; both are null for a run that has its turn. `prompt` is how its prompt
    begins, without the tags; null where no texts are kept (`no_log`)."""

    id: str
    state: Literal["queued", "running", "done"]
    mode: str
    source: str
    session: str | None
    accepted: str
    elapsed_ms: int
    stage: str | None
    model: str | None
    queue_position: int | None
    wait_s: float | None
    prompt: str | None = None  # which daemons of earlier versions do not say


class RunList(BaseModel):
    """`GET /runs`, the oldest run first."""

    runs: list[RunRow]


class Cancellation(BaseModel):
    """What came of cancelling a run: `outcome` is `cancelled`, or how it ended before."""

    id: str
    cancelled: bool
    outcome: str
