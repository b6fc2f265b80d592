"""From a verdict to the text that is returned: judge a draft, review it, keep the better one."""

from pipeline.analysis.comments import with_first_comment
from pipeline.analysis.draft import Draft, Examine
from pipeline.analysis.evidence import NOTED, UNCHECKED
from pipeline.errors import ContextTooLong, ModelError, ModelFailed, RunTimeout
from pipeline.review.judge import rated_lower
from pipeline.review.reviewer import run_reviewer
from pipeline.review.verdict import Verdict
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Result, Task
from pipeline.testcases.entry_point import DEFAULT_FUNCTION, entry_of

# SQL 10 of 19, classes and decorators 15 of 31, files and coroutines 10 of 21 (docs/studies)
_LITTLE = "which for a small model's code of this kind is right about every second time"


def is_to_be_judged(run: Run, draft: Draft) -> bool:
    """Evidence needs no opinion; nor, where the settings say so, does what was decided by examples
    that hold or by drafts that agree, or what no verdict would change."""
    if draft.fault:
        return False
    if run.settings.JUDGE_WHEN == "always":
        return True
    return not draft.decided and not _judges_in_vain(run, draft)


def _judges_in_vain(run: Run, draft: Draft) -> bool:
    """Whether the draft is open after its writer's other drafts were heard, and the judge is the
    same small model, which would not review it either: its verdict is a coin's
    (docs/studies/judges.md), and nothing would follow from it."""
    return bool(draft.undecided and is_own_judge(run) and why_not_review(run, draft))


def why_not_review(run: Run, draft: Draft) -> str | None:
    """Why a review of a draft that can be handed out is of no use, or None: a small model gives
    what it drew several times back as it was, whoever asks for the review
    (docs/studies/judges.md)."""
    if draft.best_of == 1 or not draft.whole or not reviews_in_vain(run):
        return None
    reviewer = run.model_name("reviewer")
    return f"unreviewed: {reviewer} is a small model and drew {draft.best_of} drafts itself"


def is_own_judge(run: Run) -> bool:
    """Whether the judge is the small model that wrote what is judged, and would not review it."""
    return run.model_name("judge") == run.model_name("reviewer") and reviews_in_vain(run)


def reviews_in_vain(run: Run) -> bool:
    """Whether the reviewer is a small model that is the coder too."""
    reviewer = run.model_name("reviewer")
    return reviewer == run.model_name("coder") and is_small(reviewer)


def objections(run: Run, known: Draft, verdict: Verdict | None, held: Draft) -> tuple[str, str]:
    """Why a draft has to be reviewed, and what its reviewer is told; "" where nothing speaks
    against it. `known`: the draft with its facts, `held`: with the second opinions on it too."""
    opinions = [f"{each.kind}: {each.detail}" for each in held.findings_beyond(known)]
    doubt = doubt_of(run, known, verdict)
    told = complaint(verdict, doubt) if doubt else None
    reasons = filter(None, (known.fault, doubt, *opinions))
    return "; ".join(reasons), "; ".join(filter(None, (known.fault, told, *opinions)))


def doubt_of(run: Run, draft: Draft, verdict: Verdict | None) -> str | None:
    """What the verdict has against a draft; of one that is not judged, that it is undecided."""
    if verdict:
        return verdict.escalation(run.settings)
    if draft.fault or draft.decided or not draft.undecided:
        return None
    return f"undecided: {draft.undecided}"


def complaint(verdict: Verdict | None, reason: str, facts: str = "") -> str:
    """What the reviewer is told is wrong: the judge's own sentence, where there is one. How likely
    a judge's yes was helps no reviewer, so then the facts alone."""
    if verdict and verdict.p_correct is not None:
        return facts
    return (verdict and verdict.judgement_summary) or f"{reason}\n{facts}".strip()


async def review_draft(
    run: Run, task: Task, draft: Draft, verdict: Verdict | None, told: str, examine: Examine
) -> Result:
    """The review, or the draft where there is no better text. A reviewer that fails must not cost
    the caller a draft that is there. `told`: what the reviewer is told is wrong."""
    try:
        review = await run_reviewer(run, task, draft.text, told, draft.as_said)
    except (ModelError, ContextTooLong) as error:
        if draft.whole:
            return accept(run, draft, f"unreviewed: reviewer failed ({error.code})")
        if isinstance(error, RunTimeout):
            raise
        raise ModelFailed(
            f"The draft cannot be used ({draft.fault}) and the review failed: {error.message}"
        ) from error
    review = await examine(review, "reviewer")
    run.keep(reviewer_output=review.text)  # of several, the one that was chosen
    run.add_evidence(review.findings)
    kept = await why_keep_draft(run, task, draft, verdict, review)
    return accept(run, draft, kept) if kept else accept_review(run, review)


async def why_keep_draft(
    run: Run, task: Task, draft: Draft, verdict: Verdict | None, review: Draft
) -> str | None:
    """The reason why the draft is better than its review, or None."""
    if draft.whole and review.text == draft.text:
        return "the review changes nothing"
    worse = review.fails_beyond(draft)
    if worse:
        return f"the review fails evidence that the draft passes: {worse}"
    if not is_to_be_judged(run, review) or not run.settings.JUDGE_REVIEW:
        return None
    return await rated_lower(run, task, review.text, verdict, review.facts)


def accept(run: Run, draft: Draft, reason: str | None = None) -> Result:
    run.keep(
        final_source="coder",
        final_reason=reason or unjudged(run, draft) or _unconfirmed(run, draft),
    )
    return Result(noted(draft, run), draft.language)


def accept_review(run: Run, review: Draft) -> Result:
    run.keep(final_source="reviewer")
    return Result(noted(review, run), review.language)


def unjudged(run: Run, draft: Draft) -> str | None:
    """Who decided, where no judge was asked; of drafts by a small model that agree in more than
    plain calls, that this is little."""
    if draft.fault or not draft.decided or run.facts.judge:
        return None
    if draft.of_sessions and is_small(run.model_name("coder")):
        return f"unconfirmed: {draft.decided}, {_LITTLE}"
    return f"not judged: {draft.decided}"


def _unconfirmed(run: Run, draft: Draft) -> str | None:
    """That nothing speaks for code but the yes of the small model that wrote it, which says that of
    nearly everything."""
    if draft.decided or not (draft.language and run.facts.judge and is_own_judge(run)):
        return None
    return f"unconfirmed: only its writer, {run.model_name('judge')}, calls it right"


def noted(draft: Draft, run: Run) -> str:
    """The code; where it is known to be wrong, or a check of it could not be run, with that in a
    first comment, where the language has any."""
    told = [_named(finding.said, draft) for finding in draft.findings if finding.kind in NOTED]
    told += _unchecked(run)
    if not told:
        return draft.text
    said = "; ".join(" ".join(detail.splitlines()) for detail in told)
    return with_first_comment(draft.text, draft.language, [f"REVIEWER_NOTE: {said}"])


def _named(said: str, draft: Draft) -> str:
    """With the draft's own name for a function that the request does not name."""
    code, unnamed = draft.text, f"{DEFAULT_FUNCTION}("
    if unnamed not in said or DEFAULT_FUNCTION in code:
        return said
    return said.replace(unnamed, f"{entry_of(code, '', draft.language or 'python')}(")


def _unchecked(run: Run) -> list[str]:
    """Of the text that is returned, without the reasons, which the run's details have."""
    found = (each for each in run.facts.evidence if each.kind == UNCHECKED)
    return [each.detail.partition(":")[0] for each in found if each.stage == run.facts.final_source]
