"""An explanation of given code."""

from pydantic import Field

from laios.types.schema import Citation, Confidence, QueryAnswer, Schema, validator


class ExplainedSymbol(Schema):
    name: str
    purpose: str


class ExplanationEnrichmentOutput(QueryAnswer):
    """`symbols_explained` are names of any library, `vtk_classes_explained` those of them that are
    VTK's."""

    improved_explanation: str
    key_points: list[str] = Field(default_factory=list)
    vtk_classes_explained: list[ExplainedSymbol] = Field(default_factory=list)
    symbols_explained: list[ExplainedSymbol] | None = None
    citations: list[Citation]
    confidence: Confidence


validate_explanation_enrichment_output = validator(ExplanationEnrichmentOutput)
