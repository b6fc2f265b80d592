"""A run's details beyond its text: `details` of `POST /prompt` and `GET /runs/{id}`."""

from typing import Any, Literal

from pydantic import BaseModel, Field


class Verdict(BaseModel):
    """What the judge said of a text: scores from 1 to 10, or none and why in `error`."""

    confidence_score: int | None = Field(
        None, description="How sure it is that the code is right, 1–10"
    )
    conflict_score: int | None = Field(
        None, description="How far it departs from the request, 1–10"
    )
    judgement_summary: str | None = Field(None, description="One sentence")
    error: str | None = Field(None, description="Why there are no scores")
    p_correct: float | None = Field(
        None, description="The probability of yes, where the judge was asked for a word"
    )


class Evidence(BaseModel):
    """A fact against a text that needed no model."""

    stage: str = Field(description="Whose text it is: `coder` or `reviewer`")
    kind: str = Field(description="`syntax`, `import`, `names`, `crash`, `example`, `test`, …")
    detail: str
    came: str = Field(default="", description="What came instead, where that is known")

    @property
    def said(self) -> str:
        """Both, in a line."""
        return f"{self.detail}: {self.came}" if self.came else self.detail


class CaseResult(BaseModel):
    """A test and how it went: `passed`, `wrong`, or what happened instead (`raised`, `timeout`,
    `not run`, …), which `error` says in a line."""

    name: str
    status: str
    error: str | None = None


class SuiteReport(BaseModel):
    """What came of the tests. `reason`: why they, or some of them, could not be run. `cases` is
    empty where they are counted alone."""

    passed: int = Field(ge=0)
    total: int = Field(ge=0)
    reason: str = ""
    cases: list[CaseResult] = Field(default_factory=list)


class DraftReport(BaseModel):
    """A draft of several, or a program that `///test` tried: then `passed` and `total` are of its
    tests."""

    number: int = Field(description="From 1, in the order in which they came about")
    chosen: bool = Field(description="Whether it went on: as the answer, or to the reviewer")
    passed: int | None = Field(default=None, ge=0)
    total: int | None = Field(default=None, ge=0)
    against: list[str] = Field(default_factory=list, description="What speaks against it")


class FailedFile(BaseModel):
    """A file of a project that is missing or does not parse."""

    path: str
    why: str


class Tokens(BaseModel):
    """Of all model calls of a run together, as far as the backends count."""

    prompt: int = Field(ge=0)
    output: int = Field(ge=0)


class RunFault(BaseModel):
    """What a run ended with; `message` says what helps, and is left out where no texts are kept."""

    code: str
    message: str | None = None


class RunDetails(BaseModel):
    """What is known of a run, finished or not. `warnings` is the gist of it: a line for each thing
    that is known to be wrong with the answer, the judge's opinion is none, and for each check that
    was asked for and could not be run; `unchecked` are those lines alone. `passed`: what was asked
    for was checked and holds, the request's examples among it, and no file is missing or broken."""

    id: str = Field(description="The run's id: 26 characters, sorts by time")
    state: Literal["queued", "running", "done"]
    mode: str
    final_source: Literal["coder", "reviewer"] | None = Field(
        None, description="Whose text was returned"
    )
    final_reason: str | None = Field(
        None, description="Why the draft was returned though it escalated"
    )
    escalation_reason: str | None = Field(None, description="Why it escalated")
    verdict: Verdict | None = Field(None, description="The judge's, on the text that was returned")
    evidence: list[Evidence] = Field(description="Against the text that was returned")
    tests: SuiteReport | None = None
    findings: list[str] = Field(description="What checks found in the returned code")
    failed_files: list[FailedFile]
    passed: bool = Field(description="Whether the checks that were asked for were run and hold")
    fallbacks: list[str] = Field(description="What was done in place of what was asked, and why")
    warnings: list[str] = Field(
        description="What is known to be wrong or could not be checked, a line each"
    )
    unchecked: list[str] = Field(
        default_factory=list, description="Those of the warnings that say what was not checked"
    )
    open_questions: list[str] = Field(
        default_factory=list,
        description="Calls on which its drafts differ and nothing decides: an example would; and "
        "examples that a model reads in the request and the answer does not hold; and that only a "
        "small model's yes to its own code speaks for it",
    )
    drafts: list[DraftReport] = Field(
        default_factory=list, description="The drafts, where more than one was drawn"
    )
    chosen_because: str | None = Field(None, description="Why the chosen draft won")
    notes: list[str] = Field(
        default_factory=list,
        description="What was left out of the work, such as examples that could not be read",
    )
    tokens: Tokens
    seconds: float = Field(description="Of the run, waiting for its turn not included", ge=0)
    error: RunFault | None = None

    def as_json(self) -> dict[str, Any]:
        """What has no value is left out."""
        return self.model_dump(exclude_none=True)
