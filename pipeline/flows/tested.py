"""Tests first, then code, run in the sandbox and revised until they pass (seed 004)."""

from dataclasses import replace

from pipeline.anchors import find_anchors
from pipeline.draft import Draft
from pipeline.evidence import named_language
from pipeline.flows.reviewed import accept, code_reviewed, judge_draft, review_draft
from pipeline.modes import mode
from pipeline.run import Run
from pipeline.stages.tester import write_tests
from pipeline.task import Result, Task
from pipeline.testing.attempt import Attempt, Source
from pipeline.testing.journal import Journal
from pipeline.testing.rounds import Rounds
from pipeline.testing.testcase import Suite
from pipeline.testing.trial import Trial, can_run, require_sandbox
from pipeline.verdict import Verdict


@mode(
    "code_tested",
    words=("test",),
    help="Tests, then code, run in a sandbox and revised until they pass.",
    takes_history=True,
    timeout_factor=3.0,
    roles=("tester", "coder", "reviser", "reviewer", "judge"),
)
async def code_tested(run: Run, task: Task) -> Result:
    """Raises SandboxUnavailable before any model is asked: code is never run bare."""
    await require_sandbox(run.settings)
    language = task.language or named_language(task.prompt) or "python"
    suite = find_anchors(task.prompt)
    if can_run(language, programs=suite.program or not suite.cases):
        suite = await write_tests(run, task, suite)
        if not suite.cases:
            return await _without_tests(run, task, suite, "nothing in the request can be tested")
    if not can_run(language, programs=suite.program):
        return await _without_tests(run, task, suite, f"tests of {language} cannot be run here")
    trial, journal = Trial(run, suite, language), Journal(notes=list(suite.notes))
    best = await Rounds(run, task, trial, journal).best()
    return await _conclude(run, task, trial, journal, best)


async def _without_tests(run: Run, task: Task, suite: Suite, why: str) -> Result:
    """The ordinary mode, where there is nothing to run; the record says so."""
    run.note(artefact={"fallback": "code_reviewed", "reason": why, "notes": list(suite.notes)})
    result = await code_reviewed(run, task)
    return replace(result, artefact=run.notes.artefact)


async def _conclude(run: Run, task: Task, trial: Trial, journal: Journal, best: Attempt) -> Result:
    """The judge's word on the best attempt, and a review where that or a failing example asks for
    it; the review is tested as well."""
    reviewed: list[Attempt] = []

    async def examine(draft: Draft, source: Source) -> tuple[Draft, str]:
        round = len(journal.rounds) + 1
        attempt = await trial.attempt(Attempt(draft, source), round, "review")
        journal.add_round(round, attempt, trial.suite, "review")
        reviewed.append(attempt)
        if not draft.fault:
            run.add_evidence(attempt.findings(trial.suite))
        return attempt.examined(trial.suite), attempt.facts(trial.suite)

    draft = best.examined(trial.suite)
    run.add_evidence(draft.findings)
    run.note(artefact=journal.artefact(trial.suite, best))
    verdict = None
    if not best.draft.fault:
        verdict = await judge_draft(run, task, draft, best.facts(trial.suite))
    reason = _escalation(run, trial.suite, best, verdict)
    if reason:
        run.note(escalated=True, escalation_reason=reason)
        result = await review_draft(run, task, draft, verdict, reason, examine)
    else:
        result = accept(run, draft)
    final = reviewed[0] if run.notes.final_source == "reviewer" else best
    _note_source(run, final)
    return replace(result, artefact=journal.artefact(trial.suite, final))


def _escalation(run: Run, suite: Suite, best: Attempt, verdict: Verdict | None) -> str | None:
    """A failing example of the user's escalates whatever the judge says."""
    failing = [result for result in best.failures(suite) if result.case.anchor]
    reasons = [
        best.draft.fault,
        f"evidence: {len(failing)} of {len(suite.anchors)} examples fail" if failing else None,
        verdict.escalation(run.settings) if verdict else None,
    ]
    return "; ".join(filter(None, reasons)) or None


def _note_source(run: Run, final: Attempt) -> None:
    """Whose text is returned: a repair is the reviewer's, also where nothing escalated."""
    run.note(final_source=final.source)
    if final.source == "reviewer":
        run.note(reviewer_output=final.draft.text)
    else:
        run.note(coder_output=final.draft.text)
