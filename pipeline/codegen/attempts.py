"""Attempts at a typed request: write, look, run its tests, judge; again with what was found, until
the confidence is as high as wanted; at last a review where the judge asks for one."""

import asyncio
from dataclasses import replace

from pipeline.analysis.draft import Draft, Source
from pipeline.analysis.evidence import Finding
from pipeline.codegen.candidate import Candidate, facts_of
from pipeline.codegen.code_facts import examine_code
from pipeline.codegen.code_task import CodeTask
from pipeline.codegen.code_writer import write_code, write_tests
from pipeline.codegen.original_comparison import difference
from pipeline.errors import ContextTooLong, ModelError
from pipeline.review.confidence import confidence
from pipeline.review.draft_evidence import run_evidence
from pipeline.review.judge import run_judge
from pipeline.review.reviewer import run_reviewer
from pipeline.run import Run
from pipeline.testcases.test_runner import SuiteRun, run_tests


class Attempts:
    """The attempts of one run. `tried` are all of them in order, `tests` are those that were
    written besides the code, `notes` what went wrong on the way and costs no answer."""

    def __init__(self, run: Run, task: CodeTask) -> None:
        self._run, self._task = run, task
        self.tried: list[Candidate] = []
        self.tests = ""
        self.notes: list[str] = []

    async def best(self) -> Candidate:
        """The best attempt, the earlier of two that are alike, but for a review as good as what was
        reviewed.

        Raises ModelError and ContextTooLong when not even the first one could be had.
        """
        best = await self._attempt(1, None)
        for round in range(2, self._task.attempts + 1):
            if best.success and best.confidence.value >= self._task.wanted_confidence:
                break
            try:
                best = max(best, await self._attempt(round, best), key=lambda each: each.rank)
            except (ModelError, ContextTooLong) as error:
                self.notes.append(f"Attempt {round} failed ({error.code}).")
                break
        self._note_draft(best)
        reason = best.escalation(self._run.settings)
        if reason:
            self._run.keep(escalated=True, escalation_reason=reason)
            return await self._reviewed(best)
        return best

    async def _attempt(self, round: int, before: Candidate | None) -> Candidate:
        draft = await write_code(
            self._run,
            self._task,
            round=round,
            before=before.draft if before else None,
            faults=before.complaints if before else "",
        )
        return await self._weighed(draft, "coder", round)

    async def _weighed(self, draft: Draft, source: Source, round: int = 1) -> Candidate:
        """The draft with its evidence, tests, verdict and what follows for the confidence."""
        run, task = self._run, self._task
        if not draft.fault and draft.language == "python":
            draft = await run_evidence(run, task, draft, source)
        draft = await self._compared(draft, source)
        run.add_evidence(draft.findings)
        checks = () if draft.fault else await self._checked(draft)
        verdict = None
        if not draft.fault:
            facts = "\n".join(filter(None, (draft.facts, facts_of(draft, checks))))
            label = "review" if source == "reviewer" else ""
            verdict = await run_judge(run, task, draft.text, label=label, round=round, facts=facts)
        worth = confidence(verdict, draft.findings, checks)
        candidate = Candidate(task, draft, source, verdict, checks, worth)
        self.tried.append(candidate)
        return candidate

    async def _compared(self, draft: Draft, source: Source) -> Draft:
        """The draft with what it does otherwise than the original, where it has to do the same."""
        if draft.fault or not self._task.kind.keeps_results:
            return draft
        said = await difference(self._run, self._task, draft.text)
        findings = (Finding(source, "differs", said),) if said else ()
        return replace(draft, findings=draft.findings + findings)

    async def _checked(self, draft: Draft) -> tuple[SuiteRun, ...]:
        """What comes of the caller's tests and of those that were asked for."""
        task = self._task
        if task.wants_tests and not self.tests:
            await self._write_tests(draft)
        if task.kind.is_tests:
            return (await self._against_code(draft),)
        pairs = [(task.tests, True), (self.tests, False)]
        return tuple(
            [await self._run_tests(draft.text, tests, given) for tests, given in pairs if tests]
        )

    async def _against_code(self, draft: Draft) -> SuiteRun:
        """Tests that are the answer, run against the code in question."""
        if not self._task.code:
            return SuiteRun(problem="The tests were not run: there is no code to run them against.")
        return await self._run_tests(self._task.code, draft.text, given=False)

    async def _run_tests(self, code: str, tests: str, given: bool) -> SuiteRun:
        return await run_tests(self._run, code, tests, language=self._task.language, given=given)

    async def _write_tests(self, draft: Draft) -> None:
        """Tests that cannot be had cost no answer."""
        try:
            tests = await write_tests(self._run, self._task, draft.text)
        except (ModelError, ContextTooLong) as error:
            self.notes.append(f"There are no tests: the coder failed ({error.code}).")
            return
        if tests.fault:
            self.notes.append(f"There are no tests: {tests.fault.removeprefix('evidence: ')}.")
        else:
            self.tests = tests.text

    async def _reviewed(self, best: Candidate) -> Candidate:
        try:
            review = await run_reviewer(self._run, self._task, best.draft.text, best.complaints)
        except (ModelError, ContextTooLong) as error:
            self._run.keep(final_reason=f"unreviewed: reviewer failed ({error.code})")
            self.notes.append(f"It was not reviewed: the reviewer failed ({error.code}).")
            return best
        findings = await asyncio.to_thread(
            examine_code, "reviewer", self._task, review.text, review.language
        )
        draft = Draft(review.text, self._task.language, tuple(findings))
        candidate = await self._weighed(draft, "reviewer")
        if candidate.verdict:
            self._run.keep(reviewer_judge=candidate.verdict.as_json())
        if candidate.rank < best.rank:
            self._run.keep(
                final_reason=f"the review is worth less: {candidate.confidence.value} < "
                f"{best.confidence.value}"
            )
            return best
        self._run.keep(final_source="reviewer")
        return candidate

    def _note_draft(self, best: Candidate) -> None:
        self._run.keep(
            coder_output=best.draft.text,
            final_source="coder",
            judge=best.verdict.as_json() if best.verdict else None,
        )
