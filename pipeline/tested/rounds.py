"""Draft, run, revise, until the tests pass or nothing helps: the loop of `///test` (seed 004)."""

from pipeline.errors import ContextTooLong, ModelError
from pipeline.run import Run
from pipeline.sandbox import Result
from pipeline.task import Task
from pipeline.testcases.case_runner import CaseRunner
from pipeline.testcases.tested_draft import TestedDraft, failure_line
from pipeline.tested.disputes import Disputes
from pipeline.tested.implementer import implement
from pipeline.tested.repairer import repair
from pipeline.tested.test_journal import TestJournal

REPAIRS_IN_A_ROW = 2  # that do not help; then a fresh draft is tried
STALE_ROUNDS = 2  # without anything better, a fresh draft among them: then it is enough
FRESH_TEMPERATURE = 1.0  # Ollama's usual one is 0.8
SHOWN_FAILURES = 10

GREEN = "all tests pass"


class Rounds:
    """The rounds of one run. What they did, and why they stopped, is in the journal."""

    def __init__(self, run: Run, task: Task, runner: CaseRunner, journal: TestJournal) -> None:
        self._run, self._task, self._runner, self._journal = run, task, runner, journal
        self._best: TestedDraft
        self._disputes = Disputes(run, task, runner, journal)
        self._seen: set[str] = set()
        self._repairs = 0  # in a row that did not help
        self._stale = 0  # rounds in a row that did not help
        self._fresh_tried = False  # among those
        self._sampled_anew = False  # because a program came again

    async def best(self) -> TestedDraft:
        """The best attempt: most anchors, then most tests, the earlier of two that are alike.

        Raises ModelError and ContextTooLong when not even the first draft could be had.
        """
        draft = await implement(self._run, self._task, self._runner.suite)
        self._run.keep(coder_output=draft.text)
        self._best = await self._try(TestedDraft(draft, "coder"), 1)
        try:
            self._journal.stopped = await self._improve()
        except (ModelError, ContextTooLong) as error:
            self._journal.stopped = f"a model failed ({error.code})"
        return self._best

    async def _improve(self) -> str:
        """Tries until there is a reason to stop, which it gives."""
        most = self._run.settings.TEST_MAX_ROUNDS
        await self._disputes.settle(self._best, 1)
        for round in range(2, most + 1):
            if self._green:
                return GREEN
            attempt = await self._next(round)
            if attempt is None:
                return "the same program came again"
            tried = await self._try(attempt, round)
            if tried.score(self._runner.suite) > self._best.score(self._runner.suite):
                self._best = tried
                self._repairs = self._stale = 0
                self._fresh_tried = False
                await self._disputes.settle(tried, round)
            else:
                self._stale += 1
            if self._stale >= STALE_ROUNDS and self._fresh_tried:
                return f"nothing improved for {self._stale} rounds"
        return GREEN if self._green else f"{most} rounds are used up"

    @property
    def _green(self) -> bool:
        return self._best.green(self._runner.suite)

    async def _try(self, attempt: TestedDraft, round: int) -> TestedDraft:
        """Runs the tests; all that is known so far goes into the run's notes, in case it is its
        end."""
        self._seen.add(attempt.draft.text.strip())
        tried = await self._runner.attempt(attempt, round)
        self._journal.add_round(round, tried, self._runner.suite)
        self._run.keep(artefact=self._journal.artefact(self._runner.suite, tried))
        return tried

    # --- what is tried next --------------------------------------------------------------------

    async def _next(self, round: int) -> TestedDraft | None:
        """A repair, or a fresh draft after two repairs that did not help. A program that was tried
        before is replaced by one fresh sample; None if that is nothing new either."""
        repaired = self._repairs < REPAIRS_IN_A_ROW
        attempt = await (self._repaired(round) if repaired else self._fresh(round))
        if not self._is_new(attempt) and not self._sampled_anew:
            self._sampled_anew = True
            attempt = await self._fresh(round)
        return attempt if self._is_new(attempt) else None

    def _is_new(self, attempt: TestedDraft) -> bool:
        return attempt.draft.text.strip() not in self._seen

    async def _repaired(self, round: int) -> TestedDraft:
        self._repairs += 1
        suite = self._runner.suite
        failures = self._best.failures(suite)
        reason = f"{len(failures)} of {len(suite.cases)} fail"
        lines = self._best.draft.fault or "\n".join(map(self._explained, failures[:SHOWN_FAILURES]))
        draft = await repair(
            self._run, self._task, self._best.draft, suite, reason, lines, round=round
        )
        return TestedDraft(draft, "reviewer")

    def _explained(self, failure: Result) -> str:
        """A failure, with what the reviser says is wrong with the code."""
        reason = self._journal.reason_for(failure.case.name)
        return failure_line(self._runner.suite, failure) + (f" ({reason})" if reason else "")

    async def _fresh(self, round: int) -> TestedDraft:
        self._repairs = 0
        self._fresh_tried = True
        draft = await implement(
            self._run,
            self._task,
            self._runner.suite,
            label="fresh",
            round=round,
            temperature=FRESH_TEMPERATURE,
        )
        return TestedDraft(draft, "coder")
