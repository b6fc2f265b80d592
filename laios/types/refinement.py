"""Changing code that is there: what to change, the changes, and the result."""

from typing import Literal

from pydantic import Field

from laios.types.schema import Citation, Confidence, QueryAnswer, Schema, validator
from laios.types.validation import ValidationFix


class ModificationStep(Schema):
    """`targets` are the names in the code that the step is about."""

    step_number: int
    description: str
    requires_retrieval: bool
    targets: list[str] | None = None


class ModificationDecompositionOutput(Schema):
    understanding: str
    modification_steps: list[ModificationStep]
    preserved_elements: list[str]

    def get_steps(self) -> list[ModificationStep]:
        return self.modification_steps


class Modification(Schema):
    """`code_changed` are the lines that came in the place of others, `code_added` those that came
    besides."""

    step_number: int
    modification: str
    explanation: str
    code_changed: str = ""
    code_added: str = ""
    variable_affected: str = ""


class CodeModificationOutput(Schema):
    modifications: list[Modification]
    updated_code: str
    new_imports: list[str] = Field(default_factory=list)
    preserved_structure: bool
    diff_summary: str


class CodeRefinementResult(QueryAnswer):
    """`preserved_structure`: nothing that was to be kept is lost. `diff_summary` says the change in
    a sentence; `changes_made` are the errors that were put right after it was written."""

    response_type: Literal["answer"]
    content_type: Literal["code_refinement"]
    query: str
    original_code: str
    code: str
    explanation: str
    modifications: list[Modification]
    new_imports: list[str]
    citations: list[Citation]
    chunk_ids_used: list[str]
    confidence: Confidence
    diff: str = ""
    preserved_structure: bool | None = None
    diff_summary: str | None = None
    changes_made: list[ValidationFix] | None = None


validate_modification_decomposition_output = validator(ModificationDecompositionOutput)
validate_code_modification_output = validator(CodeModificationOutput)
