"""What one request may set of the settings, within their bounds: it may ask for less than the
settings give, never for more, and for a stricter or milder judge."""

import math
from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from config import Settings
from pipeline.errors import BadRequest
from pipeline.validation_messages import read_as

_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class SandboxLimits(BaseModel):
    """Of a program in the sandbox; each at most what its setting `SANDBOX_…` says."""

    model_config = _STRICT

    wall_s: float | None = Field(None, description="Seconds", ge=0.1, allow_inf_nan=False)
    cpu_s: int | None = Field(None, description="Seconds of processor time", ge=1)
    memory_mb: int | None = Field(None, description="Megabytes of memory", ge=32)
    processes: int | None = Field(None, description="Processes and threads", ge=1)
    output_bytes: int | None = Field(None, description="Bytes of output that are kept", ge=1024)
    files_mb: int | None = Field(None, description="Megabytes of files", ge=1)


class RunLimits(BaseModel):
    """Of one run."""

    model_config = _STRICT

    test_max_rounds: int | None = Field(
        None, description="Rounds of `///test`, at most TEST_MAX_ROUNDS", ge=1
    )
    min_confidence: float | None = Field(
        None,
        description="A draft that is judged less confident is reviewed; 0.8 is a judge's 8",
        ge=0,
        le=1,
    )
    sandbox: SandboxLimits | None = None

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self:
        """The limits among the fields of a caller's object. Raises BadRequest, naming the field."""
        return read_as(cls, {name: value[name] for name in cls.model_fields if name in value})

    def applied(self, settings: Settings) -> Settings:
        """The settings of the run. Raises BadRequest for what is beyond them."""
        own = {"test_max_rounds": self.test_max_rounds}
        if self.sandbox:
            own |= {f"sandbox_{name}": value for name, value in self.sandbox}
        changed: dict[str, Any] = {}
        for name, value in own.items():
            if value is not None:
                changed[name.upper()] = _bounded(name, value, getattr(settings, name.upper()))
        if self.min_confidence is not None:
            changed["ESCALATION_CONFIDENCE_THRESHOLD"] = max(1, math.ceil(self.min_confidence * 10))
        return settings.model_copy(update=changed) if changed else settings


def _bounded(name: str, value: float, most: float) -> float:
    if value > most:
        field = name.replace("sandbox_", 'sandbox" "')
        raise BadRequest(
            f'The field "{field}" must not be more than {most:g}, the setting {name.upper()}.'
        )
    return value
