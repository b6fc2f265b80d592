"""The objects of the native API, as schemas of its OpenAPI document."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from history.ratings import MARKS, MAX_NOTE
from laios.types.cited_chunk import CitedChunk
from laios.types.history_record import Record
from laios.types.judgement import Judgement
from laios.types.program_outcome import ProgramOutcome
from laios.types.rating import Rating
from laios.types.run_details import RunDetails
from pipeline.codegen.code_schema import DRAFT_07, envelope_schema, request_schema, response_schema
from pipeline.json_schema import Plain
from pipeline.modes import MODES
from pipeline.run_limits import RunLimits
from server.api.judge_request import JudgeRequest
from server.api.prompt import MAX_SESSION
from server.api.query_schema import schemas
from server.api.sandbox_run import ProgramRequest
from server.http.errors import STATUS

Json = dict[str, Any]

TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": TEXT}
_RECORD = {"$ref": "#/components/schemas/Record"}
_CHUNK = {"$ref": "#/components/schemas/CitedChunk"}
_DETAILS = {"$ref": "#/components/schemas/RunDetails"}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer", "minimum": 0}


def all_schemas() -> dict[str, Json]:
    """By the names under which the paths refer to them."""
    models = _model_schemas()
    limits = models.pop("RunLimits")
    return {
        "PromptRequest": _object(
            {
                "prompt": {
                    "type": "string",
                    "description": "What the code should do; tags such as ///raw pick a mode.",
                },
                "mode": _optional(TEXT | {"description": f"One of {', '.join(MODES)}."}),
                "literal": {"type": "boolean", "description": "Read no tags in the prompt."},
                "session": _optional(TEXT | {"maxLength": MAX_SESSION}),
                "format": _optional(TEXT),
                "no_log": {"type": "boolean", "description": "Keep no texts in the history."},
                "stream": {"type": "boolean", "description": "Answer as server-sent events."},
                "details": {"type": "boolean", "description": "Say what is known of the run."},
                **limits["properties"],
            },
            required=("prompt",),
        ),
        "Output": _object({"output": TEXT, "details": _DETAILS}, required=("output",)),
        "RunState": _object({"output": _optional(TEXT), "details": _DETAILS}),
        "CitedChunks": _object({"chunks": {"type": "array", "items": _CHUNK}}),
        "Records": _object({"records": {"type": "array", "items": _RECORD}}),
        **models,
        "CodeRequest": request_schema(),
        "CodeGeneration": response_schema(),
        "CodeEnvelope": envelope_schema("#/components/schemas/CodeGeneration"),
        **schemas("#/components/schemas/{model}"),
        "JsonSchema": {"type": "object", "properties": {"$schema": {"const": DRAFT_07}}},
        "OpenApi": {"type": "object", "properties": {"openapi": TEXT}},
        "Error": _object({"error": _object({"code": {"enum": sorted(STATUS)}, "message": TEXT})}),
        "Runs": _object({"runs": {"type": "array", "items": _RUN_ROW}}),
        "Cancelled": _object({"id": TEXT, "cancelled": {"type": "boolean"}, "outcome": TEXT}),
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
    place = "#/components/schemas/{model}"
    models: list[tuple[type[BaseModel], Literal["serialization", "validation"]]]
    models = [
        (RunDetails, "serialization"),
        (Record, "validation"),
        (Rating, "serialization"),
        (RunLimits, "validation"),
        (ProgramRequest, "validation"),
        (ProgramOutcome, "serialization"),
        (CitedChunk, "serialization"),
        (JudgeRequest, "validation"),
        (Judgement, "serialization"),
    ]
    _, made = models_json_schema(models, ref_template=place, schema_generator=Plain)
    found: dict[str, Json] = made["$defs"]
    scores = found["Judgement"]["properties"]
    for name in ("confidence_score", "conflict_score"):  # `Plain` leaves null out
        scores[name] = _optional(scores[name])
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


_RUN_ROW = _object(
    {
        "id": TEXT,
        "state": {"enum": ["queued", "running", "done"]},
        "mode": TEXT,
        "source": TEXT,
        "session": _optional(TEXT),
        "accepted": TEXT,
        "elapsed_ms": _COUNT,
        "stage": _optional(TEXT),
        "model": _optional(TEXT),
        "queue_position": _optional(_COUNT),
        "wait_s": _optional(_NUMBER),
    }
)
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
