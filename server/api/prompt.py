"""`POST /prompt`: run a prompt, and answer whole or as server-sent events."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from pydantic import Field
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import EmptyPrompt
from pipeline.events import Event
from pipeline.modes import MODES, Mode, resolve_mode
from pipeline.request import Request
from pipeline.run import Run
from pipeline.run_limits import RunLimits
from pipeline.scheduler import Scheduler
from pipeline.validation_messages import read_as
from server.http.disconnect import run_to_end
from server.http.errors import error_body
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.http.server_sent_events import event_stream
from server.runtime.container import container_of
from server.runtime.record_details import details_of_run

MAX_SESSION = 256  # characters


class PromptRequest(RunLimits):
    """A prompt, and how it is run."""

    prompt: str = Field(description="What the code should do; tags such as ///raw pick a mode.")
    mode: str | None = None
    literal: bool = Field(False, description="Read no tags in the prompt.")
    session: str | None = Field(None, max_length=MAX_SESSION)
    format: str | None = None
    no_log: bool = Field(False, description="Keep no texts in the history.")
    stream: bool = Field(False, description="Answer as server-sent events.")
    details: bool = Field(False, description="Say what is known of the run.")


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


def read_request(value: Mapping[str, Any], run_id: str) -> Request:
    """The body of POST /prompt. Raises BadRequest, naming the field and what is wrong with it."""
    asked = read_as(PromptRequest, value)
    return Request(
        prompt=asked.prompt,
        mode=asked.mode,
        session=asked.session or None,
        format=asked.format,
        no_log=asked.no_log,
        streams=asked.stream,
        limits=RunLimits.read(value),
        id=run_id,
        row=_literal_mode(asked) if asked.literal else None,
    )


def _literal_mode(asked: PromptRequest) -> Mode:
    """The mode of a prompt in which no tag counts: code that begins with `///`, another's words."""
    if not asked.prompt.strip():
        raise EmptyPrompt("The prompt is empty. Say what the code should do.")
    return MODES[resolve_mode(asked.mode)]
