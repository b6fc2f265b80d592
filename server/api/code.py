"""`POST /code`: code generation for programs, and the schema of what it takes and gives."""

import asyncio
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.codegen.code_schema import draft_07
from pipeline.codegen.code_task import task_of
from pipeline.codegen.contract import CodeRequest, read_code_request
from pipeline.codegen.flow import answer_of, envelope_of
from pipeline.codegen.registration import CODE_STRUCTURED
from pipeline.request import Request, new_id
from pipeline.run import Run
from pipeline.scheduler import Scheduler
from server.http.disconnect import cancel_all, waited_for
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.runtime.container import container_of


async def post_code(http: HttpRequest) -> Response:
    """A CodeRequest → CodeGeneration; with `languages`, one for each: `{"results", "best"}`."""
    asked = read_code_request(read_object(await whole_body(http)))
    scheduler = container_of(http).scheduler
    runs = submit(scheduler, asked, http.state.run_id)
    return json_response(await waited_for(scheduler, http, runs, finished(scheduler, asked, runs)))


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
                row=CODE_STRUCTURED,
                task=task_of(asked, language),
            )
            runs.append(scheduler.submit(request))
    except BaseException:
        cancel_all(scheduler, runs)
        raise
    return runs


async def finished(scheduler: Scheduler, asked: CodeRequest, runs: Sequence[Run]) -> dict[str, Any]:
    """The answer once all runs are on record. Raises the LaiosError that the run ended with; of
    several languages' runs, only if none of them came to an end."""
    await asyncio.gather(*map(scheduler.over, runs))
    errors = [run.error for run in runs]
    if errors[0] and all(errors):
        raise errors[0]
    if asked.languages:
        return envelope_of(runs)
    assert runs[0].result
    return answer_of(runs[0].result)


async def get_schema(http: HttpRequest) -> Response:
    """JSON Schema draft-07 of the answer, with those of the request and of the answer in several
    languages as its `definitions`."""
    return json_response(draft_07())
