"""All steps of a plan put together."""

from laios.types.schema import QueryAnswer, Schema
from laios.types.validation import ValidationFix


class StepResult(Schema):
    """`chunks_used` are the ids of the chunks that `citations` name, in their order."""

    step_number: int
    description: str
    understanding: str
    imports: list[str]
    code: str
    citations: list[int]
    chunks_used: list[str]


class FinalCode(Schema):
    imports: str
    body: str
    complete: str


class ExplainedStep(Schema):
    step_number: int
    description: str
    understanding: str
    code: str


class Explanation(Schema):
    overview: str
    imports: list[str]
    steps: list[ExplainedStep]
    formatted: str


class FinalResult(QueryAnswer):
    """`steps` and `explanation` are those of the final code; `changes_made` are the errors that
    were put right after the steps were written."""

    query: str
    understanding: str
    requires_visualization: bool
    libraries_needed: list[str]
    data_files: list[str]
    steps: list[StepResult]
    final_code: FinalCode
    explanation: Explanation
    changes_made: list[ValidationFix] | None = None

    def get_steps(self) -> list[StepResult]:
        return self.steps
