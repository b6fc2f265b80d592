"""`/runs…`: list, inspect, watch and cancel runs."""

import asyncio
from contextlib import suppress

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from history.index_row import PROMPT_CHARACTERS
from pipeline.errors import Cancelled
from pipeline.run import Run
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.server_sent_events import event_stream
from server.runtime.container import container_of
from server.runtime.record_details import details_if_whole, details_of_run


async def list_runs(http: HttpRequest) -> Response:
    """Running and queued runs, oldest first, with how their prompts begin."""
    scheduler = container_of(http).scheduler
    rows = [
        run.summary()
        | {"queue_position": scheduler.queue.position(run), "wait_s": scheduler.queue.wait_s(run)}
        | {"prompt": _beginning(run)}
        for run in scheduler.runs()
    ]
    return json_response({"runs": rows})


def _beginning(run: Run) -> str | None:
    """Of its prompt; None where no texts are kept."""
    return None if run.request.no_log else run.prompt.lstrip()[:PROMPT_CHARACTERS]


async def show_run(http: HttpRequest) -> Response:
    """What is known of a run, running or over, and its output: null while there is none, and where
    no texts are kept."""
    parts, run_id = container_of(http), http.path_params["id"]
    if run := parts.scheduler.get(run_id):
        return json_response({"output": run.output, "details": details_of_run(run).as_json()})
    record = await asyncio.to_thread(parts.reader.get, run_id)
    details = details_if_whole(record) if record else None
    if record is None or details is None:
        raise HttpError("not_found", f"There is no run {run_id!r}. See: laios history.")
    return json_response({"output": record["final_output"], "details": details.as_json()})


async def cancel_run(http: HttpRequest) -> Response:
    """Cancels a run; answers when it is on record."""
    scheduler = container_of(http).scheduler
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
    run = container_of(http).scheduler.get(http.path_params["id"])
    if run is None:
        raise _no_such_run(http)
    return event_stream(run.events())


def _no_such_run(http: HttpRequest) -> HttpError:
    return HttpError(
        "not_found",
        f"No run {http.path_params['id']!r} is running or queued. "
        "Finished runs are in the history: laios history show ID.",
    )
