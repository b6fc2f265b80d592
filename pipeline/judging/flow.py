"""A judgement of given code: evidence, the caller's tests, and the judge where neither speaks
against it.

No row of the MODES table: what it takes is a request with code, which no prompt can be.
"""

import asyncio
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import Finding, examine
from pipeline.analysis.grammar import syntax_error
from pipeline.errors import (
    ContextTooLong,
    GeneralModelNeeded,
    ModelNotFound,
    ModelTimeout,
    ModelUnreachable,
)
from pipeline.judging.assessment import assessed, failures, test_rows
from pipeline.judging.judge_task import JudgeTask
from pipeline.review import draft_evidence
from pipeline.review.judge import run_judge
from pipeline.review.verdict import Verdict
from pipeline.run import Run
from pipeline.task import Result
from pipeline.testcases.suite_run import SuiteRun
from pipeline.testcases.test_runner import run_tests

# No word on the code, and none that asking again would not change: the caller's to know.
NO_JUDGE = (ModelUnreachable, ModelNotFound, ModelTimeout, ContextTooLong)


async def code_judged(run: Run, task: JudgeTask) -> Result:
    """The text is the code as it came; the artefact holds the judgement."""
    draft = await _examined(run, task)
    run.add_evidence(draft.findings)
    suite = None
    if task.tests and not draft.fault:
        suite = await run_tests(run, task.code, task.tests, language=draft.language, given=True)
        run.add_evidence(failures(suite))
    verdict = await _verdict(run, task, draft, suite)
    judgement = assessed(draft, suite, verdict, run.settings)
    artefact: dict[str, Any] = {
        "kind": "judgement",
        "judgement": judgement.model_dump(),
        "asked": {"tests": task.tests or None},
    }
    if suite:
        artefact["tests"] = test_rows(suite)
    return Result(task.code, draft.language, artefact=artefact)


async def _examined(run: Run, task: JudgeTask) -> Draft:
    """The code with the facts against it."""
    draft = Draft(task.code, task.language, await asyncio.to_thread(_findings, task))
    return await draft_evidence.examine(run, task, draft, "coder")


def _findings(task: JudgeTask) -> tuple[Finding, ...]:
    """What its text alone says."""
    findings = examine("coder", task.code, task.language, truncated=False)
    if not findings and task.language:
        error = syntax_error(task.language, task.code)
        findings = [Finding("coder", "syntax", error)] if error else []
    return tuple(findings)


async def _verdict(
    run: Run, task: JudgeTask, draft: Draft, suite: SuiteRun | None
) -> Verdict | None:
    """None where the judge need not be asked. Raises what keeps it from being asked at all; the
    starter's word would be worth nothing, but what was found by running the code is told."""
    if draft.fault or (suite and suite.failed):
        return None
    facts = "\n".join(filter(None, (draft.facts, suite.facts if suite else "")))
    try:
        verdict = await run_judge(run, task, draft.text, facts=facts, raises=NO_JUDGE, general=True)
    except GeneralModelNeeded as error:
        if suite is None and not draft.decided:
            raise
        verdict = Verdict(None, None, None, None, error.message)
    run.keep(judge=verdict.as_json())
    return verdict
