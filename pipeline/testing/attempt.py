"""A draft and what came of its tests. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from pipeline.draft import Draft
from pipeline.evidence import Finding
from pipeline.sandbox.compare import same, same_text, written
from pipeline.testing.testcase import ANY_VALUE, Case, Raises, Suite, shown

Ending = Literal["raised", "unusable", "timeout", "cpu", "memory", "output", "died", "not run"]
Source = Literal["coder", "reviewer"]
Came = Literal["returned", "printed"] | Ending
Status = Literal["passed", "wrong"] | Ending


@dataclass(frozen=True, slots=True)
class Return:
    """What came back of one test, before it is compared with anything.

    `value` is the returned value, or what was printed. `error` says in a few words what happened
    instead (`ValueError: no`, `not done after 10 s`); `raised` are the names of the exception's
    class and, as far as known, of those above it.
    """

    came: Came
    value: Any = None
    error: str = ""
    raised: tuple[str, ...] = ()
    duration_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A test and how it went."""

    case: Case
    back: Return

    @property
    def passed(self) -> bool:
        back, expected = self.back, self.case.expected
        if expected is ANY_VALUE:
            return back.came == "returned"
        if isinstance(expected, Raises):
            return back.came == "raised" and expected.name in back.raised
        if back.came == "printed":
            return self.case.stdin is not None and same_text(back.value, expected)
        return back.came == "returned" and self.case.stdin is None and same(back.value, expected)

    @property
    def status(self) -> Status:
        if self.passed:
            return "passed"
        came = self.back.came
        return "wrong" if came in ("returned", "printed") else cast(Ending, came)

    @property
    def said(self) -> str:
        """What happened, for models and people: `it gave 4`."""
        if self.back.came in ("returned", "printed"):
            return f"it gave {shown(written(self.back.value))}"
        return shown(self.back.error)

    def as_json(self) -> dict[str, Any]:
        """The result as a round of the record keeps it."""
        gave = self.back.came in ("returned", "printed")
        return {
            "name": self.case.name,
            "status": self.status,
            "got": shown(written(self.back.value)) if gave else None,
            "error": None if gave or self.passed else shown(self.back.error),
            "duration_ms": self.back.duration_ms,
        }


FACTS = 10  # failures that a judge is told

Score = tuple[int, int, int]  # can be handed out; anchors that pass; tests that pass


@dataclass(frozen=True, slots=True)
class Attempt:
    """A draft with what came back of its tests, by their names. `source`: whose text it is."""

    draft: Draft
    source: Source
    returns: Mapping[str, Return] = field(default_factory=dict)

    def results(self, suite: Suite) -> list[Result]:
        """How the tests went, as they are expected now."""
        why = self.draft.fault or "it was not run"
        nothing = Return("not run", error=why.removeprefix("evidence: "))
        return [Result(case, self.returns.get(case.name, nothing)) for case in suite.cases]

    def failures(self, suite: Suite) -> list[Result]:
        return [result for result in self.results(suite) if not result.passed]

    def green(self, suite: Suite) -> bool:
        return not self.failures(suite)

    def score(self, suite: Suite) -> Score:
        """Larger is better. What cannot be handed to a person is worse than anything that can."""
        passed = [result.case for result in self.results(suite) if result.passed]
        whole = int(self.draft.whole)
        return (whole, sum(case.anchor for case in passed), len(passed))

    def examined(self, suite: Suite) -> Draft:
        """The draft with its failing tests as findings."""
        if self.draft.fault:
            return self.draft
        return replace(self.draft, findings=tuple(self.findings(suite)))

    def findings(self, suite: Suite) -> list[Finding]:
        """The failures as evidence. Their words do not depend on the draft, so that two drafts can
        be compared by them."""
        return [
            Finding(
                self.source,
                "test",
                f"the {'example' if failure.case.anchor else 'test'} "
                f"{suite.described(failure.case)} fails",
            )
            for failure in self.failures(suite)
        ]

    def facts(self, suite: Suite) -> str:
        """What the tests say, for a judge."""
        results = self.results(suite)
        anchors = [result for result in results if result.case.anchor]
        lines = [f"{sum(result.passed for result in results)} of {len(results)} tests pass."]
        if anchors:
            passed = sum(result.passed for result in anchors)
            lines.append(f"{passed} of {len(anchors)} examples of the user's pass.")
        lines += [failure_line(suite, failure) for failure in self.failures(suite)[:FACTS]]
        return "\n".join(lines)


def failure_line(suite: Suite, failure: Result) -> str:
    """A failing test in one line, for models."""
    whose = "example of the user's" if failure.case.anchor else "test"
    return f"- {whose} {failure.case.name!r}: {suite.described(failure.case)}, but {failure.said}"
