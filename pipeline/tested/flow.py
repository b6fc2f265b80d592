"""The flow of `///test`: tests first, then code, run in the sandbox and revised until they pass."""

import asyncio
from dataclasses import replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import named_language
from pipeline.review.escalation import (
    accept,
    complaint,
    doubt_of,
    is_to_be_judged,
    review_draft,
    why_not_review,
)
from pipeline.review.flow import code_reviewed
from pipeline.review.judge import judge_draft
from pipeline.review.tester import write_tests
from pipeline.run import Run
from pipeline.task import Result, Task
from pipeline.testcases.case_runner import CaseRunner, can_run, require_sandbox
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft
from pipeline.tested.registration import JSON
from pipeline.tested.rounds import Rounds
from pipeline.tested.test_journal import TestJournal
from pipeline.tested.tests_json import write_json, write_untested

NO_TEST = "no test could be made from the request; add an example to it, such as double(3) == 6"


async def code_tested(run: Run, task: Task) -> Result:
    """Raises SandboxUnavailable before any model is asked: code is never run bare."""
    await require_sandbox(run.settings)
    language = task.language or named_language(task.prompt) or "python"
    suite = await asyncio.to_thread(find_examples, task.prompt)
    if can_run(language, programs=suite.program or not suite.cases):
        suite = await write_tests(run, task, suite)
        if not suite.cases:
            return await _without_tests(run, task, suite, NO_TEST)
    if not can_run(language, programs=suite.program):
        return await _without_tests(run, task, suite, f"tests in {language} cannot be run here")
    task = replace(task, language=language)
    runner, journal = CaseRunner(run, suite, language), TestJournal(warnings=list(suite.warnings))
    best = await Rounds(run, task, runner, journal).best()
    return await _conclude(run, task, runner, journal, best)


async def _without_tests(run: Run, task: Task, suite: Suite, why: str) -> Result:
    """The ordinary mode, where there is nothing to run; the record says so."""
    run.keep(artefact={"fallback": "code_reviewed", "reason": why, "notes": list(suite.warnings)})
    result = await code_reviewed(run, task)
    result = replace(result, artefact=run.facts.artefact)
    if task.format != JSON:
        return result
    return _as_json(result, write_untested(result.text, result.language, why))


def _as_json(result: Result, text: str) -> Result:
    """The language is that of what the caller gets."""
    return replace(result, text=text, language=JSON, format=JSON)


async def _conclude(
    run: Run, task: Task, runner: CaseRunner, journal: TestJournal, best: TestedDraft
) -> Result:
    """The judge's word on the best attempt, and a review where that or a failing example asks for
    it; the review is tested as well."""
    reviewed: list[TestedDraft] = []

    async def examine(draft: Draft, source: DraftSource) -> Draft:
        round = len(journal.rounds) + 1
        attempt = await runner.attempt(TestedDraft(draft, source), round, "review")
        journal.add_round(round, attempt, runner.suite, "review")
        reviewed.append(attempt)
        return attempt.examined(runner.suite)

    draft = best.examined(runner.suite)
    run.add_evidence(draft.findings)
    run.keep(artefact=journal.artefact(runner.suite, best))
    verdict = doubt = None
    if not (best.draft.fault or best.fails_anchors(runner.suite)):
        unknown = replace(draft, findings=())  # a test that a model wrote may be wrong
        if is_to_be_judged(run, unknown):
            verdict = await judge_draft(run, task, draft.text, draft.facts, draft.as_said)
        doubt = doubt_of(run, unknown, verdict)
    reason = _escalation(runner.suite, best, doubt)
    if reason:
        run.keep(escalated=True, escalation_reason=reason)
    idle = why_not_review(run, draft) if reason else None
    if reason and not idle:
        told = complaint(verdict, reason)
        result = await review_draft(run, task, draft, verdict, told, examine)
    else:
        result = accept(run, draft, idle)
    final = reviewed[0] if run.facts.final_source == "reviewer" else best
    _note_source(run, final)
    result = replace(result, artefact=journal.artefact(runner.suite, final))
    if task.format != JSON:
        return result
    return _as_json(result, write_json(result.text, final, runner.suite, len(journal.rounds)))


def _escalation(suite: Suite, best: TestedDraft, doubt: str | None) -> str | None:
    """A failing example of the user's escalates by itself: no judge is asked of it."""
    failing = [result for result in best.failures(suite) if result.case.anchor]
    reasons = [
        best.draft.fault,
        f"evidence: {len(failing)} of {len(suite.anchors)} examples fail" if failing else None,
        doubt,
    ]
    return "; ".join(filter(None, reasons)) or None


def _note_source(run: Run, final: TestedDraft) -> None:
    """Whose text is returned: a repair is the reviewer's, also where nothing escalated."""
    run.keep(final_source=final.source)
    if final.source == "reviewer":
        run.keep(reviewer_output=final.draft.text)
    else:
        run.keep(coder_output=final.draft.text)
