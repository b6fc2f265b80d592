"""The inputs of the tools. The descriptions are for the model that calls them."""

from pydantic import BaseModel, ConfigDict, Field

MAX_REQUEST = 50_000  # characters, like the other lengths
MAX_CODE = 200_000
MAX_SESSION = 256


class ToolInput(BaseModel):
    """Read strictly: what is not known is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_REQUEST = Field(
    description="What the code should do, in words: names, inputs, outputs, examples such as "
    "add(1, 2) → 3 (they are checked), and the language unless it is Python.",
    min_length=1,
    max_length=MAX_REQUEST,
)
_SESSION = Field(
    None,
    description="A name for a conversation: earlier requests of the same name are seen, so that "
    "'now make it async' works.",
    max_length=MAX_SESSION,
)


class RequestedCode(ToolInput):
    request: str = _REQUEST
    session: str | None = _SESSION


class ProjectRequest(ToolInput):
    request: str = _REQUEST


class GivenCode(ToolInput):
    code: str = Field(description="The whole code", min_length=1, max_length=MAX_CODE)


class JudgedCode(ToolInput):
    request: str = Field(description="What the code is to do", min_length=1, max_length=10_000)
    code: str = Field(description="The whole code", min_length=1, max_length=50_000)
    tests: str | None = Field(
        None, description="Tests that it has to pass, as code", max_length=20_000
    )
    language: str | None = Field(None, description="Of the code; without it, as it looks")


class Program(GivenCode):
    language: str = Field(
        "python",
        description="python, javascript, bash, c, c++, go, java, rust, …: what this machine has",
    )
    stdin: str = Field("", description="What it reads from its input", max_length=MAX_CODE)


class Question(ToolInput):
    query: str = Field(description="A question, or names of an API", min_length=1, max_length=1_000)
    limit: int = Field(5, description="Pieces at most", ge=1, le=20)


class HistoryFilter(ToolInput):
    words: str | None = Field(
        None, description='Words or a "phrase" in prompts and answers; rating:up', max_length=1_000
    )
    session: str | None = Field(None, description="Of this session", max_length=MAX_SESSION)
    mode: str | None = Field(None, description="Of this mode, such as code_tested")
    since: str | None = Field(None, description="A date or time in ISO 8601")
    limit: int = Field(10, description="Runs at most", ge=1, le=50)
