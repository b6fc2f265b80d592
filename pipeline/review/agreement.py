"""Which drafts agree: what each does on the same calls, run in the sandbox.

Right programs do the same, wrong ones are mostly wrong in ways of their own, so a large class is
right more often than any opinion on its text (2507.00057). Where they differ, tests that a model
writes tell them apart: many are wrong, but a wrong program seldom holds most of them (CodeT, arXiv
2207.10397)."""

import ast
import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.analysis.python_syntax import top_level
from pipeline.review.compiled_runs import results_of_compiled
from pipeline.review.query_runs import results_of_query
from pipeline.review.shell_comparison import results_of_shell
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, Arguments, Case, CaseResult
from pipeline.testcases.behaviour import (
    Behaviour,
    are_of_surroundings,
    classes,
    comes_to,
    in_same_words,
)
from pipeline.testcases.differences import Difference, differences
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.sample_databases import is_database
from pipeline.testcases.suite import Suite

_DIFFERENCES = 3  # calls that show in what drafts differ
AS_PROGRAM = Case(Arguments(), ANY_VALUE, name="run", stdin="")
"""Run from its first line to its last, without input."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """`classes`: numbers of drafts that do the same, the largest class first. `calls`: what they
    were called with, `AS_PROGRAM` alone for programs that were run, () where they could not be
    compared. `differing`: of how many of them not the same comes, `differences`: some of those.
    `held`: which of the tests that a model wrote each draft holds, by its number. `as_before`: the
    drafts that do nothing otherwise than the code that they are to change. `lacks`: why the values
    of a draft do not say what it does, by its number. `lacks_surroundings`: all that came of calls
    or tests is for want of what a sandbox does not have, such as a file."""

    classes: tuple[tuple[int, ...], ...]
    calls: tuple[Case, ...] = ()
    differing: int = 0
    differences: tuple[Difference, ...] = ()
    held: Mapping[int, Sequence[bool]] = field(default_factory=dict)
    as_before: frozenset[int] = frozenset()
    lacks: Mapping[int, str] = field(default_factory=dict)
    lacks_surroundings: bool = False

    @property
    def largest(self) -> tuple[int, ...]:
        return self.classes[0]

    @property
    def best(self) -> tuple[int, ...]:
        """The class that the answer is of: its drafts, times the tests that they hold; of equals
        the larger one, then the earlier."""
        return max(self.classes, key=self._worth)

    @property
    def chosen(self) -> int:
        """The number of the draft of that class that holds most tests; of equals the first."""
        return max(self.best, key=self.tests_held)

    def _worth(self, alike: Sequence[int]) -> tuple[int, int]:
        return len(alike) * max(map(self.tests_held, alike)), len(alike)

    def tests_held(self, number: int) -> int:
        return sum(self.held.get(number, ()))

    @property
    def holds_tests(self) -> bool:
        """Whether a draft of the best class holds more than half of the tests. The only draft has
        to hold all, two at least: it is chosen from nothing, and what holds most by itself is
        wrong as often as not (docs/studies/model_tests.md)."""
        held = self.tests_held(self.chosen)
        return 1 < held == self.tests if self.drafts == 1 else held * 2 > self.tests > 0

    @property
    def tests(self) -> int:
        """How many a model wrote."""
        return max(map(len, self.held.values()), default=0)

    @property
    def is_as_before(self) -> bool:
        """Whether the best draft does nothing otherwise than the code that it is to change."""
        return self.chosen in self.as_before

    @property
    def tells(self) -> bool:
        """Whether what the largest class gives says what it does, and that a change was made."""
        return self.largest[0] not in self.lacks and not self.is_as_before

    @property
    def drafts(self) -> int:
        """How many were compared."""
        return sum(map(len, self.classes))

    @property
    def is_of_programs(self) -> bool:
        """Whether they were run as programs, not called."""
        return self.calls == (AS_PROGRAM,)

    @property
    def decides(self) -> bool:
        """What the answer is: more than half of them do the same."""
        return self.decides_of(self.drafts)

    @property
    def convinces(self) -> bool:
        """Nobody need be asked: the only draft holds all tests, nobody differs or crashes, or at
        most one beside four that do the same. What three of five do is the better guess and no
        more, and so is which of several that differ holds most tests (docs/studies/agreement.md).
        Calls that give the same value each time, or none, say nothing, nor do those that show no
        change; and where no test holds, of two at least, the drafts may have one mistake in common.
        """
        if self.drafts == 1:
            return self.holds_tests and not self.is_as_before
        if self.tests > 1 and not self.tests_held(self.chosen):
            return False
        nobody_differs = len(self.classes) == 1
        hardly = len(self.largest) > 3 and self.best == self.largest
        return self.tells and self.decides and (nobody_differs or hardly)

    def decides_of(self, drafts: int) -> bool:
        """More than half of so many do the same."""
        return len(self.largest) > 1 and len(self.largest) * 2 > drafts

    def __str__(self) -> str:
        passed = f"{self.tests_held(self.chosen)} of {self.tests} model-written tests"
        if self.drafts == 1:
            return f"{passed} pass" if self.tests else "no other draft runs"
        said = self._alike if len(self.largest) > 1 else self._apart
        if self.is_as_before:
            said += ", and the chosen one does what the earlier code did"
        elif len(self.largest) > 1 and not self.tells:
            said += f", {self.lacks[self.largest[0]]}"
        if not self.tests:
            return said
        is_other = len(self.largest) > 1 and self.best != self.largest
        return f"{said}, another passes {passed}" if is_other else f"{said}, {passed} pass"

    @property
    def _alike(self) -> str:
        alike = f"{len(self.largest)} of {self.drafts} drafts"
        if self.is_of_programs:
            return f"{alike} print the same"
        return f"{alike} agree on {self._calls_of()}"

    @property
    def _apart(self) -> str:
        if self.is_of_programs:
            return f"no two of {self.drafts} drafts print the same"
        if not self.differing:
            return f"none of {self.drafts} drafts returns a value in {self._calls_of()}"
        return f"{self.drafts} drafts differ on {self.differing} of {self._calls_of()}"

    def _calls_of(self) -> str:
        """How many, and what they are."""
        n = len(self.calls)
        noun = "database" if any(map(is_database, self.calls)) else "call"
        return f"{n} {noun}{'' if n == 1 else 's'}"

    @property
    def tied(self) -> tuple[int, ...]:
        """The first draft of each class that is worth as much as the best."""
        most = self._worth(self.best)
        return tuple(each[0] for each in self.classes if self._worth(each) == most)

    def seen_from(self, number: int) -> list[dict[str, str]]:
        """The differences, as this draft sees them; none where it says nothing itself."""
        return [each.seen_from(number) for each in self.differences if number in each.came]

    def as_json(self) -> dict[str, Any]:
        return {
            "calls": [_named(call) for call in self.calls],
            "classes": [list(each) for each in self.classes],
            **({"as_before": True} if self.is_as_before else {}),
        }


def is_program(code: str) -> bool:
    """Whether Python code does something by itself: it calls, loops or asks for its own name
    outside of functions."""
    return any(map(_acts, top_level(code)))


def _acts(node: ast.stmt) -> bool:
    if isinstance(node, ast.Try):
        return any(map(_acts, node.body))
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return is_call or isinstance(node, ast.If | ast.For | ast.While | ast.With)


async def compare(
    run: Run,
    drafts: Mapping[int, Draft],
    calls: Sequence[Case],
    function: str,
    seen: dict[str, Behaviour] | None = None,
    before: str = "",
) -> Agreement:
    """Runs each program on all calls; one step of the record. `drafts`, of one
    language, by their numbers. `seen`: what programs did on these calls, by their texts; what is
    there is not run again. `before`: the code that they are to change, "" for none. Raises
    SandboxUnavailable."""
    with run.step("sandbox", "agreement") as step:
        seen = {} if seen is None else seen
        language = next(iter(drafts.values())).language or "python"
        texts = [*(each.text for each in drafts.values()), *filter(None, [before])]
        new = list(dict.fromkeys(text for text in texts if text not in seen))
        done = await asyncio.gather(
            *(_observe(run, text, calls, function, language) for text in new)
        )
        seen.update(zip(new, done, strict=True))
        numbers = list(drafts)
        known = [seen[before]] if before else []
        said = in_same_words([*known, *(seen[draft.text] for draft in drafts.values())])
        said = said[len(known) :]
        did, found = dict(zip(numbers, said, strict=True)), classes(said)
        outcomes = (each.outcomes for each in did.values())
        agreement = Agreement(
            tuple(tuple(numbers[place] for place in each) for each in found),
            tuple(calls),
            sum(len(set(came)) > 1 for came in zip(*outcomes, strict=False)),
            tuple(islice(differences(did, calls, function), _DIFFERENCES)),
            as_before=frozenset(n for n, each in did.items() if before and each == seen[before]),
            lacks={n: each.lack for n, each in did.items() if each.lack},
            lacks_surroundings=all(each.lacks_surroundings for each in did.values()),
        )
        step.note = str(agreement)
    return agreement


async def print_of(run: Run, text: str, language: str = "python") -> Behaviour:
    """What a program prints by itself; one step of the record. Raises SandboxUnavailable."""
    with run.step("sandbox", "agreement") as step:
        done = await _observe(run, text, (AS_PROGRAM,), "", language)
        step.note = f"it prints {'nothing' if done.says_nothing else 'something'} to compare"
    return done


async def hold_tests(
    run: Run, agreement: Agreement, drafts: Mapping[int, Draft], tests: Suite
) -> Agreement:
    """The agreement with which of the tests each draft holds; one step of the record. Raises
    SandboxUnavailable."""
    cases = tests.cases
    with run.step("sandbox", "tests of drafts") as step:
        texts = list(dict.fromkeys(each.text for each in drafts.values()))
        came = await asyncio.gather(
            *(results_of(run, text, cases, tests.function) for text in texts)
        )
        if all(map(are_of_surroundings, came, texts)):
            step.note = "they need something that the sandbox lacks"
            return replace(agreement, lacks_surroundings=True)
        held = {
            text: [*map(comes_to, results)] or [False] * len(cases)
            for text, results in zip(texts, came, strict=True)
        }
        by_number = {number: held[draft.text] for number, draft in drafts.items()}
        agreement = replace(agreement, held=by_number)
        step.note = str(agreement)
    return agreement


def _named(call: Case) -> str:
    """Its arguments; with its name, where it is not of the function that the others are of."""
    return f"{call.function}({call.input})" if call.function else call.input


async def _observe(
    run: Run, text: str, calls: Sequence[Case], function: str, language: str = "python"
) -> Behaviour:
    if calls != (AS_PROGRAM,):
        results = await results_of(run, text, calls, function, language)
        return await asyncio.to_thread(Behaviour.of, results, run.request.prompt, text, language)
    try:
        async with asyncio.timeout_at(run.deadline):
            limits = sandbox.Limits.of_calls(run.settings)
            ran = await sandbox.run_case(text, AS_PROGRAM, limits, language=language)
            return await asyncio.to_thread(Behaviour.of_output, ran, run.request.prompt)
    except TimeoutError:
        return Behaviour()


async def results_of(
    run: Run, text: str, calls: Sequence[Case], function: str, language: str = "python"
) -> Sequence[CaseResult]:
    """What comes of the calls, in one process; nothing where the run's time is used up. A program
    that has another name for the function is called by that. Of SQL each is a database."""
    if language == "sql":
        return await results_of_query(run, text, calls)
    if language == "bash":
        return await results_of_shell(run, text, calls, function)
    if sandbox.can_build(language):
        return await results_of_compiled(run, language, text, calls, function)
    try:
        async with asyncio.timeout_at(run.deadline):
            limits = sandbox.Limits.of_calls(run.settings)
            entry = await asyncio.to_thread(_called_in, text, function, language)
            calls = [_renamed(call, function, entry) for call in calls]
            return await sandbox.run_calls(text, calls, limits, entry=entry, language=language)
    except TimeoutError:
        return ()


async def results_by_try(
    run: Run,
    program: str,
    tries: Sequence[Sequence[Case]],
    entry: str = "",
    language: str = "python",
) -> list[list[CaseResult]]:
    """What comes of all of them, in one process; none where the run's time is used up. Raises
    SandboxUnavailable."""
    flat = [call for each in tries for call in each]
    results = iter(await results_of(run, program, flat, entry, language))
    return [list(islice(results, len(each))) for each in tries]


def _renamed(call: Case, function: str, entry: str) -> Case:
    """A session with what the program calls the function."""
    if entry == function or not call.session:
        return call
    return replace(call, session=re.sub(rf"\b{re.escape(function)}\b", entry, call.session))


def _called_in(text: str, function: str, language: str) -> str:
    """What a program calls the function, where it does not define that: drafts of a request that
    names none give it names of their own."""
    word = re.escape(function.rpartition(".")[2])
    bound = rf"\b{word}\b"
    if language == "python":
        bound = rf"\b(?:def|class|import|as)\s+{word}\b|^{word}\s*[:=]|\bimport\b.*\b{word}\b"
    has_it = re.search(bound, text, re.MULTILINE)
    return function if has_it else entry_of(text, "", language)
