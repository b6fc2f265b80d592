"""What the routes share."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from config import Settings
from history import History
from pipeline.models.registry import Models
from pipeline.scheduler import Scheduler


@dataclass(frozen=True, slots=True)
class State:
    settings: Settings
    models: Models
    history: History
    scheduler: Scheduler
    version: str


def state_of(http: Request) -> State:
    return cast(State, http.app.state.laios)
