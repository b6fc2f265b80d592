"""The loop of `///test`: draft, run, draw again, repair, until the tests pass or nothing helps.

Drafts are drawn first, without sight of one another: a small model that is shown its own mistake
repeats it. They also say which of the generated tests can be believed. Only what fails then is
repaired, and a repair that does not help is the last one.
"""

from collections.abc import Awaitable
from dataclasses import replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.errors import ContextTooLong, ModelError
from pipeline.review.drawing import Drawing
from pipeline.review.escalation import reviews_in_vain, why_not_review
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.case_runner import CaseRunner
from pipeline.testcases.tested_draft import TestedDraft, failure_line
from pipeline.tested.coder_contract import unsaid
from pipeline.tested.repairer import repair
from pipeline.tested.test_journal import TestJournal
from pipeline.tested.vote import Vote

SHOWN_FAILURES = 10
GREEN, NONE_LEFT = "all tests pass", "no test can be trusted"


class Rounds:
    """The rounds of one run, each of them a program and how its tests went. What they did, and why
    they stopped, is in the journal; `runner.suite` loses the tests that nobody confirms."""

    def __init__(self, run: Run, task: Task, runner: CaseRunner, journal: TestJournal) -> None:
        self._run, self._task, self._runner, self._journal = run, task, runner, journal
        self._most = run.settings.TEST_MAX_ROUNDS
        self._tried: dict[str, TestedDraft] = {}  # by their text
        repairs = 0 if reviews_in_vain(run) else 1  # a round is kept for them
        self._drawing = Drawing(
            run,
            task,
            min(max(1, self._most - repairs), run.settings.MAX_DRAFTS),
            wanted=unsaid(runner.suite),
            examine=self._examine,
        )

    async def best(self) -> TestedDraft:
        """The best attempt. Raises ModelError and ContextTooLong when not even the first draft
        could be had."""
        await self._drawing.draw_first()
        ended = await self._until_failure(self._draw_more())
        self._best = self._settled()
        self._journal.stopped = ended or await self._until_failure(self._repair())
        return self._best

    async def _until_failure(self, going_on: Awaitable[str]) -> str:
        """Why it has ended, also where a model failed: what was had before stays."""
        try:
            return await going_on
        except (ModelError, ContextTooLong) as error:
            return f"a model failed ({error.code})"

    # --- drafts --------------------------------------------------------------------------------

    async def _draw_more(self) -> str:
        """As many drafts as are of use: at once where an example fails, else one and then the
        others; "", because repairs may follow."""
        while not (vote := self._vote()).decides and (n := await self._drawing.affordable()):
            suite = self._runner.suite
            failing = len(vote.best.failures(suite))
            first = len(vote.drafts) == 1 and not vote.best.fails_anchors(suite)
            why = f"{failing} of {len(suite.cases)} tests fail"
            await self._drawing.draw_more(1 if first else n, why, enough=self._is_decided)
        return ""

    async def _is_decided(self) -> bool:
        return self._vote().decides

    def _vote(self) -> Vote:
        drafts = [self._tried[each.draft.text] for each in self._drawing.drawn]
        return Vote.of(self._runner.suite, drafts)

    def _settled(self) -> TestedDraft:
        """The best draft, by tests that can be believed."""
        vote = self._vote()
        if out := vote.unconfirmed():
            for case in out:
                self._journal.leave_out(case, vote.passing(case), len(vote.drafts))
            kept = tuple(case for case in self._runner.suite.cases if case not in out)
            self._runner.suite = replace(self._runner.suite, cases=kept)
        generated = [case for case in self._runner.suite.cases if not case.anchor]
        passing = {case.name: vote.passing(case) for case in generated}
        self._journal.count(passing, len(vote.drafts), vote.ran)
        best = vote.best
        return replace(best, draft=replace(best.draft, best_of=len(vote.drafts)))

    async def _examine(self, draft: Draft, source: DraftSource) -> Draft:
        """Runs the tests; all that is known so far goes into the run's artefact, in case it is its
        end."""
        attempt = await self._try(TestedDraft(draft, source))
        return attempt.examined(self._runner.suite)

    async def _try(self, attempt: TestedDraft) -> TestedDraft:
        round = len(self._journal.rounds) + 1
        tried = await self._runner.attempt(attempt, round)
        self._tried[attempt.draft.text] = tried
        self._journal.add_round(round, tried, self._runner.suite)
        self._run.keep(artefact=self._journal.artefact(self._runner.suite, tried))
        return tried

    # --- repairs -------------------------------------------------------------------------------

    async def _repair(self) -> str:
        """Repairs as long as that helps; why it stopped."""
        while not self._best.green(self._runner.suite):
            if idle := why_not_review(self._run, self._best.examined(self._runner.suite)):
                return idle
            if len(self._journal.rounds) >= self._most:
                return f"all {self._most} rounds are used up"
            repaired = await self._repaired()
            if repaired.text in self._tried:
                return "the same program was written again"
            tried = await self._try(TestedDraft(repaired, "reviewer"))
            if tried.score(self._runner.suite) <= self._best.score(self._runner.suite):
                return "a repair did not help"
            self._best = tried
        return GREEN if self._runner.suite.cases else NONE_LEFT

    async def _repaired(self) -> Draft:
        suite = self._runner.suite
        failures = self._best.failures(suite)
        reason = f"{len(failures)} of {len(suite.cases)} fail"
        lines = [failure_line(suite, failure) for failure in failures[:SHOWN_FAILURES]]
        said = self._best.draft.fault or "\n".join(lines)
        round = len(self._journal.rounds) + 1
        return await repair(
            self._run, self._task, self._best.draft, suite, reason, said, round=round
        )
