"""The answer of `POST /code`."""

from typing import Any, Literal

from pydantic import BaseModel, Field

RequestType = Literal["generate", "debug", "refactor", "analyze", "test", "explain", "optimize"]

MAX_CODE = 50_000  # characters, like the other lengths
MAX_TESTS = 20_000
MIN_EXPLANATION, MAX_EXPLANATION = 50, 5_000


class CodeMetadata(BaseModel):
    """What was measured. `model` is the coder's, `tokens_used` are those of all calls together,
    `duration_ms` is the run's, waiting for its turn not included."""

    model: str
    tokens_used: int
    memory_hits: int
    episodic_memory_used: bool
    request_type: RequestType
    duration_ms: float
    language_version: str | None = None
    framework: str | None = None


class CodeGeneration(BaseModel):
    """What came of a request. Without `success` the explanation says why; the code, if there is
    any, is then for looking at."""

    success: bool = Field(description="Whether operation succeeded")
    code: str = Field(description="Generated or modified code", min_length=0, max_length=MAX_CODE)
    explanation: str = Field(
        description="Approach and design decisions",
        min_length=MIN_EXPLANATION,
        max_length=MAX_EXPLANATION,
    )
    language: str = Field(description="Programming language")
    tests: str | None = Field(
        default=None, description="Unit tests", min_length=1, max_length=MAX_TESTS
    )
    confidence: float = Field(description="Quality confidence score", ge=0.0, le=1.0)
    warnings: list[str] = Field(description="Caveats and limitations")
    metadata: CodeMetadata

    def as_json(self) -> dict[str, Any]:
        """What has no value is left out."""
        return self.model_dump(exclude_none=True)


class CodeEnvelope(BaseModel):
    """The answers for several languages. `best` is the one with the highest confidence among those
    that succeeded; null if none did."""

    results: dict[str, CodeGeneration] = Field(description="The answer for each language")
    best: str | None = Field(
        description="The language with the best answer, or null",
        json_schema_extra={"type": ["string", "null"]},
    )
