"""The drafts of one request, weighed by tests that a model writes once, and compared on calls that
are made once for all of them."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.analysis.questions import asks_for_words
from pipeline.analysis.shown_classes import before_code
from pipeline.review.agreement import (
    AS_PROGRAM,
    Agreement,
    compare,
    hold_tests,
    is_program,
    print_of,
)
from pipeline.review.call_writer import find_calls, name_calls, named_beside, needs_sessions
from pipeline.review.kept_results import original_of
from pipeline.review.last_answer import python_of
from pipeline.review.session_writer import runs_of_program
from pipeline.review.shell_comparison import runs_of_shell
from pipeline.review.tester import is_called, write_tests_as_coder
from pipeline.run import Run
from pipeline.sandbox import Case, can_build
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.entry_point import defined, entry_of, function_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.object_sessions import class_asked_for
from pipeline.testcases.signature_fit import fits_parameters
from pipeline.testcases.suite import Suite
from pipeline.testcases.typed_calls import called_in
from pipeline.testcases.typed_sessions import is_named, type_of

_FUNCTION = re.compile(r"\b(?:functions?|methods?|def)\b", re.IGNORECASE)


class Comparison:
    """`agreement` is the last one, None where none could be had."""

    def __init__(self, run: Run, task: Task) -> None:
        self._run, self._task = run, task
        self._calls: tuple[Case, ...] | None = None
        self._named = False  # whether a model was asked for more of them
        self._seen: dict[str, Behaviour] = {}  # what comes of them, by the draft's text
        self._printed: dict[str, Behaviour] = {}  # by programs that were run, by their texts
        self._runs: dict[str, tuple[Case, ...]] = {}  # that programs are tried with
        self._tests: Suite | None = None
        self.agreement: Agreement | None = None

    @property
    def _function(self) -> str:
        """The function that the request names."""
        return find_examples(self._task.prompt).function

    async def may_be_with(self, draft: Draft) -> bool:
        """Whether others could be compared with this draft: not where words are asked for, chance
        decides what it does, or nothing is there to be called, nor with a program that prints
        nothing where it is run (it asks, draws, waits, lacks a file). Raises SandboxUnavailable."""
        draft = await self._whole(draft)
        language = draft.language or ""
        if asks_for_words(self._task.prompt):
            return False
        if language == "bash":
            self._calls = await self._find_calls([draft], await self._entry(draft))
            return bool(self._calls)
        if depends_on_chance(draft.text, language):
            return False
        if language in ("javascript", "sql") or can_build(language):
            self._calls = await self._find_calls([draft], await self._entry(draft))
            return bool(self._calls)
        if not await self._is_program([draft]):
            function = await self._entry(draft)
            if class_asked_for(self._task.prompt, draft.text, function):  # the first draft tells
                self._calls = await find_calls(self._run, self._task, [draft], function)
                return bool(self._calls)
            return function in defined(draft.text)
        if runs := await self._runs_of(draft):
            self._calls = runs
            return True
        if draft.text not in self._printed:
            self._printed[draft.text] = await print_of(self._run, draft.text)
        return not self._printed[draft.text].says_nothing

    async def weigh(self, number: int, draft: Draft) -> Agreement | None:
        """Which tests this draft, the only one yet, holds; None where none can be had: of programs,
        of classes, of several functions, of what takes or gives functions, of what chance decides,
        of JavaScript. Raises SandboxUnavailable."""
        draft = await self._whole(draft)
        function = await self._entry(draft)
        if (
            draft.language != "python"
            or depends_on_chance(draft.text)
            or class_asked_for(self._task.prompt, draft.text, function)
            or await asyncio.to_thread(needs_sessions, draft.text, function, self._task.prompt)
            or named_beside(self._task, [draft.text], function)
            or await self._is_program([draft])
        ):
            return None
        self._tests = await tests_of_function(self._run, self._task, function, draft.text)
        if not self._tests.cases:
            return None
        alone = Agreement(((number,),))
        self.agreement = await hold_tests(self._run, alone, {number: draft}, self._tests)
        return self.agreement

    async def of(self, drafts: Mapping[int, Draft], *, in_time: bool) -> Agreement | None:
        """What the drafts, by their numbers, do on calls that nobody has given a result for, what
        they print where a program is wanted; None where no calls can be named. Where functions
        differ, which tests each holds. Again only where there are others than the last time.
        `in_time`: there is time to ask a model. Raises SandboxUnavailable."""
        known = self.agreement
        if known and known.calls and known.drafts == len(drafts):
            return known
        drafts = {number: await self._whole(draft) for number, draft in drafts.items()}
        function = await self._entry(next(iter(drafts.values())))
        if self._calls is None:
            self._calls = await self._find_calls(list(drafts.values()), function)
        if not self._calls:
            return None
        agreement = await self._compared(drafts, function)
        is_asked = in_time and (agreement.decides or agreement.is_as_before)
        if is_asked and not agreement.tells and await self._name_more(drafts, function):
            agreement = await self._compared(drafts, function)
        differ = len(agreement.classes) > 1 and not agreement.lacks_surroundings
        if self._tests or differ:
            agreement = await self._told_apart(agreement, drafts, function, in_time)
        self.agreement = agreement
        return agreement

    async def _whole(self, draft: Draft) -> Draft:
        """With what its code takes from the request. JavaScript is TypeScript, too, whose classes
        are compared."""
        if draft.language == "javascript" and await self._asks_for_class_of(draft):
            return replace(draft, language="typescript")
        if draft.language != "python":
            return draft
        text = await asyncio.to_thread(before_code, draft.text, self._task.prompt)
        return replace(draft, text=text)

    async def _asks_for_class_of(self, draft: Draft) -> bool:
        kind = await asyncio.to_thread(type_of, "typescript", draft.text, "", self._task.prompt)
        return kind is not None and is_named(kind, self._task.prompt)

    async def _entry(self, draft: Draft) -> str:
        language, named = draft.language or "python", self._function
        if can_build(language):
            prompt = self._task.prompt
            return await asyncio.to_thread(called_in, language, draft.text, named, prompt)
        return entry_of(draft.text, named, language)

    async def _compared(self, drafts: Mapping[int, Draft], function: str) -> Agreement:
        assert self._calls
        seen = self._printed if self._calls == (AS_PROGRAM,) else self._seen
        before = ""
        held = all(draft.facts for draft in drafts.values())  # examples: they show the change
        is_python = next(iter(drafts.values())).language == "python"
        if seen is self._seen and self._task.talk and is_python and not held:
            before = await asyncio.to_thread(lambda: self._before)
        return await compare(self._run, drafts, self._calls, function, seen, before)

    async def _name_more(self, drafts: Mapping[int, Draft], function: str) -> bool:
        """Whether a model, once, names calls that may show more, or the change that is wanted."""
        first = next(iter(drafts.values()))
        is_typed = can_build(first.language or "")
        if self._named or is_typed or not all(map(_is_of_function, self._calls or ())):
            return False
        self._named = True
        more = await name_calls(self._run, self._task, first, function)
        if more:
            self._calls = (*(self._calls or ()), *more)
            self._seen.clear()  # it is what comes of all calls
        return bool(more)

    async def _told_apart(
        self, found: Agreement, drafts: Mapping[int, Draft], function: str, in_time: bool
    ) -> Agreement:
        """With which tests each holds; tests are of functions that are called, and written once."""
        called = all(map(_is_of_function, found.calls))
        if self._tests is None and called and in_time:
            first = next(iter(drafts.values())).text
            self._tests = await tests_of_function(self._run, self._task, function, first)
        if not (self._tests and self._tests.cases):
            return found
        return await hold_tests(self._run, found, drafts, self._tests)

    async def _find_calls(self, drafts: Sequence[Draft], function: str) -> tuple[Case, ...]:
        if drafts[0].language == "bash":
            return await runs_of_shell(self._run, self._task.prompt, drafts[0], function)
        if await self._is_program(drafts):
            if any(depends_on_chance(draft.text) for draft in drafts):
                return ()
            return await self._runs_of(drafts[0]) or (AS_PROGRAM,)
        return await find_calls(self._run, self._task, drafts, function)

    async def _runs_of(self, draft: Draft) -> tuple[Case, ...]:
        """Of a program that reads something, found out once. Raises SandboxUnavailable."""
        if draft.text not in self._runs:
            self._runs[draft.text] = await runs_of_program(self._run, self._task.prompt, draft.text)
        return self._runs[draft.text]

    async def _is_program(self, drafts: Sequence[Draft]) -> bool:
        return not self._function and await asyncio.to_thread(self._wants_program, drafts)

    @cached_property
    def _before(self) -> str:
        """The Python of a chat's last answer, where the request wants it to do something else; ""
        for none. Reads it, so that it is asked for in a thread."""
        if not self._task.talk or original_of(self._task):
            return ""
        return python_of(self._task.talk)

    def _wants_program(self, drafts: Sequence[Draft]) -> bool:
        """Whether the request speaks of no function, nor changes one, and each draft does something
        by itself."""
        before = self._before
        asks_for_function = _FUNCTION.search(self._task.prompt) or (
            defined(before) and not is_program(before)
        )
        return not asks_for_function and all(is_program(draft.text) for draft in drafts)

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
        kept: dict[str, Any] = {"agreement": found.as_json()} if found.calls else {}
        if found.calls and not (found.convinces and best in found.best):
            kept["differences"] = found.seen_from(best)
        if self._tests and found.held:
            kept["draft_tests"] = tests_as_json(self._tests, found.held, numbers)
        return kept

    def alike(self, place: int) -> int:
        """How many drafts do what this one does, itself included; 0 where it did not vote."""
        found = self.agreement
        classes = found.classes if found and found.calls else ()
        return next((len(each) for each in classes if place in each), 0)


def _is_of_function(call: Case) -> bool:
    """Neither a session nor a program's run: a model may name more such calls, and test them."""
    return not call.session and call.stdin is None


def tests_as_json(
    tests: Suite, held: Mapping[int, Sequence[bool]], numbers: Sequence[int]
) -> list[dict[str, Any]]:
    """What the record keeps of tests that a model gave: the drafts, by their places, that hold each
    as their numbers."""
    return [
        {
            "test": tests.described(test),
            "held_by": [numbers[place] for place, came in held.items() if came and came[at]],
        }
        for at, test in enumerate(tests.cases)
    ]


async def tests_of_function(run: Run, task: Task, function: str, program: str) -> Suite:
    """Tests that the coder's model writes from the request alone, beside its examples: those that
    call the function as the program has it. None of what is not called by a name, as a class."""
    anchors = replace(find_examples(task.prompt), function=function)
    if not is_called(anchors) or function not in defined(program):
        return Suite()
    suite = await write_tests_as_coder(run, task, anchors)
    head = function_of(program, function)
    cases = (case for case in suite.cases if not case.anchor)
    fitting = tuple(case for case in cases if head is None or fits_parameters(case, head))
    return replace(suite, cases=fitting)
