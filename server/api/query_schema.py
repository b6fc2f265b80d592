"""JSON Schemas of `POST /query`: draft-07 for `GET /query/schema`, and for the components of an
OpenAPI 3.1 document."""

from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from laios.types.answers import (
    APILookupOutput,
    CodeToDataOutput,
    DataToCodeOutput,
    ExplanationOutput,
)
from laios.types.enrichment import ExplanationEnrichmentOutput
from laios.types.final_result import FinalResult
from laios.types.refinement import CodeRefinementResult
from pipeline.codegen.code_schema import DRAFT_07
from pipeline.json_schema import Plain
from server.api.query_request import QueryRequest

_ANSWERS = (
    FinalResult,
    APILookupOutput,
    ExplanationOutput,
    DataToCodeOutput,
    CodeToDataOutput,
    CodeRefinementResult,
    ExplanationEnrichmentOutput,
)
ANSWERS = tuple(answer.__name__ for answer in _ANSWERS)


def schemas(place: str) -> dict[str, Any]:
    """The schemas of request and answers, and of what they are made of, by name; they refer to
    each other as `place` says, where `{model}` is the name."""
    models: list[tuple[type[BaseModel], Literal["validation", "serialization"]]]
    models = [(QueryRequest, "validation"), *((answer, "serialization") for answer in _ANSWERS)]
    _, made = models_json_schema(models, ref_template=place, schema_generator=Plain)
    found: dict[str, Any] = made["$defs"]
    return found


def draft_07() -> dict[str, Any]:
    """The answer is one of the API's objects; which one, depends on the type of the query."""
    place = "#/definitions/{model}"
    return {
        "$schema": DRAFT_07,
        "title": "QueryAnswer",
        "anyOf": [{"$ref": place.format(model=name)} for name in ANSWERS],
        "definitions": schemas(place),
    }
