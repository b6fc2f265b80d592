"""A code text on its way through a flow, with the facts against it."""

from dataclasses import dataclass

from pipeline.code import extract_code
from pipeline.evidence import Finding, examine, language_of

UNRUNNABLE = ("empty", "truncated", "syntax", "import")


@dataclass(frozen=True, slots=True)
class Draft:
    """Extracted code of the coder or the reviewer, its language where known, and its findings."""

    text: str
    language: str | None
    findings: tuple[Finding, ...]

    @property
    def fault(self) -> str | None:
        """The facts as an escalation reason: `evidence: syntax error at line 3`, or None."""
        if not self.findings:
            return None
        return "evidence: " + "; ".join(finding.detail for finding in self.findings)

    @property
    def whole(self) -> bool:
        """Not empty and not cut off: it can be handed to a person."""
        return not any(finding.kind in ("empty", "truncated") for finding in self.findings)

    @property
    def runs(self) -> bool:
        """As far as is known: it parses and imports."""
        return not any(finding.kind in UNRUNNABLE for finding in self.findings)

    def fails_beyond(self, other: "Draft") -> str | None:
        """What this text fails that the other passes, as a phrase, or None. Against a text that
        does not even run, nothing is worse."""
        known = {finding.detail for finding in other.findings}
        new = [finding.detail for finding in self.findings if finding.detail not in known]
        return "; ".join(new) if other.runs and new else None


def read_draft(
    stage: str, reply: str, request: str, language: str | None = None, *, truncated: bool = False
) -> Draft:
    """Takes the code out of a stage's reply and examines it. `language`: what the caller knows."""
    code = extract_code(reply)
    spoken = language_of(code.text, code.language or language, request)
    findings = examine(stage, code.text, spoken, truncated=truncated)
    return Draft(code.text, spoken, tuple(findings))
