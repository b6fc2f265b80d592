"""The drafts of one request, compared: calls that are made once for all of them, and where the
drafts differ, tests that a model writes."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.review.agreement import AS_PROGRAM, Agreement, compare, hold_tests, is_program
from pipeline.review.call_writer import find_calls
from pipeline.review.tester import is_called, write_tests_as_coder
from pipeline.run import Run
from pipeline.sandbox import Case
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.example_search import find_examples
from pipeline.testcases.suite import Suite

_FUNCTION = re.compile(r"\b(?:functions?|methods?|def)\b", re.IGNORECASE)


class Comparison:
    """`agreement` is the last one, None where none could be had."""

    def __init__(self, run: Run, task: Task) -> None:
        self._run, self._task = run, task
        self._examples = find_examples(task.prompt)
        self._calls: tuple[Case, ...] | None = None
        self._seen: dict[str, Behaviour] = {}  # what comes of them, by the draft's text
        self._tests: Suite | None = None
        self.agreement: Agreement | None = None

    async def of(self, drafts: Mapping[int, Draft], *, in_time: bool) -> Agreement | None:
        """What the drafts, by their numbers, do on calls that nobody has given a result for, what
        they print where a program is wanted; None where no calls can be named. Where functions
        differ, which tests each holds. Again only where there are others than the last time.
        `in_time`: there is time to ask a model. Raises SandboxUnavailable."""
        if self.agreement and self.agreement.drafts == len(drafts):
            return self.agreement
        function = entry_of(next(iter(drafts.values())).text, self._examples.function)
        if self._calls is None:
            self._calls = await self._find_calls(list(drafts.values()), function)
        if not self._calls:
            return None
        agreement = await compare(self._run, drafts, self._calls, function, self._seen)
        if len(agreement.classes) > 1 and in_time and self._tests is None:
            self._tests = await self._write_tests(function, self._calls)
        if len(agreement.classes) > 1 and self._tests and self._tests.cases:
            agreement = await hold_tests(self._run, agreement, drafts, self._tests)
        self.agreement = agreement
        return agreement

    async def _find_calls(self, drafts: Sequence[Draft], function: str) -> tuple[Case, ...]:
        named = self._examples.function
        if not named and await asyncio.to_thread(self._wants_program, drafts):
            by_chance = any(depends_on_chance(draft.text) for draft in drafts)
            return () if by_chance else (AS_PROGRAM,)
        return await find_calls(self._run, self._task, drafts, function)

    def _wants_program(self, drafts: Sequence[Draft]) -> bool:
        """Whether the request speaks of no function, and each draft does something by itself."""
        asks_for_function = _FUNCTION.search(self._task.prompt)
        return not asks_for_function and all(is_program(draft.text) for draft in drafts)

    async def _write_tests(self, function: str, calls: Sequence[Case]) -> Suite:
        """From the request alone; of a function that is called by its name, no program or class."""
        anchors = replace(self._examples, function=function)
        if AS_PROGRAM in calls or any(call.session for call in calls) or not is_called(anchors):
            return Suite()
        suite = await write_tests_as_coder(self._run, self._task, anchors)
        return replace(suite, cases=tuple(case for case in suite.cases if not case.anchor))

    def prefer(self, number: int) -> Agreement:
        """Puts the class of this draft before those that are worth as much."""
        assert self.agreement
        first = sorted(self.agreement.classes, key=lambda each: (-len(each), number not in each))
        self.agreement = replace(self.agreement, classes=tuple(first))
        return self.agreement

    def as_json(self, best: int, numbers: Sequence[int]) -> dict[str, Any]:
        """What the record keeps of it, as the draft in the place `best` sees it; nothing where
        there was none. `numbers`: by which the drafts are known, in their places."""
        found = self.agreement
        if not found:
            return {}
        kept: dict[str, Any] = {"agreement": found.as_json()}
        if not found.convinces:
            kept["differences"] = found.seen_from(best)
        if found.tests:
            described = map((self._tests or Suite()).described, found.tests)
            held_by = (
                [numbers[place] for place, held in found.held.items() if held[at]]
                for at in range(len(found.tests))
            )
            rows = zip(described, held_by, strict=True)
            kept["draft_tests"] = [{"test": test, "held_by": by} for test, by in rows]
        return kept

    def alike(self, place: int) -> int:
        """How many drafts do what this one does, itself included; 0 where it did not vote."""
        classes = self.agreement.classes if self.agreement else ()
        return next((len(each) for each in classes if place in each), 0)
