"""What other thresholds would have done to the runs on record. No model is asked."""

from dataclasses import dataclass
from itertools import product

from dashboard.filters import Filter, and_term
from dashboard.numbers import SCORES, Bar
from history.results import RunCounts
from history.run_index import Index


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """The runs with these scores: how many passed, and how many escalated."""

    confidence: int
    conflict: int
    passed: int
    escalated: int
    escalates: bool
    """With the other thresholds."""

    @property
    def runs(self) -> int:
        return self.passed + self.escalated


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The runs with a readable verdict, under the thresholds that were in force and under others.

    `released` would no longer escalate, `added` would (the sum of its bars). What escalated for
    another reason (evidence, an unreadable verdict) is not among them: no threshold changes it.
    Not `exact`: only the newest runs that fit the filter were counted. `cells` has every pair of
    scores.
    """

    confidence: int
    conflict: int
    runs: int
    exact: bool
    escalated: int
    would_escalate: int
    released: Bar
    added: tuple[Bar, ...]
    cells: list[ScoreCell]


def what_if(index: Index, filter: Filter, confidence: int, conflict: int) -> WhatIf:
    """What if a run escalated with a confidence below or a conflict above these? Reads files: call
    it in a thread."""
    counted, text = index.run_counts(filter), filter.text
    cells = list(_cells(counted, confidence, conflict))
    released = sum(cell.escalated for cell in cells if not cell.escalates)
    escalated = sum(cell.escalated for cell in cells)
    added = _added(cells, text, confidence, conflict)
    return WhatIf(
        confidence=confidence,
        conflict=conflict,
        runs=sum(cell.runs for cell in cells),
        exact=counted.exact,
        escalated=escalated,
        would_escalate=escalated - released + sum(bar.runs for bar in added),
        released=Bar("would not have escalated", released, _released(text, confidence, conflict)),
        added=added,
        cells=cells,
    )


def _cells(counted: RunCounts, confidence: int, conflict: int) -> list[ScoreCell]:
    runs = counted.counts.runs
    return [
        ScoreCell(
            sure,
            torn,
            runs.get(("scores", f"{sure} {torn} pass"), 0),
            runs.get(("scores", f"{sure} {torn} escalated"), 0),
            sure < confidence or torn > conflict,
        )
        for sure, torn in product(SCORES, SCORES)
    ]


def _released(text: str, confidence: int, conflict: int) -> str:
    return _and(
        text,
        ("verdict", "escalated"),
        ("confidence", f">={confidence}"),
        ("conflict", f"<={conflict}"),
    )


def _added(cells: list[ScoreCell], text: str, confidence: int, conflict: int) -> tuple[Bar, ...]:
    """No filter says `or`: two that have no run in common."""
    low = sum(cell.passed for cell in cells if cell.confidence < confidence)
    both = sum(cell.passed for cell in cells if cell.escalates)
    passed = ("verdict", "pass")
    return (
        Bar("low confidence", low, _and(text, passed, ("confidence", f"<{confidence}"))),
        Bar(
            "high conflict",
            both - low,
            _and(text, passed, ("confidence", f">={confidence}"), ("conflict", f">{conflict}")),
        ),
    )


def _and(text: str, *terms: tuple[str, str]) -> str:
    for key, value in terms:
        text = and_term(text, key, value)
    return text
