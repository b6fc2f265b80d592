"""Score drafts and generated tests by their agreement. Pure.

A test that a model wrote is often wrong, a draft as well; that a wrong test and two drafts written
without sight of it agree is rare, and so is a wrong draft that passes most of the tests (CodeT,
arXiv 2207.10397). Measured in docs/studies/model_tests.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.sandbox import Case
from pipeline.testcases.behaviour import Behaviour, classes
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft

CONFIRMING = 2  # drafts that have to pass a generated test


@dataclass(frozen=True, slots=True)
class Vote:
    """The drafts of a run, each tried with all tests. `classes`: numbers of drafts that do the same
    on all of them, the largest class first."""

    suite: Suite
    drafts: tuple[TestedDraft, ...]
    classes: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, suite: Suite, drafts: Sequence[TestedDraft]) -> "Vote":
        behaviours = [Behaviour.of(each.results(suite)) for each in drafts]
        return cls(suite, tuple(drafts), tuple(map(tuple, classes(behaviours))))

    @property
    def best(self) -> TestedDraft:
        """Most examples first, then most drafts of its class times tests that they pass, then the
        larger class, then the earlier one."""
        chosen = min(self.classes, key=lambda each: (self._worth(each), each[0]))
        return self.drafts[chosen[0]]

    def _worth(self, alike: tuple[int, ...]) -> tuple[int, ...]:
        whole, anchors, tests = self.drafts[alike[0]].score(self.suite)
        return (-whole, -anchors, -len(alike) * tests, -len(alike))

    @property
    def decides(self) -> bool:
        """Whether drawing more is of no use: all tests pass; or no example fails, there is a second
        draft to weigh the tests, and examples decide, or most drafts do the same, or the best one
        passes more than half of the tests."""
        best = self.best
        if best.green(self.suite):
            return True
        if best.fails_anchors(self.suite) or len(self.drafts) < CONFIRMING:
            return False
        tests = len(self.suite.cases)
        if self.suite.anchors or (tests - len(best.failures(self.suite))) * 2 > tests:
            return True
        alike = next(each for each in self.classes if self.drafts[each[0]] is best)
        return len(alike) * 2 > len(self.drafts)

    @property
    def ran(self) -> int:
        """How many drafts could be tested."""
        return sum(bool(each.ran) for each in self.drafts)

    def passing(self, case: Case) -> int:
        """How many drafts pass a test."""
        return sum(
            result.passed
            for draft in self.drafts
            for result in draft.results(replace(self.suite, cases=(case,)))
        )

    def unconfirmed(self) -> list[Case]:
        """The generated tests that too few drafts pass to be believed; none where there is one
        draft alone that ran, which says nothing of them."""
        if self.ran < CONFIRMING:
            return []
        generated = (case for case in self.suite.cases if not case.anchor)
        return [case for case in generated if self.passing(case) < CONFIRMING]
