"""The attempts of a code generation: drawn until no evidence speaks against one, compared where
evidence is silent, judged where that leaves something open; again with what was found, where a
higher confidence is wanted; at last a review where facts or the judge ask for one."""

import asyncio
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from pipeline.analysis.definitions import changed_names
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.undefined_names import words_in
from pipeline.codegen.candidate import Candidate
from pipeline.codegen.code_facts import examine_code, read_code
from pipeline.codegen.code_task import CodeTask
from pipeline.codegen.code_writer import wanted_again, write_tests
from pipeline.errors import ContextTooLong, LaiosError, ModelError
from pipeline.review.coder import run_coder
from pipeline.review.confidence import are_sure
from pipeline.review.draft_evidence import run_evidence
from pipeline.review.drafting import Settled, settle
from pipeline.review.drawing import Drawing, Drawn
from pipeline.review.escalation import doubt_of, is_to_be_judged, unjudged, why_not_review
from pipeline.review.judge import run_judge
from pipeline.review.original_comparison import kept, likeness
from pipeline.review.reviewer import run_reviewer
from pipeline.run import Run
from pipeline.sampling import GREEDY, VARIED, for_model
from pipeline.small_models import is_small
from pipeline.testcases.entry_point import defined, entry_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.suite_run import SuiteRun
from pipeline.testcases.test_runner import run_tests

TESTS_PASS = "the request's tests pass"
LATER = "of all attempts it is worth most"


