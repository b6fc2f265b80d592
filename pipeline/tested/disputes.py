"""Failures of generated tests: is the code wrong, or the test?

An expected value changes only where the reviser proposes it and a second program, written without
sight of the first one or of any generated test, gives the same. The user's examples are never put.
"""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.errors import ContextTooLong, ModelError
from pipeline.run import Run
from pipeline.sandbox import Case, Raises, Result
from pipeline.task import Task
from pipeline.testcases.case_runner import CaseRunner
from pipeline.testcases.suite import read_expected
from pipeline.testcases.tested_draft import TestedDraft
from pipeline.tested.implementer import implement
from pipeline.tested.reviser import Decision, decide
from pipeline.tested.test_journal import TestJournal

INDEPENDENT_TEMPERATURE = 0.8


class Disputes:
    """Those of one run. The second program is written at the first dispute."""

    def __init__(self, run: Run, task: Task, runner: CaseRunner, journal: TestJournal) -> None:
        self._run, self._task, self._runner, self._journal = run, task, runner, journal
        self._second: TestedDraft | None = None
        self._no_second = ""  # why there is none
        self._refused: set[str] = set()  # tests whose change was not agreed to

    async def settle(self, attempt: TestedDraft, round: int) -> None:
        """Puts the attempt's failures of generated tests to the reviser, and changes the tests that
        it and the second program agree on. The cases in the runner's suite are replaced."""
        failures = [each for each in attempt.failures(self._runner.suite) if self._is_open(each)]
        if not failures:
            return
        code, suite = attempt.draft.text, self._runner.suite
        answer = await decide(self._run, self._task, code, suite, failures, round)
        if answer.value is None:
            note = f"every failure counts as the code's: {answer.error}"
            if note not in self._journal.notes:
                self._journal.notes.append(note)
            return
        cases = {failure.case.name: failure.case for failure in failures}
        disputed = [cases[each.test] for each in answer.value if each.wrong == "test"]
        second = await self._ask_second(disputed, attempt, round) if disputed else None
        for decision in answer.value:
            self._carry_out(decision, cases[decision.test], second, round)

    def _is_open(self, failure: Result) -> bool:
        """What gave no value (it never ended, or there is no such function) is the code's fault."""
        case = failure.case
        answered = failure.gave or failure.came == "raised"
        return answered and not case.anchor and case.name not in self._refused

    def _carry_out(
        self, decision: Decision, case: Case, second: TestedDraft | None, round: int
    ) -> None:
        agreed, why = False, ""
        if decision.wrong == "test":
            agreed, why = self._agreement(decision, case, second)
        self._journal.decisions.append(
            {
                "round": round,
                "test": case.name,
                "wrong": decision.wrong,
                "reason": decision.reason,
                "expected": case.output,
                "proposed": decision.expected or None,
                "changed": agreed,
                "note": why or None,
            }
        )
        if agreed:
            expected = read_expected(decision.expected, program=case.stdin is not None)
            self._runner.change(replace(case, expected=expected))
        elif decision.wrong == "test":
            self._refused.add(case.name)

    def _agreement(
        self, decision: Decision, case: Case, second: TestedDraft | None
    ) -> tuple[bool, str]:
        """Whether the second program gives what the decision proposes, and in what words."""
        try:
            expected = read_expected(decision.expected, program=case.stdin is not None)
        except ValueError:
            return False, "the proposed value cannot be read"
        if second is None:
            return False, self._no_second
        result = second.ran[case.name].of(replace(case, expected=expected))
        # "raises Exception" would be the same as whatever breaks the second program.
        agreed = result.passed and (
            not isinstance(expected, Raises) or result.raised[0] == expected.name
        )
        agreement = "agrees" if agreed else "does not agree"
        return agreed, f"the independent program {agreement}: {result.said}"

    async def _ask_second(
        self, disputed: Sequence[Case], first: TestedDraft, round: int
    ) -> TestedDraft | None:
        """The second program with its results for the disputed tests; None if there is none that
        can be believed."""
        anchors = self._runner.suite.anchors
        if self._second is None and not self._no_second:
            await self._write_second(round)
        if self._second is None:
            return None
        if self._second.draft.text.strip() == first.draft.text.strip():
            self._second, self._no_second = None, "the independent program is the same program"
            return None
        second = await self._runner.attempt(
            self._second, round, "independent", (*anchors, *disputed)
        )
        if any(not second.ran[case.name].passed for case in anchors):
            self._second, self._no_second = None, "the independent program fails an example"
            return None
        return second

    async def _write_second(self, round: int) -> None:
        """It sees the request, and of the tests the user's examples alone."""
        shown = replace(self._runner.suite, cases=self._runner.suite.anchors)
        try:
            draft = await implement(
                self._run,
                self._task,
                shown,
                label="independent",
                round=round,
                temperature=INDEPENDENT_TEMPERATURE,
            )
        except (ModelError, ContextTooLong) as error:
            self._no_second = f"there is no independent program ({error.code})"
            return
        if draft.findings:
            self._no_second = f"the independent program cannot be used: {draft.fault}"
            return
        self._second = TestedDraft(draft, "coder")
