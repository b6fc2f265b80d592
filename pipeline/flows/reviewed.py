"""coder → judge → reviewer, when the judge is not satisfied (seed 002 §6)."""

from pipeline.draft import Draft
from pipeline.errors import ContextTooLong, ModelError, ModelFailed, RunTimeout
from pipeline.modes import mode
from pipeline.run import Run
from pipeline.stages.coder import run_coder
from pipeline.stages.judge import run_judge
from pipeline.stages.reviewer import run_reviewer
from pipeline.task import Result, Task
from pipeline.testing.running import Examine, evidence_by_running
from pipeline.verdict import Verdict


@mode(
    "code_reviewed",
    help="Draft, judge, and review when needed.",
    takes_history=True,
    roles=("coder", "judge", "reviewer"),
)
async def code_reviewed(run: Run, task: Task) -> Result:
    examine = await evidence_by_running(run, task)
    draft, facts = await examine(await run_coder(run, task), "coder")
    verdict = None if draft.fault else await judge_draft(run, task, draft, facts)
    reason = draft.fault or (verdict and verdict.escalation(run.settings))
    if not reason:
        return accept(run, draft)
    run.note(escalated=True, escalation_reason=reason)
    return await review_draft(run, task, draft, verdict, reason, examine)


async def judge_draft(run: Run, task: Task, draft: Draft, facts: str = "") -> Verdict:
    verdict = await run_judge(run, task, draft.text, facts=facts)
    run.note(judge=verdict.as_json())
    return verdict


async def review_draft(
    run: Run, task: Task, draft: Draft, verdict: Verdict | None, reason: str, examine: Examine
) -> Result:
    """The review, or the draft where there is no better text. A reviewer that fails must not cost
    the caller a draft that is there."""
    summary = verdict.judgement_summary if verdict else None
    try:
        review = await run_reviewer(run, task, draft.text, summary or reason)
    except (ModelError, ContextTooLong) as error:
        if draft.whole:
            return accept(run, draft, f"unreviewed: reviewer failed ({error.code})")
        if isinstance(error, RunTimeout):
            raise
        raise ModelFailed(
            f"The draft cannot be used ({draft.fault}) and the review failed: {error.message}"
        ) from error
    review, facts = await examine(review, "reviewer")
    kept = await why_keep_draft(run, task, draft, verdict, review, facts)
    return accept(run, draft, kept) if kept else accept_review(run, review)


async def why_keep_draft(
    run: Run, task: Task, draft: Draft, verdict: Verdict | None, review: Draft, facts: str
) -> str | None:
    """The reason why the draft is better than its review, or None."""
    worse = review.fails_beyond(draft)
    if worse:
        return f"the review fails evidence that the draft passes: {worse}"
    if not review.runs or not run.settings.JUDGE_REVIEW:
        return None
    second = await run_judge(run, task, review.text, label="review", facts=facts)
    run.note(reviewer_judge=second.as_json())
    if verdict and second.worse_than(verdict):
        return (
            f"the review is rated lower: confidence {second.confidence_score} < "
            f"{verdict.confidence_score}, conflict {second.conflict_score} > "
            f"{verdict.conflict_score}"
        )
    return None


def accept(run: Run, draft: Draft, reason: str | None = None) -> Result:
    run.note(final_source="coder", final_reason=reason)
    return Result(draft.text, draft.language)


def accept_review(run: Run, review: Draft) -> Result:
    run.note(final_source="reviewer")
    return Result(review.text, review.language)
