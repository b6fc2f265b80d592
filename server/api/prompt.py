"""`POST /prompt`: run a prompt, and answer whole or as server-sent events."""

from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.events import Event
from pipeline.run import Run
from pipeline.scheduler import Scheduler
from server.api.prompt_request import read_request
from server.http.disconnect import run_to_end
from server.http.errors import error_body
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.http.server_sent_events import event_stream
from server.runtime.container import container_of
from server.runtime.record_details import details_of_run


async def post_prompt(http: HttpRequest) -> Response:
    """`{"prompt", "mode"?, "literal"?, "session"?, "format"?, "no_log"?, "details"?, "stream"?}`
    and limits → `{"output"}`, and `details` where they are asked for; with `stream` as server-sent
    events."""
    scheduler = container_of(http).scheduler
    asked = read_object(await whole_body(http))
    request, details = read_request(asked, http.state.run_id), asked.get("details", False)
    if request.streams:
        return event_stream(_told(scheduler, scheduler.submit(request), details))
    run = await run_to_end(scheduler, http, request)
    return json_response(answer_of(run, details=details))


async def _told(scheduler: Scheduler, run: Run, details: bool) -> AsyncIterator[Event]:
    """The run's events with the models' text, and last the answer or the error. A caller who goes
    away cancels the run."""
    try:
        async for event in run.events(text=True):
            yield event
        if run.error:
            yield {"event": "error", **error_body(run.error)}
        else:
            yield {"event": "answer", **answer_of(run, details=details)}
    finally:
        scheduler.cancel(run.id)  # one that is over is not there any more


def answer_of(run: Run, *, details: bool) -> dict[str, Any]:
    """The answer, from a run that ended well."""
    more = {"details": details_of_run(run).as_json()} if details else {}
    return {"output": run.output, **more}
