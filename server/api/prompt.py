"""`POST /prompt` (DESIGN A2)."""

from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from pipeline.errors import BadRequest
from pipeline.request import Request
from server.http.disconnect import cancelled_when_gone
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.runtime.container import container_of

FIELDS = {"prompt", "mode", "session", "format", "no_log"}
MAX_SESSION = 256  # characters


async def post_prompt(http: HttpRequest) -> Response:
    """`{"prompt", "mode"?, "session"?, "format"?, "no_log"?}` → `{"output"}`."""
    scheduler = container_of(http).scheduler
    request = read_request(await whole_body(http), http.state.run_id)
    run = scheduler.submit(request)
    async with cancelled_when_gone(scheduler, http, [run]):
        output = await scheduler.finished(run)
    return json_response({"output": output})


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


ROUTES = [Route("/prompt", post_prompt, methods=["POST"])]
