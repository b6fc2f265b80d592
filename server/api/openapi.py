"""`GET /openapi.json`: the native API as an OpenAPI 3.1 document."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from laios.types.history_record import Record
from laios.types.run_details import RunDetails
from pipeline.codegen.code_schema import DRAFT_07, envelope_schema, request_schema, response_schema
from pipeline.json_schema import Plain
from pipeline.modes import MODES
from server.api.prompt import MAX_SESSION
from server.api.query_schema import ANSWERS, schemas
from server.api.records import MOST, PARAMETERS
from server.http.errors import STATUS
from server.http.json_response import RUN_ID, json_response
from server.runtime.container import container_of

Json = dict[str, Any]

_DOOR = ("unauthorized", "forbidden_host", "forbidden_origin", "internal")
_BODY = ("bad_request", "payload_too_large", "unsupported_media_type")
_RUN = (
    "context_too_long",
    "busy",
    "cancelled",
    "model_not_found",
    "model_unreachable",
    "model_failed",
    "model_timeout",
)
_PROMPT = ("empty_prompt", "unknown_tag", "conflicting_tags", "unknown_mode", "sandbox_unavailable")
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_RECORD = {"$ref": "#/components/schemas/Record"}
_DETAILS = {"$ref": "#/components/schemas/RunDetails"}
_NUMBER = {"type": "number"}
_COUNT = {"type": "integer", "minimum": 0}


async def get_openapi(http: HttpRequest) -> Response:
    return json_response(document(with_token=bool(container_of(http).settings.API_TOKEN)))


def document(*, with_token: bool) -> Json:
    """The document; `with_token`: callers have to send one."""
    info = {"title": "laios", "version": version("laios"), "description": _ABOUT}
    components: Json = {"schemas": _schemas(), "headers": {"RunId": _RUN_ID_HEADER}}
    whole: Json = {
        "openapi": "3.1.0",
        "info": info,
        "paths": _paths(),
        "components": components,
    }
    if with_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        whole["security"] = [{"token": []}]
        whole["paths"]["/healthz"]["get"]["security"] = []
    return whole


_ABOUT = (
    "Local models draft code, judge it and review it. Every error has the shape "
    '`{"error": {"code", "message"}}`.'
)
_RUN_ID_HEADER = {
    "description": "The run's id, or that of the request.",
    "schema": {"type": "string", "pattern": "^[0-9A-Z]{26}$"},
}


def _paths() -> dict[str, Json]:
    return {
        "/prompt": {
            "post": _operation("Run a prompt.", {"200": _answered()}, _BODY + _PROMPT + _RUN)
            | _body("PromptRequest")
        },
        "/code": {
            "post": _operation(
                "A typed request for code.",
                {"200": _json("What came of it.", "CodeGeneration", "CodeEnvelope")},
                _BODY + _RUN,
            )
            | _body("CodeRequest")
        },
        "/code/schema": {"get": _get("JSON Schema of /code, draft-07.", "JsonSchema")},
        "/query": {
            "post": _operation(
                "A question, a plan, a refinement, with documentation.",
                {"200": _json("What came of it, by its type.", *ANSWERS)},
                _BODY + _RUN,
            )
            | _body("QueryRequest")
        },
        "/query/schema": {"get": _get("JSON Schema of /query, draft-07.", "JsonSchema")},
        "/openapi.json": {"get": _get("This document.", "OpenApi")},
        "/runs": {"get": _get("Running and queued runs, oldest first.", "Runs")},
        "/runs/{id}": {
            "parameters": [_ID],
            "get": _operation(
                "What is known of a run, running or over.",
                {"200": _json("It and its output.", "RunState")},
                ("not_found",),
            ),
            "delete": _operation(
                "Cancel a run.", {"200": _json("It is on record.", "Cancelled")}, ("not_found",)
            ),
        },
        "/history": {
            "get": _operation(
                "Runs on record, newest first.", {"200": _json("Their records.", "Records")}, _QUERY
            )
            | {"parameters": [_parameter(name) for name in PARAMETERS]}
        },
        "/history/{id}": {
            "parameters": [_ID],
            "get": _operation(
                "A run on record.", {"200": _json("Its record.", "Record")}, ("not_found",)
            ),
        },
        "/runs/{id}/events": {
            "parameters": [_ID],
            "get": _operation("The run's stages as they come.", {"200": _EVENTS}, ("not_found",)),
        },
        "/healthz": {"get": _get("The process is alive.", "Health")},
        "/readyz": {
            "get": _operation(
                "Whether a prompt would be answered and recorded now.",
                {"200": _json("It would.", "Ready"), "503": _json("Why not.", "Ready")},
                (),
            )
        },
        "/metrics": {"get": _operation("Numbers for Prometheus.", {"200": _METRICS}, ())},
    }


_ID = {"name": "id", "in": "path", "required": True, "schema": _TEXT}
_QUERY = ("bad_request", "unknown_mode")


def _parameter(name: str) -> Json:
    schema = {"type": "integer", "minimum": 1, "maximum": MOST} if name == "limit" else _TEXT
    return {"name": name, "in": "query", "schema": schema}


_EVENT = {
    "type": "object",
    "properties": {"event": _TEXT, "data": _TEXT},
    "required": ["event", "data"],
}
_EVENTS: Json = {
    "description": "Server-sent events, each with a JSON object as its data.",
    "content": {"text/event-stream": {"schema": _EVENT}},
}
_METRICS = {"description": "Prometheus' text format.", "content": {"text/plain": {"schema": _TEXT}}}


def _answered() -> Json:
    """In one piece, or with `stream` as events."""
    whole = _json("The code.", "Output")
    return whole | {"content": whole["content"] | _EVENTS["content"]}


def _get(summary: str, schema: str) -> Json:
    return _operation(summary, {"200": _json(summary, schema)}, ())


def _operation(summary: str, answers: Mapping[str, Json], codes: tuple[str, ...]) -> Json:
    """An operation with its answers and the errors that it can end with, by status."""
    by_status: dict[str, list[str]] = {}
    for code in (*codes, *_DOOR):
        by_status.setdefault(str(STATUS[code]), []).append(code)
    errors = {
        status: _json(", ".join(f"`{code}`" for code in found), "Error")
        for status, found in sorted(by_status.items())
    }
    return {"summary": summary, "responses": {**errors, **answers}}


def _json(description: str, *schemas: str) -> Json:
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    return {
        "description": description,
        "headers": {RUN_ID: {"$ref": "#/components/headers/RunId"}},
        "content": {"application/json": {"schema": refs[0] if len(refs) == 1 else {"anyOf": refs}}},
    }


def _body(schema: str) -> Json:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"requestBody": {"required": True, "content": content}}


def _schemas() -> dict[str, Json]:
    return {
        "PromptRequest": _object(
            {
                "prompt": {
                    "type": "string",
                    "description": "What the code should do; tags such as ///raw pick a mode.",
                },
                "mode": _optional(_TEXT | {"description": f"One of {', '.join(MODES)}."}),
                "session": _optional(_TEXT | {"maxLength": MAX_SESSION}),
                "format": _optional(_TEXT),
                "no_log": {"type": "boolean", "description": "Keep no texts in the history."},
                "stream": {"type": "boolean", "description": "Answer as server-sent events."},
                "details": {"type": "boolean", "description": "Say what is known of the run."},
            },
            required=("prompt",),
        ),
        "Output": _object({"output": _TEXT, "details": _DETAILS}, required=("output",)),
        "RunState": _object({"output": _optional(_TEXT), "details": _DETAILS}),
        "Records": _object({"records": {"type": "array", "items": _RECORD}}),
        **_model_schemas(),
        "CodeRequest": request_schema(),
        "CodeGeneration": response_schema(),
        "CodeEnvelope": envelope_schema("#/components/schemas/CodeGeneration"),
        **schemas("#/components/schemas/{model}"),
        "JsonSchema": {"type": "object", "properties": {"$schema": {"const": DRAFT_07}}},
        "OpenApi": {"type": "object", "properties": {"openapi": _TEXT}},
        "Error": _object({"error": _object({"code": {"enum": sorted(STATUS)}, "message": _TEXT})}),
        "Runs": _object({"runs": {"type": "array", "items": _RUN_ROW}}),
        "Cancelled": _object({"id": _TEXT, "cancelled": {"type": "boolean"}, "outcome": _TEXT}),
        "Health": _object({"name": {"const": "laios"}, "status": _TEXT, "version": _TEXT}),
        "Ready": _READY,
    }


def _model_schemas() -> dict[str, Json]:
    """Objects of `laios.types` and what they are made of."""
    place = "#/components/schemas/{model}"
    models: list[tuple[type[BaseModel], Literal["serialization", "validation"]]]
    models = [(RunDetails, "serialization"), (Record, "validation")]
    _, made = models_json_schema(models, ref_template=place, schema_generator=Plain)
    found: dict[str, Json] = made["$defs"]
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
        "id": _TEXT,
        "state": {"enum": ["queued", "running", "done"]},
        "mode": _TEXT,
        "source": _TEXT,
        "session": _optional(_TEXT),
        "accepted": _TEXT,
        "elapsed_ms": _COUNT,
        "stage": _optional(_TEXT),
        "model": _optional(_TEXT),
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
                {"code": _TEXT, "roles": _TEXTS, "model": _TEXT, "message": _TEXT},
                required=("code", "message"),
            ),
        },
        "notices": {
            "type": "array",
            "items": _object({"code": _TEXT, "model": _TEXT, "message": _TEXT}),
        },
        "models": {"type": "object", "additionalProperties": _TEXT},
        "history": _object({"ok": {"type": "boolean"}, "pending": _COUNT, "lost": _COUNT}),
        "runs": _COUNT,
    }
)

ROUTES = [Route("/openapi.json", get_openapi, methods=["GET"])]
