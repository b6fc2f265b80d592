"""One attempt at an answer, with all that is known about it. Pure."""

from dataclasses import dataclass, replace
from typing import Any

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.codegen.code_facts import is_fatal
from pipeline.codegen.code_task import CodeTask
from pipeline.review.confidence import Confidence, confidence
from pipeline.review.held_examples import UNHELD
from pipeline.review.verdict import Verdict
from pipeline.testcases.suite_run import IDLE, SuiteRun


@dataclass(frozen=True, slots=True)
class Candidate:
    """`verdict` is None where facts spoke before the judge was asked. `checks` are the runs of the
    caller's tests and of those written for it."""

    task: CodeTask
    draft: Draft
    source: DraftSource
    verdict: Verdict | None
    checks: tuple[SuiteRun, ...] = ()

    @property
    def to_judge(self) -> Draft:
        """The draft; what was run decides nothing where opinion is wanted."""
        return replace(self.draft, decided="") if self.task.wants_opinion else self.draft

    @property
    def confidence(self) -> Confidence:
        return confidence(self.verdict, self.to_judge, self.checks)

    @property
    def faults(self) -> list[str]:
        """Why it is no answer at all."""
        faults = [each.detail for each in self.draft.findings if is_fatal(each, self.task)]
        return faults + [
            f"{len(each.failed)} of the {each.ran} tests that it has to pass fail"
            for each in self._failing
            if each.given
        ]

    @property
    def success(self) -> bool:
        return not self.faults

    @property
    def rank(self) -> tuple[bool, bool, float, int]:
        findings = -len(self.draft.findings)
        return self.success, not self._fails_examples, self.confidence.value, findings

    @property
    def _fails_examples(self) -> bool:
        """Those that a model reads in the request."""
        return self.draft.undecided.startswith(UNHELD)

    @property
    def _failing(self) -> list[SuiteRun]:
        return [each for each in self.checks if each.failed]

    def escalation(self, doubt: str | None) -> str | None:
        """Why it has to be reviewed, or None. `doubt`: what verdict or drafts have against it."""
        failing = [f"{len(each.failed)} of {each.ran} tests fail" for each in self._failing]
        reasons = [
            self.draft.fault,
            f"evidence: {'; '.join(failing)}" if failing else None,
            f"evidence: {IDLE}" if any(each.idle for each in self.checks) else None,
            doubt,
        ]
        return "; ".join(filter(None, reasons)) or None

    @property
    def complaints(self) -> str:
        """What was found wrong with it, for whoever writes the next one."""
        said = [finding.detail for finding in self.draft.findings]
        said += [self.draft.undecided] if self._fails_examples else []
        said += [each.facts for each in self.checks if each.failed or each.idle]
        if self.verdict and self.verdict.judgement_summary:
            said.append(self.verdict.judgement_summary)
        return "\n".join(said) or f"The confidence in it is {self.confidence.value:.2f}."

    @property
    def facts(self) -> str:
        """What is known for certain, for judge and explainer."""
        said = [finding.detail for finding in self.draft.findings]
        return "\n".join([*said, *filter(None, (each.facts for each in self.checks))])

    def as_json(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "code": self.draft.text,
            "confidence": self.confidence.value,
            "made_of": list(self.confidence.made_of),
            "findings": [finding.as_json() for finding in self.draft.findings],
            "verdict": self.verdict.as_json() if self.verdict else None,
            "checks": [run.as_json() for run in self.checks],
        }