class Attempts:
    """The attempts of one run. `tried` are all of them in order, `tests` are those that were
    written besides the code, `warnings` what went wrong on the way and costs no answer."""

    def __init__(self, run: Run, task: CodeTask) -> None:
        self._run, self._task = run, task
        self._read = partial(read_code, "coder", task)
        self._drawn = 0  # by the coder
        self._original_fails: bool | None = None
        self._drawing: Drawing | None = None  # where its drafts were compared,
        self._settled: Settled | None = None  # what came of that,
        self._later: list[Drawn] = []  # and those that came afterwards
        self.tried: list[Candidate] = []
        self.tests = ""
        self.warnings: list[str] = []

    async def best(self) -> Candidate:
        """The best attempt, the earlier of two that are alike, but for a review as good as what was
        reviewed.

        Raises ModelError and ContextTooLong when not even the first one could be had.
        """
        run = self._run
        best = await self._bettered(await self._judged(await self._draw()))
        self._note_draft(best)
        reason = best.escalation(doubt_of(run, best.to_judge, best.verdict))
        if not reason:
            run.keep(final_reason=unjudged(run, best.to_judge))
            return best
        run.keep(escalated=True, escalation_reason=reason)
        if idle := why_not_review(run, replace(best.draft, best_of=self._drawn)):
            run.keep(final_reason=idle)
            return best
        return await self._reviewed(best)

    def as_json(self, best: Candidate) -> dict[str, Any]:
        """What the record has of all of them, and of drafts that were compared, `best` being the
        answer: the coder's later attempts are drafts as well."""
        made: dict[str, Any] = {"attempts": [each.as_json() for each in self.tried]}
        if self._drawing and self._settled:
            text = best.draft.text
            is_later = text in [each.draft.text for each in self._later]
            why = LATER if is_later else str(self._settled)
            made |= self._drawing.as_json(why, self._later, text)
        return made

    async def _draw(self) -> Candidate:
        """The best of drafts from the bare request: drawn until no evidence speaks against one,
        and compared where evidence is silent."""
        run, task, most = self._run, self._task, self._run.settings.MAX_DRAFTS
        drawing = Drawing(
            run,
            task,
            min(most, task.most_drafts or most),
            examine=self._examine,
            read=self._read,
        )
        await drawing.draw_first()
        found = None
        try:
            await drawing.draw_until_sound()
            if await self._is_compared(drawing.best):
                found = await settle(run, task, drawing, reads=not task.kind.repairs)
        except (ModelError, ContextTooLong) as error:
            self._note_failure(len(drawing.drawn) + 1, error)
        self._drawn = len(drawing.drawn)
        return self._agreed(drawing, found) if found else max(self.tried, key=attrgetter("rank"))

    async def _is_compared(self, draft: Draft) -> bool:
        """Whether what drafts do when they are called says something of them: of a repair, where
        no other public function was changed than is called."""
        kind, task = self._task.kind, self._task
        if not kind.repairs or not defined(draft.text):
            return kind.is_open
        changed = await asyncio.to_thread(changed_names, "python", task.code, draft.text)
        public = {name for name in changed if name and not name.startswith("_")}
        entry = entry_of(draft.text, find_examples(task.prompt).function)
        return public <= {entry, *words_in(task.prompt)}

    def _agreed(self, drawing: Drawing, found: Settled) -> Candidate:
        """The best one, with what examples, other drafts or a model's tests say of it."""
        self._drawing, self._settled = drawing, found
        at = next(n for n, each in enumerate(self.tried) if each.draft.text == drawing.best.text)
        draft = replace(found.said_of(self.tried[at].draft), best_of=len(drawing.drawn))
        self.tried[at] = replace(self.tried[at], draft=draft)
        return self.tried[at]

    async def _bettered(self, best: Candidate) -> Candidate:
        """Attempts beyond the drawn ones, where the caller wants more confidence."""
        for round in range(self._drawn + 1, self._task.attempts + 1):
            if best.success and not self._is_wanted_surer(best):
                break
            try:
                best = max(best, await self._attempt(round, best), key=attrgetter("rank"))
            except (ModelError, ContextTooLong) as error:
                self._note_failure(round, error)
                break
        return best

    async def _attempt(self, round: int, before: Candidate) -> Candidate:
        """The coder is shown what was found; a small model, which would repeat it, is not."""
        shown = not is_small(self._run.model_name("coder"))
        temperature = GREEDY if shown else VARIED
        draft = await run_coder(
            self._run,
            self._task,
            temperature=temperature,
            round=round,
            wanted=wanted_again(before.draft, before.complaints) if shown else "",
            read=self._read,
        )
        self._drawn = round
        known = next((each for each in self.tried if each.draft.text == draft.text), None)
        if known and known.verdict:
            return known
        candidate = await self._held(known or await self._looked_at(draft, "coder"))
        sent = for_model(temperature, self._run.model_name("coder"))
        self._later.append(Drawn(round, candidate.draft, sent, 0.0, 0))
        return await self._judged(candidate, round)

    async def _held(self, candidate: Candidate) -> Candidate:
        """With what examples that a model read say of it."""
        examples = self._settled.examples if self._settled else None
        if examples is None or candidate.draft.fault or candidate.draft.decided:
            return candidate
        await examples.are_held_by(candidate.draft.text)
        held = replace(candidate, draft=examples.said_of(candidate.draft))
        self.tried[self.tried.index(candidate)] = held
        return held

    async def _examine(self, draft: Draft, source: DraftSource) -> Draft:
        """For the drawing, tests of the caller's that fail are evidence as well."""
        candidate = await self._looked_at(draft, source)
        checks = candidate.checks if self._task.kind.writes_program else ()
        failed = (test for each in checks for test in each.failed)
        failing = (Finding(source, "test", f"the test {each.test} fails") for each in failed)
        return replace(candidate.draft, findings=(*candidate.draft.findings, *failing))

    async def _looked_at(self, draft: Draft, source: DraftSource) -> Candidate:
        """What is known of a draft without anybody's opinion."""
        run, task = self._run, self._task
        if not draft.fault and task.kind.writes_program:
            draft = await run_evidence(run, task, draft, source)
        draft = await self._compared(draft, source)
        checks: tuple[SuiteRun, ...] = ()
        if task.tests and not draft.fault and not task.kind.is_tests:
            checks = (await self._run_tests(draft.text, task.tests, given=True),)
        passed = are_sure(checks) and not any(each.failed or each.idle for each in checks)
        draft = replace(draft, decided=draft.decided or (TESTS_PASS if passed else ""))
        self.tried.append(Candidate(task, draft, source, None, checks))
        return self.tried[-1]

    async def _judged(self, candidate: Candidate, round: int = 1, *, label: str = "") -> Candidate:
        """With the tests that are asked for and a verdict, where evidence left something open."""
        run, task, draft = self._run, self._task, candidate.draft
        if draft.fault or not candidate.success:
            return candidate
        checks = (*candidate.checks, *await self._checked(draft))
        judged = replace(candidate, checks=checks)
        if is_to_be_judged(run, candidate.to_judge) or self._is_wanted_surer(judged):
            facts = "\n".join(filter(None, (draft.facts, judged.facts)))
            verdict = await run_judge(
                run,
                task,
                draft.text,
                label=label,
                round=round,
                facts=facts,
                as_said=draft.as_said,
            )
            judged = replace(judged, verdict=verdict)
        self.tried[self.tried.index(candidate)] = judged
        return judged

    def _is_wanted_surer(self, candidate: Candidate) -> bool:
        """Whether the caller wants more confidence than this gives by itself."""
        is_enough = candidate.confidence.value >= self._task.wanted_confidence
        return self._task.attempts > 1 and not is_enough

    async def _compared(self, draft: Draft, source: DraftSource) -> Draft:
        """The draft with what it does otherwise than the original, where it has to do the same, and
        of a repair that it does not do anything otherwise."""
        kind = self._task.kind
        if draft.fault or not (kind.keeps_results or kind.repairs):
            return draft
        original = self._task.original
        if kind.repairs:
            found, said = "unmended", await likeness(self._run, original, draft.text)
        else:
            found, said = "differs", (await kept(self._run, original, draft.text)).difference
        if not said or (kind.repairs and await self._is_fault_shown()):
            return draft
        return replace(draft, findings=(*draft.findings, Finding(source, found, said)))

    async def _is_fault_shown(self) -> bool:
        """Whether the code to be repaired fails the request's own examples or tests: these tell
        what mends it, however little generated calls do."""
        if self._original_fails is None:
            original = Draft(self._task.code, self._task.language, ())
            fault = (await run_evidence(self._run, self._task, original, "coder")).fault
            tests = self._task.tests
            given = await self._run_tests(original.text, tests, given=True) if tests else None
            self._original_fails = bool(fault or (given and given.failed))
        return self._original_fails

    async def _checked(self, draft: Draft) -> tuple[SuiteRun, ...]:
        """What comes of the tests that were asked for."""
        task = self._task
        if task.wants_tests and not self.tests:
            await self._write_tests(draft)
        if task.kind.is_tests:
            return (await self._against_code(draft),)
        return (await self._run_tests(draft.text, self.tests, given=False),) if self.tests else ()

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
            self.warnings.append(f"There are no tests: the coder failed ({error.code}).")
            return
        if tests.fault:
            self.warnings.append(f"There are no tests: {tests.fault.removeprefix('evidence: ')}.")
        else:
            self.tests = tests.text

    async def _reviewed(self, best: Candidate) -> Candidate:
        try:
            draft, told = best.draft, best.complaints
            review = await run_reviewer(self._run, self._task, draft.text, told, draft.as_said)
        except (ModelError, ContextTooLong) as error:
            self._run.keep(final_reason=f"unreviewed: reviewer failed ({error.code})")
            self.warnings.append(f"It was not reviewed: the reviewer failed ({error.code}).")
            return best
        findings = await asyncio.to_thread(
            examine_code, "reviewer", self._task, review.text, review.language
        )
        draft = Draft(review.text, self._task.language, tuple(findings))
        looked_at = await self._held(await self._looked_at(draft, "reviewer"))
        candidate = await self._judged(looked_at, label="review")
        self._run.add_evidence(candidate.draft.findings)
        if candidate.verdict:
            self._run.keep(reviewer_judge=candidate.verdict.as_json())
        if candidate.rank < best.rank:
            worth, wanted = candidate.confidence.value, best.confidence.value
            less = f"{worth} < {wanted}" if worth < wanted else "more speaks against it"
            self._run.keep(final_reason=f"the review is worth less: {less}")
            return best
        self._run.keep(final_source="reviewer")
        return candidate

    def _note_failure(self, round: int, error: LaiosError) -> None:
        self.warnings.append(f"Attempt {round} failed ({error.code}).")

    def _note_draft(self, best: Candidate) -> None:
        self._run.add_evidence(best.draft.findings)
        self._run.keep(
            coder_output=best.draft.text,
            final_source="coder",
            judge=best.verdict.as_json() if best.verdict else None,
        )
