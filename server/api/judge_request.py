"""The request of `POST /judge`, read strictly."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from laios.language_table import TABLE
from pipeline.analysis.languages import normal_language
from pipeline.validation_messages import nearest, read_as

MAX_REQUEST = 10_000  # characters, like the other lengths
MAX_CODE = 50_000
MAX_TESTS = 20_000
MAX_SESSION = 256
_NAMES = tuple(row.name for row in TABLE)
_LABELS = sorted({*_NAMES, *(alias for row in TABLE for alias in row.aliases.split())})
_Label = Annotated[str, Field(json_schema_extra={"enum": [*_LABELS]})]


class JudgeRequest(BaseModel):
    """Code, and what it should do."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    request: str = Field(
        description="What the code should do", min_length=1, max_length=MAX_REQUEST
    )
    code: str = Field(description="The code in question", min_length=1, max_length=MAX_CODE)
    tests: str | None = Field(
        None,
        description="Tests that the code has to pass. Where they cannot be run, it is not valid",
        max_length=MAX_TESTS,
    )
    language: _Label | None = Field(
        None, description="Programming language. Default: as the request and code suggest"
    )
    session: str | None = Field(
        None, description="The session that the run belongs to", max_length=MAX_SESSION
    )
    no_log: bool = Field(False, description="Keep no texts in the history")

    @field_validator("request", "code", "tests")
    @classmethod
    def _says_something(cls, value: str | None) -> str | None:
        if value is not None and not value.strip():
            raise ValueError("is blank")
        return value

    @field_validator("language")
    @classmethod
    def _is_known(cls, value: str | None) -> str | None:
        """Its usual name."""
        name = normal_language((value or "").strip())
        if name and name not in _NAMES:
            near = nearest(name, _NAMES)
            raise ValueError(f"cannot be {name[:100]!r}. {near}Languages: {', '.join(_NAMES)}")
        return name


def read_judge_request(value: Mapping[str, Any]) -> JudgeRequest:
    """A caller's JSON object. Raises BadRequest, naming the field and what is wrong with it."""
    return read_as(JudgeRequest, value)
