"""`POST /code`: the structured coder for programs (seed 000), and the schema of what it takes and
gives."""

import asyncio
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from pipeline.codework.contract import CodeRequest
from pipeline.codework.reading import read_code_request
from pipeline.codework.schema import draft_07
from pipeline.codework.task import task_of
from pipeline.flows.coded import CODED, answer_of, envelope_of
from pipeline.request import Request, new_id
from pipeline.run import Run
from pipeline.scheduler import Scheduler
from server.native import read_object, whole_body
from server.parts import parts_of
from server.reply import json_response


async def post_code(http: HttpRequest) -> Response:
    """A CodeRequest → CodeGeneration; with `languages`, one for each: `{"results", "best"}`."""
    asked = read_code_request(read_object(await whole_body(http)))
    scheduler = parts_of(http).scheduler
    runs = submit(scheduler, asked, http.state.run_id)
    gone = asyncio.create_task(_cancel_when_gone(scheduler, http, runs))
    try:
        return json_response(await finished(scheduler, asked, runs))
    finally:
        gone.cancel()


def submit(scheduler: Scheduler, asked: CodeRequest, run_id: str) -> list[Run]:
    """A run for each language, the first one with this id. Raises Busy and BadRequest; then none
    goes on."""
    runs: list[Run] = []
    try:
        for language in asked.all_languages:
            request = Request(
                prompt=asked.instruction,
                session=asked.session or None,
                source="code",
                no_log=asked.no_log,
                id=new_id() if runs else run_id,
                row=CODED,
                task=task_of(asked, language),
            )
            runs.append(scheduler.submit(request))
    except BaseException:
        _cancel(scheduler, runs)
        raise
    return runs


async def finished(scheduler: Scheduler, asked: CodeRequest, runs: Sequence[Run]) -> dict[str, Any]:
    """The answer once all runs are on record. Raises the LaiosError that the run ended with; of
    several languages' runs, only if none of them came to an end."""
    try:
        await asyncio.gather(*map(scheduler.over, runs))
    except asyncio.CancelledError:
        _cancel(scheduler, runs)
        raise
    errors = [run.error for run in runs]
    if errors[0] and all(errors):
        raise errors[0]
    if asked.languages:
        return envelope_of(runs)
    assert runs[0].result
    return answer_of(runs[0].result)


def _cancel(scheduler: Scheduler, runs: Sequence[Run]) -> None:
    for run in runs:
        scheduler.cancel(run.id)


async def _cancel_when_gone(scheduler: Scheduler, http: HttpRequest, runs: Sequence[Run]) -> None:
    while (await http.receive())["type"] != "http.disconnect":
        pass
    _cancel(scheduler, runs)


async def get_schema(http: HttpRequest) -> Response:
    """JSON Schema draft-07 of the answer, with those of the request and of the answer in several
    languages as its `definitions`."""
    return json_response(draft_07())


ROUTES = [
    Route("/code", post_code, methods=["POST"]),
    Route("/code/schema", get_schema, methods=["GET"]),
]
