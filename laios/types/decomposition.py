"""Phase 1: a query → the steps that lead to it."""

from laios.types.schema import Instructions, Schema, validator


class DecompositionInput(Schema):
    query: str
    instructions: Instructions


class DecompositionStep(Schema):
    """`search_query` is what documentation is looked up by, `focus` a word such as `rendering`."""

    step_number: int
    description: str
    search_query: str
    focus: str


class DecompositionOutput(Schema):
    understanding: str
    requires_visualization: bool
    libraries_needed: list[str]
    data_files: list[str]
    steps: list[DecompositionStep]

    def get_steps(self) -> list[DecompositionStep]:
        return self.steps


validate_decomposition_output = validator(DecompositionOutput)
