"""Phase 2: one step of a plan → its code."""

from typing import Literal

from laios.types.schema import Instructions, Schema, validator


class PlannedStep(Schema):
    """A step of the plan and how far it is."""

    step_number: int
    description: str
    status: Literal["completed", "current", "pending"]


class OverallPlan(Schema):
    total_steps: int
    current_step_number: int
    steps: list[PlannedStep]


class CurrentStepInfo(Schema):
    step_number: int
    description: str
    focus: str


class PreviousStepResult(Schema):
    step_number: int
    understanding: str
    imports: list[str]
    code: str


class DocumentationChunk(Schema):
    """`index` is the number that citations name. The last three are left out where a model is
    shown the chunk."""

    index: int
    chunk_id: str
    content_type: str
    content: str
    title: str | None = None
    path: str | None = None
    source: str | None = None


class GenerationInput(Schema):
    original_query: str
    overall_understanding: str
    overall_plan: OverallPlan
    current_step: CurrentStepInfo
    previous_steps: list[PreviousStepResult]
    documentation: list[DocumentationChunk]
    instructions: Instructions


class GenerationOutput(Schema):
    step_number: int
    understanding: str
    imports: list[str]
    code: str
    citations: list[int]


validate_generation_output = validator(GenerationOutput)
