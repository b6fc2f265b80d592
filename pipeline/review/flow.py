"""The default mode (coder → judge → reviewer, when the judge is not satisfied), its stages alone,
and the plain call that chat frontends ask for by themselves."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft, DraftSource, read_draft
from pipeline.analysis.small_talk import is_small_talk
from pipeline.analysis.undefined_names import undefined_names
from pipeline.errors import ContextTooLong, ModelError, ModelFailed
from pipeline.modes import Mode, mode
from pipeline.review.coder import first_temperature, run_coder
from pipeline.review.draft_evidence import examine, run_evidence
from pipeline.review.drafting import draft_until_evidence
from pipeline.review.escalation import (
    accept,
    accept_review,
    is_to_be_judged,
    objections,
    review_draft,
    why_not_review,
)
from pipeline.review.judge import judge_draft
from pipeline.review.plain_answer import WANTS_NO_CODE, answer_small_talk, run_plain
from pipeline.review.reviewer import run_reviewer
from pipeline.review.stages import add_facts, better_review, prepare, second_opinions
from pipeline.run import Run
from pipeline.run_record import own_words
from pipeline.task import Result, Task

_SCORE = r"(?:confidence|conflict) [\d.]+ [<>] [\d.]+"
own_words(
    rf"(?:the review is rated lower: )?{_SCORE}(?:, {_SCORE})*$",
    "unparseable judge answer|the verdict contradicts itself|the review changes nothing",
    "the review fails evidence that the (?:draft|code) passes",
    r"(?:unreviewed: )?(?:judge|reviewer) failed \(\w+\)",
    r"unreviewed: \S+ is a small model and drew \d+ drafts itself",
    r"unconfirmed: only its writer, \S+, calls it right",
    WANTS_NO_CODE,
    "(?:not judged|undecided|unconfirmed): (?:the request's examples pass"
    "|(?:the|not all) examples that a model found in the request pass"
    r"|\d+ of \d+ (?:model-written )?tests pass"
    r"|(?:\d+|no two) of \d+ drafts (?:agree|print the same)|no other draft runs"
    r"|\d+ drafts differ on \d+ of \d+ calls|none of \d+ drafts returns a value in \d+ calls"
    r"|it does what the original code did, in \d+ calls)",
)


@mode(
    "code_reviewed",
    help="Draft, judge, and review when needed.",
    takes_history=True,
    roles=("coder", "judge", "reviewer"),
)
async def code_reviewed(run: Run, task: Task) -> Result:
    if _is_small_talk(run, task):
        return await answer_small_talk(run, task)
    task = await prepare(run, task)
    draft = await draft_until_evidence(run, task)
    return await judge_and_review(run, task, draft)


async def judge_and_review(
    run: Run,
    task: Task,
    draft: Draft,
    is_asked: Callable[[Run, Draft], bool] = is_to_be_judged,
) -> Result:
    """What comes of an examined draft: the judge's word on it where that `is_asked` for, and a
    review where evidence, the verdict or a second opinion wants one. Stages hook in on the way
    (`stages.py`)."""
    known = await add_facts(run, task, draft, "coder")
    verdict = None
    if is_asked(run, known):
        verdict = await judge_draft(run, task, known.text, known.facts, known.as_said)
    held = await second_opinions(run, task, known, verdict)
    run.add_evidence(held.findings_beyond(draft))
    reason, told = objections(run, known, verdict, held)
    if not reason:
        return accept(run, held)
    run.keep(escalated=True, escalation_reason=reason)
    if idle := why_not_review(run, held):
        return accept(run, held, idle)

    async def examine_review(review: Draft, source: DraftSource) -> Draft:
        examined = await examine(run, task, review, source)
        better = await better_review(run, task, held, examined, told)
        return await add_facts(run, task, better, source)

    return await review_draft(run, task, held, verdict, told, examine_review)


@mode(
    "code_raw",
    words=("raw",),
    help="The coder's answer, not judged.",
    takes_history=True,
    verbatim=True,
)
async def code_raw(run: Run, task: Task) -> Result:
    asked = run.request
    if _is_small_talk(run, task):
        return await answer_small_talk(run, task)
    draft = await run_coder(run, task, asked.max_tokens, first_temperature(run), stop=asked.stop)
    run.add_evidence(draft.findings)
    if not draft.whole:
        raise ModelFailed(
            f"The coder's answer cannot be used ({draft.fault}). What there is stands in the "
            f"history. {run.steps[-1].advice}"
        )
    return accept(run, draft)


def _is_small_talk(run: Run, task: Task) -> bool:
    """Whether it wants no code, of a model that answers anything."""
    return is_small_talk(task.prompt) and run.is_general("coder")


@mode(
    "review_only",
    words=("review-only",),
    help="Review the code that the prompt is.",
    roles=("reviewer",),
)
async def review_only(run: Run, task: Task) -> Result:
    nothing_asked = replace(task, prompt="")
    read = partial(read_draft, "coder", task.prompt, "", task.language)
    given = await _as_it_runs(run, nothing_asked, await asyncio.to_thread(read), "coder")
    review = await _review_until_it_runs(run, nothing_asked, task.prompt, given.fault or "")
    run.keep(reviewer_output=review.text)
    run.add_evidence(review.findings)
    if worse := review.fails_beyond(given):
        return accept(run, given, f"the review fails evidence that the code passes: {worse}")
    return accept_review(run, review)


async def _review_until_it_runs(run: Run, task: Task, code: str, told: str) -> Draft:
    """One that still does not run is asked for once more, told nothing: a small model then mends
    what it had left as it was (docs/studies/judges.md)."""
    review = await _review(run, task, code, told)
    if told and review.fault:
        with suppress(ModelError, ContextTooLong):
            second = await _review(run, task, code, "")
            return review if second.fault else second
    return review


async def _review(run: Run, task: Task, code: str, told: str) -> Draft:
    review = await run_reviewer(run, task, code, told, general=True)
    return await _as_it_runs(run, task, review, "reviewer")


async def _as_it_runs(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """With what comes of running it, where it is a whole program or module: what a part of one
    lacks may stand elsewhere, so its names prove nothing."""
    if draft.fault or draft.language != "python":
        return draft
    if await asyncio.to_thread(undefined_names, draft.text):
        return draft
    return await run_evidence(run, task, draft, source)


# No rows of the table: nobody chooses them, the frontends' requests are recognised by their shape.
# Titles, tags, follow-ups, completions.
AUXILIARY = Mode(
    "auxiliary",
    partial(run_plain, general=True),
    "A frontend's own question.",
    formats=("text",),
    verbatim=True,
    takes_conversation=False,
)
# Where one tries whether anybody is there, the beginning of any answer will do.
FEW_TOKENS = replace(AUXILIARY, flow=partial(run_plain, general=False))
