"""`GET /openapi.json`: the native API as an OpenAPI 3.1 document."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from server.api.docs_chunks import MOST as MOST_CHUNKS
from server.api.docs_chunks import PARAMETERS as CHUNK_PARAMETERS
from server.api.openapi_schemas import TEXT, all_schemas
from server.api.query_schema import ANSWERS
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


async def get_openapi(http: HttpRequest) -> Response:
    return json_response(document(with_token=bool(container_of(http).settings.API_TOKEN)))


def document(*, with_token: bool) -> Json:
    """The document; `with_token`: callers have to send one."""
    info = {"title": "laios", "version": version("laios"), "description": _ABOUT}
    components: Json = {"schemas": all_schemas(), "headers": {"RunId": _RUN_ID_HEADER}}
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
        "/prompt": _post("Run a prompt.", _answered(), _PROMPT + _RUN, "PromptRequest"),
        "/code": _post(
            "Run a /code request.",
            _json("The result.", "CodeGeneration", "CodeEnvelope"),
            _RUN,
            "CodeRequest",
        ),
        "/code/schema": _plain("JSON Schema of /code, draft-07.", "JsonSchema"),
        "/query": _post(
            "A question, a plan, a refinement, with documentation.",
            _json("The result, in the form of its type.", *ANSWERS),
            _RUN,
            "QueryRequest",
        ),
        "/sandbox/run": _post(
            "Run a program in the sandbox.",
            _json("What the program printed and how it ended.", "ProgramOutcome"),
            ("sandbox_unavailable", "cancelled"),
            "ProgramRequest",
        ),
        "/docs/chunks": _get(
            "Search the index of documentation.",
            _json("The best matches first.", "CitedChunks"),
            ("bad_request",),
            parameters=[
                _parameter(name, MOST_CHUNKS, required=name == "q") for name in CHUNK_PARAMETERS
            ],
        ),
        "/judge": _post(
            "Judge given code.", _json("The assessment.", "Judgement"), _RUN, "JudgeRequest"
        ),
        "/docs/chunks/{id}": _OF_ID
        | _get(
            "The piece of documentation that a citation names.",
            _json("The piece.", "CitedChunk"),
            ("not_found",),
        ),
        "/query/schema": _plain("JSON Schema of /query, draft-07.", "JsonSchema"),
        "/openapi.json": _plain("This document.", "OpenApi"),
        "/runs": _plain(
            "Running and queued runs, oldest first, with how their prompts begin.", "Runs"
        ),
        "/runs/{id}": _OF_ID
        | _get(
            "The state of a run, running or finished.",
            _json("The run and its output.", "RunState"),
            ("not_found",),
        )
        | {
            "delete": _operation(
                "Cancel a run.",
                {"200": _json("The run was cancelled; it is in the history.", "Cancellation")},
                ("not_found",),
            )
        },
        "/runs/{id}/rating": _OF_ID
        | _post(
            "Rate a run's answer.",
            _json("The rating, as recorded.", "Rating"),
            ("not_found",),
            "RatingRequest",
        ),
        "/history": _get(
            "Recorded runs, newest first.",
            _json("Their records.", "Records"),
            ("bad_request", "unknown_mode"),
            parameters=[_parameter(name) for name in PARAMETERS],
        ),
        "/history/{id}": _OF_ID
        | _get("A recorded run.", _json("Its record.", "Record"), ("not_found",)),
        "/runs/{id}/events": _OF_ID
        | _get("The run's stages as they happen.", _EVENTS, ("not_found",)),
        "/healthz": _plain("The process is alive.", "Health"),
        "/readyz": {
            "get": _operation(
                "Whether a prompt would be answered and recorded now.",
                {"200": _json("Yes.", "Ready"), "503": _json("Why not.", "Ready")},
            )
        },
        "/metrics": _get("Metrics for Prometheus.", _METRICS),
    }


_OF_ID: Json = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": TEXT}]}


def _parameter(name: str, most: int = MOST, *, required: bool = False) -> Json:
    schema = {"type": "integer", "minimum": 1, "maximum": most} if name == "limit" else TEXT
    return {"name": name, "in": "query", "schema": schema, "required": required}


_EVENT = {
    "type": "object",
    "properties": {"event": TEXT, "data": TEXT},
    "required": ["event", "data"],
}
_EVENTS: Json = {
    "description": "Server-sent events, each with a JSON object as its data.",
    "content": {"text/event-stream": {"schema": _EVENT}},
}
_METRICS = {"description": "Prometheus' text format.", "content": {"text/plain": {"schema": TEXT}}}


def _answered() -> Json:
    """In one piece, or with `stream` as events."""
    whole = _json("The code.", "Output")
    return whole | {"content": whole["content"] | _EVENTS["content"]}


def _post(summary: str, answer: Json, codes: tuple[str, ...], schema: str) -> Json:
    """A path to which an object of this schema is posted; it may end with these errors too."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    body = {"required": True, "content": content}
    return {"post": _operation(summary, {"200": answer}, _BODY + codes) | {"requestBody": body}}


def _plain(summary: str, schema: str) -> Json:
    """A path from which there is an object of this schema to get, without a question."""
    return _get(summary, _json(summary, schema))


def _get(summary: str, answer: Json, codes: tuple[str, ...] = (), **more: Any) -> Json:
    """A path from which there is something to get; `more` of the operation stands at its end."""
    return {"get": _operation(summary, {"200": answer}, codes) | more}


def _operation(summary: str, answers: Mapping[str, Json], codes: tuple[str, ...] = ()) -> Json:
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
