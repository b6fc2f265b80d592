"""The flow of `///best`: several drafts, of which the machine chooses by evidence, by the class of
those that do the same when they are run, and only then by opinion."""

from pipeline.analysis.draft import Draft
from pipeline.best.approaches import write_plans
from pipeline.best.pairwise import better_of
from pipeline.errors import ContextTooLong, ModelError
from pipeline.review.agreement import Agreement
from pipeline.review.drafting import LEAST, SOUND, with_agreement
from pipeline.review.drawing import Drawing
from pipeline.review.escalation import is_to_be_judged
from pipeline.review.flow import judge_and_review
from pipeline.review.stages import prepare
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Result, Task

DRAFTS = 5  # where the tag says no number
UNPLANNED = 5  # drafts from the bare request; further ones follow a plan each


async def code_best(run: Run, task: Task) -> Result:
    task = await prepare(run, task)
    wanted = run.number or DRAFTS
    drawing = Drawing(run, task, wanted, in_turn=True)
    await drawing.draw_first()
    await _draw_rest(run, task, drawing, wanted)
    agreement = await _compare(drawing)
    if agreement and len(agreement.tied) > 1 and not is_small(run.model_name("judge")):
        agreement = await _break_tie(run, task, drawing, agreement)
    draft = drawing.conclude(str(agreement) if agreement else SOUND if drawing.sound else LEAST)
    if agreement:
        draft = with_agreement(draft, agreement, agreement.chosen)
    return await judge_and_review(run, task, draft, _is_undecided)


def _is_undecided(run: Run, draft: Draft) -> bool:
    """Nobody is asked of what drafts decided by agreeing, whatever JUDGE_WHEN says."""
    return not draft.decided and is_to_be_judged(run, draft)


async def _compare(drawing: Drawing) -> Agreement | None:
    several = len(drawing.drawn) > 1
    return await drawing.compare() if several and await drawing.may_compare() else None


async def _draw_rest(run: Run, task: Task, drawing: Drawing, wanted: int) -> None:
    """All that were asked for, as far as time and tokens go, but for those that could not change
    the choice any more, or would hardly: where two agree and the request's examples hold, or most
    tests of the model's. A model that fails ends it."""

    async def is_decided() -> bool:
        if len(drawing.sound) < 2 or not (agreement := await _compare(drawing)):
            return False
        by_tests = agreement.holds_tests and len(agreement.best) > 1
        return by_tests or agreement.decides_of(2 if drawing.best.decided else wanted)

    try:
        while (left := UNPLANNED - len(drawing.drawn)) > 0 and (n := await drawing.affordable()):
            n = min(n, left)
            if await drawing.draw_more(n, "to compare", enough=is_decided):
                return
        left = drawing.left
        for plan in await write_plans(run, task, left) if left else ():
            if not await drawing.affordable():
                break
            if await drawing.draw_more(1, "another way", plan, enough=is_decided):
                return
        while n := await drawing.affordable():
            if await drawing.draw_more(n, "to compare", enough=is_decided):
                return
    except (ModelError, ContextTooLong):
        pass


async def _break_tie(run: Run, task: Task, drawing: Drawing, agreement: Agreement) -> Agreement:
    """Classes of one size: the one that the judge prefers, asked in both orders; where it
    contradicts itself, the shorter program."""
    first, *others = agreement.tied
    drafts = [each.draft for each in drawing.drawn]
    for other in others[:2]:
        first = await better_of(run, task, drafts, first, other)
    return drawing.prefer(first)
