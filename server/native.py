"""The native API: `POST /prompt`, `/runs…` and the health routes (DESIGN A2)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from importlib.metadata import version
from typing import Any

import orjson
from sse_starlette import EventSourceResponse
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from pipeline.errors import BadRequest, Cancelled
from pipeline.events import Event
from pipeline.models.registry import ROLES
from pipeline.request import Request
from pipeline.run import Run
from server.errors import HttpError
from server.metrics import CONTENT_TYPE
from server.parts import Parts, parts_of
from server.reply import json_response

FIELDS = {"prompt", "mode", "session", "format", "no_log"}
MAX_SESSION = 256  # characters
PING_S = 10
BODY_TIMEOUT_S = 30.0


async def post_prompt(http: HttpRequest) -> Response:
    """`{"prompt", "mode"?, "session"?, "format"?, "no_log"?}` → `{"output"}`."""
    parts = parts_of(http)
    request = read_request(await whole_body(http), http.state.run_id)
    run = parts.scheduler.submit(request)
    output = await finished_or_gone(parts, http, run)
    return json_response({"output": output})


async def whole_body(http: HttpRequest) -> bytes:
    """The body, which has to arrive in time. Raises BadRequest."""
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            return await http.body()
    except TimeoutError:
        raise BadRequest(f"The body did not arrive within {BODY_TIMEOUT_S:g} seconds.") from None


def read_request(body: bytes, run_id: str) -> Request:
    """The body of POST /prompt. Raises BadRequest, naming the field and what is wrong with it."""
    value = read_object(body)
    unknown = sorted(value.keys() - FIELDS)
    if unknown:
        raise BadRequest(f"Unknown field {unknown[0]!r}. Fields: {', '.join(sorted(FIELDS))}.")
    if "prompt" not in value:
        raise BadRequest('The field "prompt" is missing. Send {"prompt": "…"}.')
    if not isinstance(value["prompt"], str):
        raise BadRequest('The field "prompt" must be a string.')
    for name in ("mode", "session", "format"):
        if not isinstance(value.get(name), str | None):
            raise BadRequest(f'The field "{name}" must be a string.')
    if not isinstance(value.get("no_log", False), bool):
        raise BadRequest('The field "no_log" must be true or false.')
    if len(value.get("session") or "") > MAX_SESSION:
        raise BadRequest(f'The field "session" is longer than {MAX_SESSION} characters.')
    return Request(
        prompt=value["prompt"],
        mode=value.get("mode"),
        session=value.get("session") or None,
        format=value.get("format"),
        no_log=value.get("no_log", False),
        id=run_id,
    )


def read_object(body: bytes) -> dict[str, Any]:
    """Strict JSON (RFC 8259, UTF-8): no NaN, no lone surrogates, bounded depth."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"The body is not valid JSON: {error}.") from None
    if not isinstance(value, dict):
        raise BadRequest('The body must be a JSON object: {"prompt": "…"}.')
    return value


async def finished_or_gone(parts: Parts, http: HttpRequest, run: Run) -> str:
    """The run's output. When the caller goes away first, the run is cancelled and recorded."""
    gone = asyncio.create_task(_cancel_when_gone(parts, http, run))
    try:
        return await parts.scheduler.finished(run)
    except asyncio.CancelledError:
        parts.scheduler.cancel(run.id)
        raise
    finally:
        gone.cancel()


async def _cancel_when_gone(parts: Parts, http: HttpRequest, run: Run) -> None:
    while (await http.receive())["type"] != "http.disconnect":
        pass
    parts.scheduler.cancel(run.id)


async def list_runs(http: HttpRequest) -> Response:
    """Running and queued runs, oldest first, without their texts."""
    scheduler = parts_of(http).scheduler
    rows = [
        run.summary()
        | {"queue_position": scheduler.queue.position(run), "wait_s": scheduler.queue.wait_s(run)}
        for run in scheduler.runs()
    ]
    return json_response({"runs": rows})


async def cancel_run(http: HttpRequest) -> Response:
    """Cancels a run; answers when it is on record."""
    scheduler = parts_of(http).scheduler
    run = scheduler.cancel(http.path_params["id"])
    if run is None:
        raise _no_such_run(http)
    with suppress(Exception):  # its own caller gets what it ended with
        await scheduler.finished(run)
    ended = run.error.code if run.error else "ok"
    return json_response(
        {"id": run.id, "cancelled": isinstance(run.error, Cancelled), "outcome": ended}
    )


async def run_events(http: HttpRequest) -> Response:
    """The run's stages as server-sent events, from its beginning to its end."""
    run = parts_of(http).scheduler.get(http.path_params["id"])
    if run is None:
        raise _no_such_run(http)
    return EventSourceResponse(_sse(run.events()), ping=PING_S)


async def _sse(events: AsyncIterator[Event]) -> AsyncIterator[dict[str, str]]:
    async for event in events:
        yield {"event": event["event"], "data": orjson.dumps(event).decode()}


def _no_such_run(http: HttpRequest) -> HttpError:
    return HttpError(
        "not_found",
        f"No run {http.path_params['id']!r} is running or queued. "
        "Finished runs are in the history: laios history show ID.",
    )


async def healthz(http: HttpRequest) -> Response:
    """The process is alive."""
    return json_response({"name": "laios", "status": "ok", "version": version("laios")})


async def readyz(http: HttpRequest) -> Response:
    """Whether a prompt would be answered and recorded now: 503 with the reasons if not."""
    parts = parts_of(http)
    problems = await parts.models.problems(parts.scheduler.settings)
    reasons = [
        {"code": p.code, "role": p.role, "model": p.model, "message": p.message} for p in problems
    ]
    history = parts.history.state()
    if not history.ok:
        reasons.append({"code": "history", "message": history.error or "cannot be written"})
    models = {role: parts.models.name_for(role, parts.scheduler.settings) for role in ROLES}
    body = {
        "status": "ready" if not reasons else "not ready",
        "reasons": reasons,
        "models": models,
        "history": {"ok": history.ok, "pending": history.pending, "lost": history.lost},
        "runs": len(parts.scheduler.runs()),
    }
    return json_response(body, 200 if not reasons else 503)


async def metrics(http: HttpRequest) -> Response:
    """Prometheus' text format."""
    return Response(parts_of(http).metrics.text(), media_type=CONTENT_TYPE)


ROUTES = [
    Route("/prompt", post_prompt, methods=["POST"]),
    Route("/runs", list_runs, methods=["GET"]),
    Route("/runs/{id}", cancel_run, methods=["DELETE"]),
    Route("/runs/{id}/events", run_events, methods=["GET"]),
    Route("/healthz", healthz, methods=["GET"]),
    Route("/readyz", readyz, methods=["GET"]),
    Route("/metrics", metrics, methods=["GET"]),
]
