"""The request of `POST /code`. Its answer is in `laios.types.code_generation`."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from laios.types.code_generation import MAX_CODE, MAX_TESTS, RequestType
from pipeline.analysis.languages import KNOWN, LANGUAGES, canonical
from pipeline.validation_messages import read_as

MAX_INSTRUCTION = 10_000
MAX_ATTEMPTS = 5
DEFAULT_ATTEMPTS = 3  # where only min_confidence is given
DEFAULT_CONFIDENCE = 0.8  # where only max_attempts is given
NEED_CODE = ("debug", "refactor", "analyze", "explain", "optimize")

_Label = Annotated[str, Field(json_schema_extra={"enum": [*KNOWN]})]
# What the fields say together, for the schema: code where it is needed, and some language.
_TOGETHER: dict[str, Any] = {
    "if": {"properties": {"request_type": {"enum": [*NEED_CODE]}}},
    "then": {"required": ["code"]},
    "anyOf": [{"required": ["language"]}, {"required": ["languages"]}],
}


class CodeRequest(BaseModel):
    """A `/code` request."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, json_schema_extra={**_TOGETHER}
    )

    request_type: RequestType = Field(description="What is to be done")
    language: _Label | None = Field(
        None, description="Programming language, in any case; or `languages`"
    )
    instruction: str = Field(
        description="What the code has to do, or what is wrong with it",
        min_length=1,
        max_length=MAX_INSTRUCTION,
    )
    code: str | None = Field(
        None,
        description=f"The code in question. Needed for {', '.join(NEED_CODE)}",
        max_length=MAX_CODE,
    )
    tests: str | None = Field(
        None, description="Tests that the code has to pass", max_length=MAX_TESTS
    )
    constraints: tuple[Annotated[str, Field(max_length=1000)], ...] = Field(
        (), description="Rules that the code has to keep", max_length=50, strict=False
    )
    language_version: str | None = Field(None, description="As `3.11`", max_length=50)
    framework: str | None = Field(None, description="As `FastAPI`", max_length=100)
    session: str | None = Field(
        None, description="Whose earlier runs are looked at first", max_length=256
    )
    min_confidence: float | None = Field(
        None,
        description="Try again until the confidence is this high. "
        f"{DEFAULT_CONFIDENCE} where only max_attempts is given",
        ge=0,
        le=1,
    )
    max_attempts: int | None = Field(
        None,
        description="Drafts at most. Without it as many as the settings allow while they fail what "
        f"can be run, and {DEFAULT_ATTEMPTS} where min_confidence is given",
        ge=1,
        le=MAX_ATTEMPTS,
    )
    languages: tuple[_Label, ...] | None = Field(
        None,
        description="Generate the same in each of these languages",
        min_length=1,
        max_length=len(LANGUAGES),
        strict=False,  # a list is a tuple
    )
    no_log: bool = Field(False, description="Keep no texts in the history")

    @field_validator("instruction")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is blank: say what the code has to do")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> "CodeRequest":
        named = [canonical(label, "languages") for label in self.languages or ()]
        if self.language is None and not named:
            raise ValueError('The field "language" is missing.')
        if self.language is not None:
            own = canonical(self.language)
            if named and own not in named:
                raise ValueError('The fields "language" and "languages" contradict each other.')
        if len(set(named)) < len(named):
            raise ValueError('The field "languages" names a language twice.')
        if named:
            self._refuse_beside_languages()
        if self.request_type in NEED_CODE and not (self.code or "").strip():
            raise ValueError(
                f'The field "code" is missing: request_type {self.request_type!r} needs the code.'
            )
        return self

    def _refuse_beside_languages(self) -> None:
        if self.request_type != "generate":
            raise ValueError(
                'The fields "languages" and "request_type" contradict each other: only '
                "'generate' works in several languages."
            )
        for name in ("code", "tests", "language_version", "framework"):
            if getattr(self, name) is not None:
                raise ValueError(
                    f'The fields "languages" and "{name}" contradict each other: it belongs to '
                    "one language."
                )

    @property
    def all_languages(self) -> tuple[str, ...]:
        """The languages' usual names; one, unless `languages` is given."""
        return tuple(canonical(label) for label in self.languages or (self.language or "",))

    @property
    def attempts(self) -> int:
        if self.max_attempts is not None:
            return self.max_attempts
        return 1 if self.min_confidence is None else DEFAULT_ATTEMPTS

    @property
    def wanted_confidence(self) -> float:
        return DEFAULT_CONFIDENCE if self.min_confidence is None else self.min_confidence


def read_code_request(value: Mapping[str, Any]) -> CodeRequest:
    """A caller's JSON object. Raises BadRequest, naming the field and what is wrong with it."""
    return read_as(CodeRequest, value, {"request_type": get_args(RequestType)})
