"""Examples that a model read in the request, and which of them each draft holds.

A model may pair the wrong values, so no draft is thrown away for them: one that holds all
is the answer, one that holds some is a better guess than one that holds none, and where none holds
all, that is told."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.review.agreement import results_of
from pipeline.review.draft_comparison import tests_as_json
from pipeline.review.other_functions import of_any_function
from pipeline.run import Run
from pipeline.sandbox import SandboxUnavailable
from pipeline.task import Task
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.suite import Suite

HOLD = "the examples that a model found in the request pass"
MOSTLY = "most of the examples that a model found in the request pass"
AT_MOST = "no other draft passes more of the examples that a model found in the request"
UNHELD = "not all examples that a model found in the request pass"
_NOT_RUN = "not run"


class HeldExamples:
    """`suite`: the examples of the task, one at least. Drafts are known by their texts: the same
    program is not run twice."""

    def __init__(self, run: Run, task: Task, suite: Suite) -> None:
        self._run, self._suite = run, suite
        self._named = find_examples(task.prompt).function
        self._held: dict[str, tuple[bool, ...]] = {}

    async def are_held_by(self, program: str) -> bool:
        """Whether it holds all of them: of the function that the request names, else its own; one
        step of the record."""
        if program not in self._held:
            with self._run.step("sandbox", "examples that a model read") as step:
                self._held[program] = await self._results(program)
                ran = f"{self.count(program)} of {len(self._suite.cases)} pass"
                step.note = ran if self._held[program] else _NOT_RUN
        return self.hold_for(program)

    async def _results(self, program: str) -> tuple[bool, ...]:
        """Which of them hold; () where they cannot be run, or not in time."""
        function = entry_of(program, self._named)
        try:
            came = await results_of(self._run, program, self._suite.cases, function)
            if not self._named:
                came = await of_any_function(self._run, program, came)
        except SandboxUnavailable:
            return ()
        return tuple(each.passed for each in came)

    def were_run_with(self, program: str) -> bool:
        return bool(self._held.get(program))

    def hold_for(self, program: str) -> bool:
        """Whether all of them are known to hold."""
        return self.count(program) == len(self._suite.cases)

    def mostly_hold_for(self, program: str) -> bool:
        """Whether more than half of them are known to hold."""
        return self.count(program) * 2 > len(self._suite.cases)

    def count(self, program: str) -> int:
        """How many of them it holds; 0 where it was not run."""
        return sum(self._held.get(program, ()))

    def most_of(self, programs: Mapping[int, str]) -> list[int]:
        """The numbers of the programs that hold most of them, in their order."""
        most = max(map(self.count, programs.values()), default=0)
        return [number for number, text in programs.items() if self.count(text) == most]

    def said_of(self, draft: Draft) -> Draft:
        """The draft with what they say of it. What it does not hold leaves it open: the model has
        read that wrong, or the draft is wrong, whatever others do."""
        held = self._held.get(draft.text)
        if not held:
            return draft
        if all(held):
            return replace(draft, decided=HOLD, undecided="")
        cases = zip(self._suite.cases, held, strict=True)
        unheld = ", ".join(self._suite.described(case) for case, came in cases if not came)
        facts = "\n".join(filter(None, (draft.facts, f"{UNHELD}: {unheld}.")))
        return replace(draft, decided="", undecided=f"{UNHELD}: {unheld}", facts=facts)

    def as_json(self, programs: Sequence[str], numbers: Sequence[int]) -> list[dict[str, Any]]:
        """What the record keeps: which drafts hold each, `numbers` by which they are known."""
        held = {at: self._held.get(text, ()) for at, text in enumerate(programs)}
        return tests_as_json(self._suite, held, numbers)
