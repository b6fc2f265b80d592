"""The flow of `///best`: several drafts, of which the machine chooses by evidence, by the class of
those that do the same when they are run, and only then by opinion."""

from contextlib import suppress

from pipeline.analysis.draft import Draft
from pipeline.best.approaches import write_plans
from pipeline.best.pairwise import preferred
from pipeline.errors import ContextTooLong, ModelError, SandboxUnavailable
from pipeline.review.agreement import Agreement
from pipeline.review.drafting import LEAST, SOUND, read_in_request, settled
from pipeline.review.drawing import Drawing
from pipeline.review.escalation import is_to_be_judged
from pipeline.review.flow import judge_and_review
from pipeline.review.held_examples import HeldExamples
from pipeline.review.stages import prepare
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Result, Task

DRAFTS = 5  # where the tag says no number
UNPLANNED = 5  # drafts from the bare request; further ones follow a plan each


async def code_best(run: Run, task: Task) -> Result:
    task = await prepare(run, task)
    drafts = SeveralDrafts(run, task, run.number or DRAFTS)
    await drafts.draw()
    draft = await drafts.choose()
    return await judge_and_review(run, task, draft, _is_undecided)


def _is_undecided(run: Run, draft: Draft) -> bool:
    """Nobody is asked of what examples decided, or drafts by agreeing, whatever JUDGE_WHEN says."""
    return not draft.decided and is_to_be_judged(run, draft)


class SeveralDrafts:
    """`wanted` drafts of one task, and which of them is the answer."""

    def __init__(self, run: Run, task: Task, wanted: int) -> None:
        self._run, self._task, self._wanted = run, task, wanted
        self._drawing = Drawing(run, task, wanted, in_turn=True)
        self._has_read = False
        self._examples: HeldExamples | None = None  # that a model reads, where rules read none

    async def draw(self) -> None:
        """All that were asked for, as far as time and tokens go, but for those that could not
        change the choice any more, or would hardly. A model or a sandbox that fails ends it.

        Raises what the backend raised for the first one."""
        await self._drawing.draw_first()
        with suppress(ModelError, ContextTooLong, SandboxUnavailable):
            if await self._is_decided() or await self._draw_to(UNPLANNED):
                return
            if not await self._draw_planned():
                await self._draw_to(self._wanted)

    async def choose(self) -> Draft:
        """The best one, with what decided that."""
        drawing = self._drawing
        agreement = None
        with suppress(SandboxUnavailable):
            agreement = await self._compare()
        if agreement and not self._examples:
            agreement = await self._break_tie(agreement)
        found = settled(drawing, agreement, self._examples)
        draft = drawing.conclude(str(found) if found else SOUND if drawing.sound else LEAST)
        return found.said_of(draft) if found else draft

    async def _hold_examples(self) -> bool:
        """Whether a draft holds all examples that a model reads in the request, which it does once
        a draft is sound."""
        drawing = self._drawing
        if drawing.sound and not self._has_read:
            self._has_read = True
            self._examples = await read_in_request(self._run, self._task, drawing)
        return bool(self._examples and await drawing.hold(self._examples))

    async def _draw_to(self, most: int) -> bool:
        """From the bare request, until there are so many; whether they decide."""
        drawing = self._drawing
        while (left := most - len(drawing.drawn)) > 0 and (n := await drawing.affordable()):
            if await drawing.draw_more(min(n, left), "to compare", enough=self._is_decided):
                return True
        return False

    async def _draw_planned(self) -> bool:
        """One for each plan that the model has; whether they decide."""
        drawing = self._drawing
        left = drawing.left if await drawing.affordable() else 0
        for plan in await write_plans(self._run, self._task, left) if left else ():
            if not await drawing.affordable():
                return False
            if await drawing.draw_more(1, "another way", plan, enough=self._is_decided):
                return True
        return False

    async def _is_decided(self) -> bool:
        """Where two agree and the request's examples hold, or most tests of the model's; where no
        draft holds the examples, there are as many drafts as the default mode has as well. By the
        first sound one, where others could not be compared with it."""
        drawing = self._drawing
        is_held = await self._hold_examples()
        if await drawing.is_alone():
            return True
        if len(drawing.sound) < 2 or not (agreement := await self._compare()):
            return False
        if is_held:
            return drawing.alike > 1
        if self._examples and len(drawing.drawn) < self._run.settings.MAX_DRAFTS:
            return False
        by_tests = agreement.holds_tests and len(agreement.best) > 1
        return by_tests or agreement.decides_of(2 if drawing.best.decided else self._wanted)

    async def _compare(self) -> Agreement | None:
        several = len(self._drawing.drawn) > 1 and await self._drawing.may_compare()
        return await self._drawing.compare() if several else None

    async def _break_tie(self, agreement: Agreement) -> Agreement:
        """Of classes of one size the one that the judge prefers, asked in both orders; where it
        contradicts itself, the shorter program. A small model is not asked."""
        if len(agreement.tied) < 2 or is_small(self._run.model_name("judge")):
            return agreement
        drafts = [each.draft for each in self._drawing.drawn]
        first = await preferred(self._run, self._task, drafts, agreement.tied)
        return self._drawing.prefer(first)
