"""What is to be said of the roles' models before a run."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """Why roles cannot be played now."""

    roles: tuple[str, ...]
    model: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Notice:
    """What a person should know of a model that does its work."""

    code: Literal["replaced", "no_chat_template", "no_judge"]
    model: str
    message: str
