"""Phase 3: code and what is wrong with it → code with that put right."""

from laios.types.schema import Instructions, Schema, validator


class ValidationError(Schema):
    """`type` is the exception's name, `context` the source line (1-based `line`)."""

    type: str
    message: str
    line: int
    context: str

    def __str__(self) -> str:
        return f"{self.type} at line {self.line}: {self.message}"

    @property
    def brief(self) -> str:
        """The same wherever it stands."""
        return f"{self.type}: {self.message}"


class ValidationInput(Schema):
    task: str
    original_query: str
    generated_code: str
    validation_errors: list[ValidationError]
    instructions: Instructions


class ValidationFix(Schema):
    error_type: str
    fix: str
    line: int


class ValidationOutput(Schema):
    fixed_code: str
    changes_made: list[ValidationFix]


validate_validation_output = validator(ValidationOutput)
