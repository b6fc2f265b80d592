"""The answer of `POST /judge`."""

from pydantic import BaseModel, Field


class Issue(BaseModel):
    """Something that speaks against the code, or that kept it from being checked as asked."""

    kind: str = Field(
        description="`judge`, `not_judged`, `test`, `not_run`, or a fact's kind: `syntax`, "
        "`names`, `import`, `crash`, `example`, …"
    )
    message: str


class KnownFact(BaseModel):
    """What is known of the code without an opinion."""

    kind: str = Field(description="`test`, `example`, `syntax`, `names`, `import`, `crash`, …")
    detail: str
    holds: bool = Field(description="Whether it speaks for the code")


class Judgement(BaseModel):
    """What is known of a code. It is valid where it was judged and nothing speaks against it. The
    scores are null where a fact spoke first, and where the judge said nothing that can be read."""

    valid: bool = Field(description="Judged, tested as asked, and nothing speaks against it")
    confidence_score: int | None = Field(
        description="How sure the judge is that it is right, 1–10",
        ge=1,
        le=10,
    )
    conflict_score: int | None = Field(
        description="How far it departs from the request, 1–10",
        ge=1,
        le=10,
    )
    quality_score: float = Field(
        description="Scores, facts and tests together, as the confidence of /code", ge=0, le=1
    )
    issues: list[Issue]
    evidence: list[KnownFact]
