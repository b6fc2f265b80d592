"""A draft and what came of its tests. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.sandbox.test_result import CaseResult
from pipeline.testcases.suite import Suite

FACTS = 10  # failures that a judge is told
_CAME = 100  # characters of what came in place of what is expected

Score = tuple[int, int, int]  # can be handed out; anchors that pass; tests that pass


@dataclass(frozen=True, slots=True)
class TestedDraft:
    """A draft with what came of its tests, by their names. `source`: whose text it is."""

    draft: Draft
    source: DraftSource
    ran: Mapping[str, CaseResult] = field(default_factory=dict)

    def results(self, suite: Suite) -> list[CaseResult]:
        """How the tests went, as they are expected now."""
        why = (self.draft.fault or "it was not run").removeprefix("evidence: ")
        return [
            self.ran[case.name].of(case)
            if case.name in self.ran
            else CaseResult(case, "not run", error=why)
            for case in suite.cases
        ]

    def failures(self, suite: Suite) -> list[CaseResult]:
        return [result for result in self.results(suite) if not result.passed]

    def green(self, suite: Suite) -> bool:
        return not self.failures(suite)

    def fails_anchors(self, suite: Suite) -> bool:
        return any(failure.case.anchor for failure in self.failures(suite))

    def score(self, suite: Suite) -> Score:
        """Larger is better. What cannot be handed to a person is worse than anything that can."""
        passed = [result.case for result in self.results(suite) if result.passed]
        whole = int(self.draft.whole)
        return (whole, sum(case.anchor for case in passed), len(passed))

    def examined(self, suite: Suite) -> Draft:
        """The draft with its failing tests as findings, and with what the tests say."""
        passed, is_green = self._passed(suite), bool(suite.cases) and self.green(suite)
        known = replace(
            self.draft,
            facts=self.facts(suite),
            decided=passed if is_green else "",
            undecided=passed if suite.cases and not is_green else "",
        )
        return known if known.fault else replace(known, findings=tuple(self.findings(suite)))

    def findings(self, suite: Suite) -> list[Finding]:
        """The failures as evidence. But for what came, their words do not depend on the draft, so
        that two drafts can be compared by them."""
        return [
            Finding(
                self.source,
                kind,
                f"the {kind} {suite.described(failure.case)} fails",
                failure.said[:_CAME],
            )
            for failure in self.failures(suite)
            for kind in ["example" if failure.case.anchor else "test"]
        ]

    def _passed(self, suite: Suite) -> str:
        results = self.results(suite)
        return f"{sum(result.passed for result in results)} of {len(results)} tests pass"

    def facts(self, suite: Suite) -> str:
        """What the tests say, for a judge."""
        results = self.results(suite)
        anchors = [result for result in results if result.case.anchor]
        lines = [f"{self._passed(suite)}."]
        if anchors:
            passed = sum(result.passed for result in anchors)
            lines.append(f"{passed} of {len(anchors)} examples of the user's pass.")
        lines += [failure_line(suite, failure) for failure in self.failures(suite)[:FACTS]]
        return "\n".join(lines)


def failure_line(suite: Suite, failure: CaseResult) -> str:
    """A failing test in one line, for models."""
    whose = "example of the user's" if failure.case.anchor else "test"
    return f"- {whose} {failure.case.name!r}: {suite.described(failure.case)}, but {failure.said}"
