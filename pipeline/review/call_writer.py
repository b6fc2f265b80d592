"""The calls that drafts are tried with: made from annotations where there are some, else of the
kinds of arguments that the draft turns out to take; where neither can be had, the coder's model
names them."""

import ast
import asyncio
from collections.abc import Sequence
from functools import partial

from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import write_conversation
from pipeline.run import Run
from pipeline.sandbox import Case
from pipeline.sandbox.test_result import Result
from pipeline.task import Task
from pipeline.testcases.parameter_kinds import likely_kinds
from pipeline.testcases.sample_calls import calls_by_annotation, calls_of_kinds, read_calls
from pipeline.testcases.seed_constants import Seeds, seeds_of

CALLS = 20
GUESSES, TRIES = 24, 3  # kinds of arguments, and calls with each, to find out what a draft takes
ASKED_FOR = 10  # by a small model; more are repetitions
_TOKENS = 160  # ten calls have a hundred; small models go on to any limit
CALLER = """\
TESTER. Write {n} calls of {function} that show how it behaves: ordinary, empty, smallest, \
largest, negative and repeated input. One call a line, with literal arguments; no results, nothing \
else."""


def write_prompt(task: Task, draft: Draft, function: str) -> list[Message]:
    """The general prompt; it goes on where the draft ended, as the judge's."""
    asked = CALLER.format(n=ASKED_FOR, function=function)
    return write_conversation(task, draft.as_said or draft.text, asked)


async def find_calls(
    run: Run, task: Task, drafts: Sequence[Draft], function: str
) -> tuple[Case, ...]:
    """At most CALLS; () where nobody can name one. Raises SandboxUnavailable."""
    programs = [draft.text for draft in drafts]
    annotated = [task.prompt, *programs]
    seeds = await asyncio.to_thread(seeds_of, task.prompt, programs, function)
    made = await asyncio.to_thread(calls_by_annotation, annotated, function, CALLS, seeds)
    made = made or await _tried(run, task, programs[0], function, seeds)
    return made or await _named(run, task, drafts[0], function)


async def _tried(
    run: Run, task: Task, program: str, function: str, seeds: Seeds
) -> tuple[Case, ...]:
    """Calls with the kinds of arguments for which the draft gives a value most often, of equals the
    likeliest; () where that is in half of the calls or less. A draft that gives the same whatever
    it is called with may be looking for something else: kinds have to be meant then."""
    guesses = await asyncio.to_thread(likely_kinds, program, function, task.prompt, GUESSES)
    tries = [calls_of_kinds(each.kinds, TRIES) for each in guesses]
    if not tries:
        return ()
    with run.step("sandbox", "kinds of arguments") as step:
        limits = sandbox.Limits.of_calls(run.settings)
        try:
            async with asyncio.timeout_at(run.deadline):
                flat = [call for each in tries for call in each]
                results = iter(await sandbox.run_calls(program, flat, limits, entry=function))
        except TimeoutError:
            return ()
        taken = [
            _taken([next(results) for _ in each], guess.is_meant)
            for each, guess in zip(tries, guesses, strict=True)
        ]
        best = max(range(len(tries)), key=lambda n: taken[n])
        if taken[best] * 2 <= 1:
            step.note = "none that it takes"
            return ()
        step.note = ", ".join(map(ast.unparse, guesses[best].kinds))
    return calls_of_kinds(guesses[best].kinds, CALLS, seeds)


def _taken(results: Sequence[Result], is_meant: bool) -> float:
    """In what part of the calls there was a value that says something."""
    values = [repr(result.value) for result in results if result.gave]
    return len(values) / len(results) if is_meant or len(set(values)) > 1 else 0.0


async def _named(run: Run, task: Task, draft: Draft, function: str) -> tuple[Case, ...]:
    """A model that cannot be had names none."""
    question = ModelRequest(
        "coder",
        partial(write_prompt, draft=draft, function=function),
        {"task": task},
        label="calls",
        max_tokens=_TOKENS,
        general=True,
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong):
        return ()
    return read_calls(answer.text, function)[:CALLS]
