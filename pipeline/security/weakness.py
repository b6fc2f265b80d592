"""A weakness in a code text. Pure."""

from dataclasses import dataclass

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding

KIND = "security"  # of the findings in the record


@dataclass(frozen=True, slots=True)
class Weakness:
    """`rule` is what found it, `bandit B602`, or what a model calls it: `injection`. `line` counts
    from 1, 0 where it is not known."""

    rule: str
    detail: str
    line: int = 0

    def finding(self, source: DraftSource, known: Draft) -> Finding:
        """Evidence against a text. The same weakness in another text, `known`, has the same words,
        so that the two can be compared by them; so no line is named either."""
        words = (each.detail for each in known.findings if each.kind == KIND)
        alike = next((said for said in words if said.endswith(f"({self.rule})")), None)
        return Finding(source, KIND, alike or f"{self.detail} ({self.rule})")
