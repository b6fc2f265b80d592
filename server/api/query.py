"""`POST /query`: plans, answers and refinements with documentation, and the schemas of its requests
and answers."""

from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.rag.query_task import QueryTask, mode_of, result_of
from pipeline.request import Request
from pipeline.run import Run
from server.api.query_request import QueryRequest, read_query
from server.api.query_schema import draft_07
from server.http.disconnect import run_to_end
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.runtime.container import container_of
from server.runtime.record_details import details_of_run


async def post_query(http: HttpRequest) -> Response:
    """A QueryRequest → the API's object of its type, with what else has to be known in
    `warnings`. A caller who goes away cancels the run."""
    asked = read_query(read_object(await whole_body(http)))
    scheduler = container_of(http).scheduler
    run = await run_to_end(scheduler, http, request_of(asked, http.state.run_id))
    return json_response(answer_of(run))


def request_of(asked: QueryRequest, run_id: str) -> Request:
    """What the scheduler gets."""
    task = QueryTask(
        prompt=asked.query,
        type=asked.type or "",
        code=asked.code or "",
        data_files=asked.data_files,
    )
    return Request(
        prompt=asked.query,
        session=asked.session or None,
        source="query",
        no_log=asked.no_log,
        id=run_id,
        row=mode_of(asked.type),
        task=task,
    )


def answer_of(run: Run) -> dict[str, Any]:
    """The answer, from a run that ended well; `warnings` is left out where there are none."""
    assert run.result and run.result.artefact
    made = run.result.artefact
    found = [
        f"{each['type']} at line {each['line']}: {each['message']}" for each in made["findings"]
    ]
    doubts = [f"not certain: {each}" for each in details_of_run(run).open_questions]
    warnings = [*found, *doubts, *made["notes"]]
    return result_of(run.result) | ({"warnings": warnings} if warnings else {})


async def get_schema(http: HttpRequest) -> Response:
    """JSON Schema draft-07 of the answer, with those of the request and of each kind of answer as
    its `definitions`."""
    return json_response(draft_07())
