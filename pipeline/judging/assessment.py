"""Build the judgement from what was found about a code. Pure. It fails closed: what was not judged,
or not tested as asked, is not valid."""

from collections.abc import Iterator
from typing import Any

from config import Settings
from laios.types.judgement import Issue, Judgement, KnownFact
from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import Finding
from pipeline.review.confidence import confidence
from pipeline.review.verdict import Verdict
from pipeline.testcases.suite_run import SuiteRun, TestOutcome

_SEVERAL = ("the tests", "the asserts")  # what an outcome is called that stands for all of them


def assessed(
    draft: Draft, suite: SuiteRun | None, verdict: Verdict | None, settings: Settings
) -> Judgement:
    """`suite`: what came of the caller's tests, None where there are none. `verdict`: None where
    facts spoke first."""
    checks = [suite] if suite else []
    issues = [*_issues(draft, suite), *_complaints(verdict, settings)]
    return Judgement(
        valid=not issues and verdict is not None,
        confidence_score=verdict.confidence_score if verdict else None,
        conflict_score=verdict.conflict_score if verdict else None,
        quality_score=confidence(verdict, draft, checks).value,
        issues=issues,
        evidence=[*_facts(draft, suite)],
    )


def _issues(draft: Draft, suite: SuiteRun | None) -> Iterator[Issue]:
    for finding in draft.findings:
        yield Issue(kind=finding.kind, message=finding.detail)
    if suite is None:
        return
    for test in suite.failed:
        yield Issue(kind="test", message=_said(test))
    if suite.problem or not suite.whole:
        yield Issue(kind="not_run", message=suite.problem or "The tests did not finish.")


def _complaints(verdict: Verdict | None, settings: Settings) -> Iterator[Issue]:
    reason = verdict.escalation(settings) if verdict else None
    if verdict is None or reason is None:
        return
    if verdict.error or verdict.confidence_score is None:
        yield Issue(kind="not_judged", message=f"It was not judged: {reason}")
    else:
        said = verdict.judgement_summary
        yield Issue(kind="judge", message=f"{said} ({reason})" if said else reason)


def _facts(draft: Draft, suite: SuiteRun | None) -> Iterator[KnownFact]:
    """What needed no opinion."""
    for finding in draft.findings:
        yield KnownFact(kind=finding.kind, detail=finding.detail, holds=False)
    if draft.decided:
        yield KnownFact(kind="example", detail="the request's examples pass", holds=True)
    for test in suite.done if suite else ():
        if test.status != "not run":
            yield KnownFact(kind="test", detail=_said(test), holds=test.status == "passed")


def failures(suite: SuiteRun) -> list[Finding]:
    """The tests that fail, as facts against the code."""
    return [Finding("coder", "test", _said(test)) for test in suite.failed]


def _said(test: TestOutcome) -> str:
    several = test.test in _SEVERAL
    if test.message:
        return f"{test.test} {'fail' if several else 'fails'}: {test.message}"
    return f"{test.test} {'pass' if several else 'passes'}"


def test_rows(suite: SuiteRun) -> list[dict[str, Any]]:
    """The tests as the record keeps them; one row that says so where none could be run."""
    rows = [
        {"name": test.test, "status": test.status, "error": test.message or None}
        for test in suite.done
    ]
    return rows or [{"name": "tests", "status": "not run", "error": suite.problem or None}]
