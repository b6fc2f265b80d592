"""What the commands read of the daemon's answers: another program on its port may say that it is
laios, and so does another version."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True)


class Health(_Answer):
    name: Literal["laios"]
    version: str


class _Note(_Answer):
    message: str


class _History(_Answer):
    ok: bool
    pending: int
    lost: int


class Ready(_Answer):
    status: Literal["ready", "not ready"]
    reasons: list[_Note]
    notices: list[_Note]
    models: dict[str, str]
    history: _History
    runs: int


class _Fault(_Answer):
    code: str
    message: str


class Refusal(_Answer):
    error: _Fault


def has_shape(shape: type[BaseModel], value: Any) -> bool:
    """Whether all that the commands read is there, as it was read from JSON."""
    try:
        shape.model_validate(value, strict=True)
    except ValidationError:
        return False
    return True
