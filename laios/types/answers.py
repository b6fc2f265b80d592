"""The four kinds of answers: an API, a concept, data → code, code → data."""

from typing import Literal

from pydantic import Field

from laios.types.schema import Citation, Confidence, QueryAnswer, Schema, validator


class Parameter(Schema):
    name: str
    type: str = ""
    description: str = ""


class APILookupOutput(QueryAnswer):
    response_type: Literal["answer"]
    content_type: Literal["api"]
    explanation: str
    usage_example: str = ""
    parameters: list[Parameter] = Field(default_factory=list)
    return_value: str = ""
    related_methods: list[str] = Field(default_factory=list)
    citations: list[Citation]
    confidence: Confidence


class KeyConcept(Schema):
    concept: str
    description: str


class ExplanationOutput(QueryAnswer):
    response_type: Literal["answer"]
    content_type: Literal["explanation"]
    explanation: str
    key_concepts: list[KeyConcept] = Field(default_factory=list)
    examples: list[str] = Field(default_factory=list)
    related_concepts: list[str] = Field(default_factory=list)
    citations: list[Citation]
    confidence: Confidence


class AlternativeApproach(Schema):
    """`vtk_classes` are those of `symbols` that are VTK's."""

    technique: str
    description: str = ""
    vtk_classes: list[str] = Field(default_factory=list)
    symbols: list[str] | None = None
    complexity: Literal["simple", "moderate", "advanced"] = "moderate"


class DataToCodeOutput(QueryAnswer):
    """`symbols_used` are the names that the code takes from libraries, `vtk_classes_used` those of
    them that are VTK's."""

    response_type: Literal["answer"]
    content_type: Literal["code"]
    data_analysis: str = ""
    suggested_techniques: list[str] = Field(default_factory=list)
    code: str
    explanation: str
    alternative_approaches: list[AlternativeApproach] = Field(default_factory=list)
    vtk_classes_used: list[str] = Field(default_factory=list)
    symbols_used: list[str] | None = None
    data_files_used: list[str] = Field(default_factory=list)
    citations: list[Citation]
    confidence: Confidence


class DataFile(Schema):
    """Facts of indexed documents alone; what is not known is ""."""

    filename: str
    description: str = ""
    source_example: str = ""
    download_url: str = ""
    file_type: str = ""
    file_size: str = ""


class CodeToDataOutput(QueryAnswer):
    response_type: Literal["answer"]
    content_type: Literal["data"]
    explanation: str
    code_requirements: str = ""
    data_files: list[DataFile] = Field(default_factory=list)
    vtk_classes_used: list[str] = Field(default_factory=list)
    symbols_used: list[str] | None = None
    citations: list[Citation]
    confidence: Confidence


validate_api_lookup_output = validator(APILookupOutput)
validate_explanation_output = validator(ExplanationOutput)
validate_data_to_code_output = validator(DataToCodeOutput)
validate_code_to_data_output = validator(CodeToDataOutput)
