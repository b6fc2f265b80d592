"""How far an answer can be trusted, 0 to 1, and what that is made of. Pure.

The judge's score is the start, or what decided in a judge's place. Facts only lower it, but for
tests that were run and passed:

| band | what it takes |
|---|---|
| 0.95–1.00 | the judge gives 9 or 10; tests were run, compared outside, and all passed |
| 0.85–0.94 | the judge gives 9 or 10, or what was run decided, no fact speaks against it |
| 0.70–0.84 | the judge gives 7 or 8, or there are tests and none could be run |
| 0.50–0.69 | the judge gives 5 or 6, or there was no verdict, or generated tests fail or are idle |
| 0.00–0.49 | the judge gives less, or a fact speaks against it: see `CAPS` |
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipeline.analysis.draft import Draft
from pipeline.review.verdict import Verdict
from pipeline.testcases.suite_run import IDLE, SuiteRun

CAPS: Mapping[str, float] = {
    "example": 0.45,
    "test": 0.45,
    "differs": 0.45,
    "unmended": 0.45,
    "crash": 0.3,
    "names": 0.45,
    "syntax": 0.3,
    "import": 0.3,
    "compile": 0.3,
    "behaviour": 0.3,
    "lost": 0.3,
    "truncated": 0.2,
    "unchanged": 0.2,
    "length": 0.1,
    "language": 0.1,
    "no_tests": 0.1,
    "prose": 0.05,
    "note": 0.05,
    "empty": 0.0,
}
UNTESTED = 0.94  # at most, where no test was run, or the program alone says what came of them
# Where nobody was asked, because examples, tests or agreeing drafts decided: of 95 answers of two
# small models that hold their one example 83 are right (docs/quality.md, MBPP).
DECIDED = 0.85
OWN_WORD = ", by the program's own word"
NOT_RUN = 0.84  # at most, where there are tests and none of them could be run
UNJUDGED = 0.5
TESTED = 0.05  # added where all tests that were run passed, and their values were compared
FAILING, FAILING_GIVEN = 0.65, 0.45  # generated tests may be wrong themselves, the caller's not
REFUSED = 0.15  # nothing was tried, because the request cannot be carried out


@dataclass(frozen=True, slots=True)
class Confidence:
    """`made_of` says in phrases what lowered and raised it."""

    value: float
    made_of: tuple[str, ...]


def confidence(verdict: Verdict | None, draft: Draft, checks: Iterable[SuiteRun]) -> Confidence:
    """The confidence in a code text; `checks` are all runs of tests against it."""
    value, made_of = _judged(verdict, draft)
    checks = [*checks]
    run = [each for each in checks if each.ran]
    if run and not any(each.failed for each in run):
        sure = are_sure(run)
        value = _with_tests(value) if sure else min(value, UNTESTED)
        ran = sum(each.ran for each in run)
        made_of.append(f"{ran} of {ran} tests pass{'' if sure else OWN_WORD}")
    elif not run:
        value = min(value, UNTESTED)
    for each in run:
        if each.failed:
            cap = FAILING_GIVEN if each.given else FAILING
            value = min(value, cap * each.passed / each.ran if each.given else cap)
            made_of.append(f"{len(each.failed)} of {each.ran} tests fail")
    if len(run) < len(checks):
        value = min(value, NOT_RUN)
        made_of.append("tests were not run")
    if any(each.idle for each in run):
        value = min(value, FAILING)
        made_of.append(IDLE)
    for finding in draft.findings:
        value = min(value, CAPS[finding.kind])
        made_of.append(finding.detail)
    return Confidence(round(min(1.0, max(0.0, value)), 2), tuple(made_of))


def are_sure(run: Iterable[SuiteRun]) -> bool:
    """Whether that all tests pass is more than the program says of itself."""
    return all(each.whole for each in run) and any(each.compared for each in run)


def _with_tests(value: float) -> float:
    return min(value + TESTED, _top_of_band(value)) if value > UNJUDGED else value


def _top_of_band(value: float) -> float:
    """Tests that pass do not lift an answer over what its judge thinks of it."""
    return next((top for top in (0.69, 0.84) if value <= top), 1.0)


def _judged(verdict: Verdict | None, draft: Draft) -> tuple[float, list[str]]:
    """What decided in a judge's place counts where none was asked. An answer that departs from its
    request is no better than that, whatever it is worth by itself."""
    if verdict is None and draft.decided:
        return DECIDED, [draft.decided]
    if verdict is None:
        return UNJUDGED, [draft.undecided] if draft.undecided else []
    sure, torn = verdict.confidence_score, verdict.conflict_score
    if sure is None or torn is None:
        return UNJUDGED, [f"not judged: {verdict.error or 'no verdict'}"]
    return min(sure, 11 - torn) / 10, [f"judge: confidence {sure}, conflict {torn}"]
