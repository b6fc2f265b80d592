"""The objects of the native API, as schemas of its OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from history.ratings import MARKS, MAX_NOTE
from laios.types.cited_chunk import CitedChunk
from laios.types.history_record import Record
from laios.types.judgement import Judgement
from laios.types.program_outcome import ProgramOutcome
from laios.types.rating import Rating
from laios.types.run_details import RunDetails
from laios.types.run_list import Cancellation, RunRow
from pipeline.codegen.code_schema import DRAFT_07, envelope_schema, request_schema, response_schema
from pipeline.json_schema import schemas_of
from pipeline.modes import MODES
from server.api.judge_request import JudgeRequest
from server.api.prompt_request import PromptRequest
from server.api.query_schema import schemas
from server.api.sandbox_run import ProgramRequest
from server.http.errors import STATUS

Json = dict[str, Any]

_PLACE = "#/components/schemas/{model}"
TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": TEXT}
_RECORD = {"$ref": "#/components/schemas/Record"}
_RUN_ROW = {"$ref": "#/components/schemas/RunRow"}
_CHUNK = {"$ref": "#/components/schemas/CitedChunk"}
_DETAILS = {"$ref": "#/components/schemas/RunDetails"}
_COUNT = {"type": "integer", "minimum": 0}
_NULLABLE = {
    "RunRow": ("session", "stage", "model", "queue_position", "wait_s", "prompt"),
    "Judgement": ("confidence_score", "conflict_score"),
    "Rating": ("note",),
    "ProgramOutcome": ("exit",),
}


def all_schemas() -> dict[str, Json]:
    """By the names under which the paths refer to them."""
    return {
        "Output": _object({"output": TEXT, "details": _DETAILS}, required=("output",)),
        "RunState": _object({"output": _optional(TEXT), "details": _DETAILS}),
        "CitedChunks": _object({"chunks": {"type": "array", "items": _CHUNK}}),
        "Records": _object({"records": {"type": "array", "items": _RECORD}}),
        **_model_schemas(),
        "CodeRequest": request_schema(),
        "CodeGeneration": response_schema(),
        "CodeEnvelope": envelope_schema("#/components/schemas/CodeGeneration"),
        **schemas(_PLACE),
        "JsonSchema": {"type": "object", "properties": {"$schema": {"const": DRAFT_07}}},
        "OpenApi": {"type": "object", "properties": {"openapi": TEXT}},
        "Error": _object({"error": _object({"code": {"enum": sorted(STATUS)}, "message": TEXT})}),
        "Runs": _object({"runs": {"type": "array", "items": _RUN_ROW}}),
        "RatingRequest": _object(
            {
                "rating": {"enum": list(MARKS)},
                "note": _optional(TEXT | {"maxLength": MAX_NOTE}),
            },
            required=("rating",),
        ),
        "Health": _object({"name": {"const": "laios"}, "status": TEXT, "version": TEXT}),
        "Ready": _READY,
    }


def _model_schemas() -> dict[str, Json]:
    """Objects of `laios.types` and what they are made of."""
    asked = (Record, PromptRequest, ProgramRequest, JudgeRequest)
    answered = (RunDetails, Rating, RunRow, Cancellation, ProgramOutcome, CitedChunk, Judgement)
    found = schemas_of(asked, answered, _PLACE)
    found["PromptRequest"]["properties"]["mode"]["description"] = f"One of {', '.join(MODES)}."
    for name, keys in _NULLABLE.items():  # `Plain` leaves null out of answers
        properties = found[name]["properties"]
        properties |= {key: _optional(properties[key]) for key in keys}
    return found


def _object(properties: Mapping[str, Any], required: tuple[str, ...] | None = None) -> Json:
    """An object with these keys and no others; all of them, unless `required` says which."""
    names = list(properties if required is None else required)
    return {
        "type": "object",
        "properties": dict(properties),
        "required": names,
        "additionalProperties": False,
    }


def _optional(schema: Mapping[str, Any]) -> Json:
    return {**schema, "type": [schema["type"], "null"]}


_READY = _object(
    {
        "status": {"enum": ["ready", "not ready"]},
        "reasons": {
            "type": "array",
            "items": _object(
                {"code": TEXT, "roles": _TEXTS, "model": TEXT, "message": TEXT},
                required=("code", "message"),
            ),
        },
        "notices": {
            "type": "array",
            "items": _object({"code": TEXT, "model": TEXT, "message": TEXT}),
        },
        "models": {"type": "object", "additionalProperties": TEXT},
        "history": _object({"ok": {"type": "boolean"}, "pending": _COUNT, "lost": _COUNT}),
        "runs": _COUNT,
    }
)
