"""JSON Schemas of `POST /query`: draft-07 for `GET /query/schema`, and for the components of an
OpenAPI 3.1 document."""

from typing import Any

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
from pipeline.json_schema import schemas_of
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
    """Those of the request and of all answers, see `schemas_of`."""
    return schemas_of([QueryRequest], _ANSWERS, place)


def draft_07() -> dict[str, Any]:
    """The answer is one of the API's objects; which one, depends on the type of the query."""
    place = "#/definitions/{model}"
    return {
        "$schema": DRAFT_07,
        "title": "QueryAnswer",
        "anyOf": [{"$ref": place.format(model=name)} for name in ANSWERS],
        "definitions": schemas(place),
    }
