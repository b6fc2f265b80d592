"""What a model says besides an answer's text, by the kind of answer: small, structured, and never
code."""

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import Field, model_validator

from laios.types.answers import KeyConcept, Parameter
from laios.types.enrichment import ExplainedSymbol
from laios.types.schema import Confidence, Schema
from pipeline.reply_schema import INTEGER, Json, listed, one_of, table, text

CONFIDENCE = get_args(Confidence)
Complexity = Literal["simple", "moderate", "advanced"]

_NAME, _LINE, _LINES = text(100), text(300), text(800)
# What small models copy from `Form.says` where they have nothing to say: `<what comes back, …>`.
_PLACEHOLDER = re.compile(r"<name>|<[A-Za-z]+(?:,? [A-Za-z]+)+>")


class Source(Schema):
    """What a cited chunk is cited for."""

    number: int
    reason: str


class Fields(Schema):
    sources: list[Source]
    confidence: Confidence

    @model_validator(mode="before")
    @classmethod
    def _without_placeholders(cls, value: Any) -> Any:
        return _said(value)

    @property
    def own(self) -> dict[str, Any]:
        """What is said in this kind of answer alone, by name."""
        return {name: value for name, value in self if name not in Fields.model_fields}


def _said(value: Any) -> Any:
    """What was read, without the texts that only repeat the template."""
    if isinstance(value, dict):
        return {name: _said(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_said(each) for each in value if not _is_placeholder(each)]
    return "" if _is_placeholder(value) else value


def _is_placeholder(value: Any) -> bool:
    return isinstance(value, str) and bool(_PLACEHOLDER.fullmatch(value.strip()))


class ApiFields(Fields):
    parameters: list[Parameter]
    return_value: str
    related_methods: list[str]


class ExplanationFields(Fields):
    key_concepts: list[KeyConcept]
    examples: list[str]
    related_concepts: list[str]


class Approach(Schema):
    technique: str
    description: str
    symbols: list[str] = Field(default_factory=list)
    complexity: Complexity


class DataToCodeFields(Fields):
    data_analysis: str
    suggested_techniques: list[str]
    alternative_approaches: list[Approach]


class CodeToDataFields(Fields):
    code_requirements: str


class EnrichmentFields(Fields):
    key_points: list[str]
    symbols_explained: list[ExplainedSymbol]


@dataclass(frozen=True, slots=True)
class Form:
    """`fields` reads what `schema` constrains; `says` is the same for people: what belongs in each
    of them."""

    fields: type[Fields]
    schema: Json
    says: str


def _form(fields: type[Fields], says: str, **properties: Json) -> Form:
    sources = listed(table(number=INTEGER, reason=_LINE), 8)
    schema = table(**properties, sources=sources, confidence=one_of(CONFIDENCE))
    return Form(fields, schema, says)


FORMS = {
    "api": _form(
        ApiFields,
        '"parameters": [{"name": "", "type": "", "description": ""}, ...], "return_value": "<what '
        'comes back, or None>", "related_methods": ["<name>", ...]',
        parameters=listed(table(name=_NAME, type=_NAME, description=_LINE), 20),
        return_value=_LINE,
        related_methods=listed(_NAME, 12),
    ),
    "explanation": _form(
        ExplanationFields,
        '"key_concepts": [{"concept": "", "description": ""}, ...], "examples": ["<an example in '
        'words>", ...], "related_concepts": ["<name>", ...]',
        key_concepts=listed(table(concept=_NAME, description=_LINE), 12),
        examples=listed(_LINE, 6),
        related_concepts=listed(_NAME, 12),
    ),
    "data_to_code": _form(
        DataToCodeFields,
        '"data_analysis": "<what the data is and what it suits>", "suggested_techniques": ["", '
        '...], "alternative_approaches": [{"technique": "", "description": "", "symbols": '
        '["<class or function that it needs>", ...], "complexity": "simple" | "moderate" | '
        '"advanced"}, ...]',
        data_analysis=_LINES,
        suggested_techniques=listed(_LINE, 8),
        alternative_approaches=listed(
            table(
                technique=_NAME,
                description=_LINE,
                symbols=listed(_NAME, 8),
                complexity=one_of(get_args(Complexity)),
            ),
            6,
        ),
    ),
    "code_to_data": _form(
        CodeToDataFields,
        '"code_requirements": "<which format and content the code expects>"',
        code_requirements=_LINES,
    ),
    "enrich": _form(
        EnrichmentFields,
        '"key_points": ["", ...], "symbols_explained": [{"name": "<class or function in the '
        'code>", "purpose": "<what it is for in this code>"}, ...]',
        key_points=listed(_LINE, 10),
        symbols_explained=listed(table(name=_NAME, purpose=_LINE), 16),
    ),
}
