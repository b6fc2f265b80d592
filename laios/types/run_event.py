"""An event of a run, as it is streamed."""

from pydantic import BaseModel, ConfigDict


class RunEvent(BaseModel):
    """One event. `event` is its kind: `queued`, `started`, `step` (a stage begins or ends: `stage`,
    `label`, `state`, `model`), `delta` (a model's text as it comes: `stage`, `text`, `thinking`),
    `draft`, `file`, `plan`, `plan_step`, `done`. What else a kind has stands in `model_extra`;
    times in milliseconds."""

    model_config = ConfigDict(extra="allow")

    event: str
    stage: str | None = None
    label: str | None = None
    state: str | None = None
    model: str | None = None
    text: str = ""
    thinking: str = ""
