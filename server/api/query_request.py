"""The request of `POST /query`, read strictly."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from pipeline.rag.query_task import MAX_NAME, GivenFile
from pipeline.validation_messages import read_as

QueryType = Literal[
    "plan", "code", "ask", "api", "explanation", "data_to_code", "code_to_data", "refine", "enrich"
]
NEED_CODE = ("refine", "enrich")

MAX_QUERY = 10_000  # characters, like the other lengths
MAX_CODE = 50_000
MAX_SESSION = 256
MAX_FILES = 20


def _named(value: Any) -> Any:
    if not isinstance(value, str | dict | GivenFile):
        raise ValueError("must be a string or an object")
    return {"name": value} if isinstance(value, str) else value


_Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
_File = Annotated[GivenFile, BeforeValidator(_named, json_schema_input_type=GivenFile | _Name)]


class QueryRequest(BaseModel):
    """A question about an API or a concept, or a request for a plan, a change, an explanation."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        json_schema_extra={
            "if": {"properties": {"type": {"enum": [*NEED_CODE]}}, "required": ["type"]},
            "then": {
                "required": ["code"],
                "properties": {"code": {"type": "string"}},
            },
        },
    )

    query: str = Field(
        description="What is asked, or what is to be changed",
        min_length=1,
        max_length=MAX_QUERY,
    )
    type: QueryType | None = Field(
        None,
        description="The type of answer. Default: as the query suggests; `ask`: the same, but "
        "never a plan; `plan` and `code`: a plan and its code",
    )
    code: str | None = Field(
        None,
        description=f"The code in question. Needed for {', '.join(NEED_CODE)}",
        max_length=MAX_CODE,
    )
    data_files: tuple[_File, ...] = Field(
        (),
        description="Files that the query is about: by name, or with their beginning",
        strict=False,  # a list is a tuple
        max_length=MAX_FILES,
    )
    session: str | None = Field(
        None, description="The session that the run belongs to", max_length=MAX_SESSION
    )
    no_log: bool = Field(False, description="Keep no texts in the history")

    @field_validator("query")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is blank: say what is wanted")
        return value

    @model_validator(mode="after")
    def _has_its_code(self) -> "QueryRequest":
        if self.type in NEED_CODE and not (self.code or "").strip():
            raise ValueError(
                f'The field "code" is missing: type {self.type!r} needs the code in question.'
            )
        return self


_CHOICES = {"type": get_args(QueryType)}


def read_query(value: Mapping[str, Any]) -> QueryRequest:
    """A caller's JSON object. Raises BadRequest, naming the field and what is wrong with it."""
    return read_as(QueryRequest, value, _CHOICES)
