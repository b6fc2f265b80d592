"""What a run with tests did, as its record keeps it: tests, rounds, tests that do not count."""

from dataclasses import dataclass, field
from typing import Any

from pipeline.sandbox import Case
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft


@dataclass(slots=True)
class TestJournal:
    """Filled as the run goes on. `stopped`: why no further round was tried. `warnings`: what was
    left out of the tests, and why."""

    rounds: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stopped: str | None = None
    _passed_by: dict[str, dict[str, int]] = field(default_factory=dict)  # generated tests

    def add_round(
        self, round: int, attempt: TestedDraft, suite: Suite, label: str = "tests"
    ) -> None:
        """A program and how its tests went, as they were expected then. `label`: `review` for what
        the reviewer made at the end."""
        results = attempt.results(suite)
        self.rounds.append(
            {
                "round": round,
                "label": label,
                "source": attempt.source,
                "passed": sum(result.passed for result in results),
                "tests": len(results),
                "code": attempt.draft.text,
                "results": [result.as_json() for result in results],
            }
        )

    def leave_out(self, case: Case, passing: int, drafts: int) -> None:
        """Notes that a generated test does not count: so few of the drafts pass it."""
        self.left_out.append(case.as_json() | {"passed_by": passing, "drafts": drafts})

    def count(self, passing: dict[str, int], drafts: int, ran: int) -> None:
        """Keeps how many of the drafts pass each generated test, by its name. `ran`: drafts that
        could be tested; a test that all of these pass says nothing of any."""
        self._passed_by = {n: {"passed_by": by, "drafts": drafts} for n, by in passing.items()}
        idle = sum(by == ran for by in passing.values()) if ran > 1 else 0
        if idle:
            which = "1 test passes" if idle == 1 else f"{idle} tests pass"
            tells = "it does" if idle == 1 else "they do"
            self.warnings.append(f"{which} with every draft: {tells} not tell the drafts apart")

    def artefact(self, suite: Suite, final: TestedDraft) -> dict[str, Any]:
        """`final`: the attempt whose code is returned, with which the tests' status agrees."""
        results = final.results(suite)
        return {
            "function": suite.function,
            "tests": [
                result.case.as_json() | result.as_json() | self._passed_by.get(result.case.name, {})
                for result in results
            ],
            "rounds": self.rounds,
            "left_out": self.left_out,
            "stopped": self.stopped,
            "notes": self.warnings,
        }
