"""`POST /judge`: the judge and the evidence for programs."""

from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.analysis.evidence import language_of
from pipeline.judging.judge_task import JudgeTask
from pipeline.judging.registration import CODE_JUDGED
from pipeline.request import Request
from pipeline.run import Run
from server.api.judge_request import JudgeRequest, read_judge_request
from server.http.disconnect import run_to_end
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.runtime.container import container_of


async def post_judge(http: HttpRequest) -> Response:
    """A JudgeRequest → Judgement. A caller who goes away cancels the run."""
    asked = read_judge_request(read_object(await whole_body(http)))
    scheduler = container_of(http).scheduler
    run = await run_to_end(scheduler, http, request_of(asked, http.state.run_id))
    return json_response(answer_of(run))


def request_of(asked: JudgeRequest, run_id: str) -> Request:
    """What the scheduler gets."""
    task = JudgeTask(
        prompt=asked.request,
        language=asked.language or language_of(asked.code, None, asked.request),
        code=asked.code,
        tests=asked.tests or "",
    )
    return Request(
        prompt=asked.request,
        session=asked.session or None,
        source="judge",
        no_log=asked.no_log,
        id=run_id,
        row=CODE_JUDGED,
        task=task,
    )


def answer_of(run: Run) -> dict[str, Any]:
    """The answer, from a run that ended well."""
    assert run.result and run.result.artefact
    judgement: dict[str, Any] = run.result.artefact["judgement"]
    return judgement
