"""What the commands read of the daemon's answers: another program on its port may say that it is
laios, and so does another version."""

from typing import Any, Literal

from pydantic import BaseModel, ValidationError


class Health(BaseModel):
    name: Literal["laios"]
    version: str


class _Note(BaseModel):
    message: str


class _History(BaseModel):
    ok: bool
    pending: int
    lost: int


class Ready(BaseModel):
    status: Literal["ready", "not ready"]
    reasons: list[_Note]
    notices: list[_Note]
    models: dict[str, str]
    history: _History
    runs: int


class _Fault(BaseModel):
    code: str
    message: str


class Refusal(BaseModel):
    error: _Fault


def has_shape(shape: type[BaseModel], value: Any) -> bool:
    """Whether all that the commands read is there, as it was read from JSON."""
    try:
        shape.model_validate(value, strict=True)
    except ValidationError:
        return False
    return True
