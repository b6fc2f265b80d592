"""The flow of a code generation (`POST /code`): triage → attempts → explanation.

No row of the MODES table: what it takes is an object, which no prompt can be.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from laios.types.code_generation import CodeGeneration, CodeMetadata
from pipeline.codegen.attempts import Attempts
from pipeline.codegen.code_task import CodeTask
from pipeline.codegen.explainer import explain
from pipeline.codegen.response_builder import answered, failed, measured, refused
from pipeline.codegen.triage import run_triage
from pipeline.errors import LaiosError
from pipeline.run import Run
from pipeline.task import Result


async def code_structured(run: Run, task: CodeTask) -> Result:
    """The text is the code; the artefact holds the request, the answer without its code, every
    attempt, and what came of comparing drafts."""
    refusal = await run_triage(run, task)
    if refusal:
        return _result(task, refused(task, refusal, _measured(run, task)), {"attempts": []})
    attempts = Attempts(run, task)
    best = await attempts.best()
    said = await explain(run, task, best.draft, best.facts) if best.success else None
    answer = answered(best, said, attempts.tests, attempts.warnings, _measured(run, task))
    return _result(task, answer, attempts.as_json(best))


def _measured(run: Run, task: CodeTask) -> CodeMetadata:
    return measured(task, run.steps, len(run.facts.context_ids), run.duration_ms)


def _result(task: CodeTask, answer: CodeGeneration, tried: Mapping[str, Any]) -> Result:
    shown = answer.as_json()
    artefact = {
        "request": task.as_json(),
        "answer": {name: value for name, value in shown.items() if name != "code"},
        **tried,
    }
    return Result(answer.code, task.language, artefact=artefact)


def envelope_of(runs: Sequence[Run]) -> dict[str, Any]:
    """The answers of finished runs by their languages; one that ended with an error is an answer
    without success."""
    results = {run.request.task.language or "": _answer(run) for run in runs if run.request.task}
    good = [language for language, answer in results.items() if answer["success"]]
    best = max(good, key=lambda language: results[language]["confidence"], default=None)
    return {"results": results, "best": best}


def _answer(run: Run) -> dict[str, Any]:
    if run.result and not run.error:
        return answer_of(run.result)
    task, error = run.request.task, run.error or LaiosError("The run has not ended.")
    assert isinstance(task, CodeTask)
    return failed(task, error, _measured(run, task)).as_json()


def answer_of(result: Result) -> dict[str, Any]:
    """The answer of the contract, from what the flow made; in the order of its fields."""
    assert result.artefact
    answer = {**result.artefact["answer"], "code": result.text}
    return {name: answer[name] for name in CodeGeneration.model_fields if name in answer}
