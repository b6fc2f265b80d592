"""The calls that drafts are tried with: made from annotations where there are some, else of the
kinds of arguments that the draft turns out to take; where neither can be had, the coder's model
names them."""

import ast
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.analysis.undefined_names import words_in
from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.agreement import results_by_try
from pipeline.review.conversation import write_conversation
from pipeline.review.query_runs import databases_for
from pipeline.review.session_writer import (
    runs_of_compiled,
    sessions_with_arrays,
    sessions_with_coroutines,
    sessions_with_files,
    sessions_with_functions,
    sessions_with_managers,
    sessions_with_objects,
)
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, Arguments, Case, can_build
from pipeline.sandbox.test_result import CaseResult
from pipeline.task import Task
from pipeline.testcases.array_parameters import takes_tables
from pipeline.testcases.async_sessions import is_async
from pipeline.testcases.behaviour import differ
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.entry_point import defined, takes_something
from pipeline.testcases.file_sessions import takes_files
from pipeline.testcases.function_sessions import deals_in_functions
from pipeline.testcases.manager_sessions import manages_context
from pipeline.testcases.node_sessions import takes_nodes
from pipeline.testcases.object_sessions import class_asked_for
from pipeline.testcases.parameter_kinds import likely_kinds
from pipeline.testcases.sample_calls import calls_by_annotation, calls_of_kinds, read_calls
from pipeline.testcases.script_samples import calls_of_javascript
from pipeline.testcases.seed_constants import Seeds, seeds_of

CALLS, BESIDE = 20, 3  # of a function; other functions that are called
GUESSES, TRIES = 24, 3  # kinds of arguments, and calls with each, to find out what a draft takes
LEAST_CALLS = 3  # that a model names; fewer say nothing of a function
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
    """At most CALLS of the function, and of others that the request names and all drafts define:
    they may differ there alone. () where it is not defined, where nobody can name one, and
    where a draft gives what chance has it give. Raises SandboxUnavailable."""
    programs, language = [draft.text for draft in drafts], drafts[0].language or ""
    if any(depends_on_chance(program, language) for program in programs):
        return ()
    if language == "sql":
        return await databases_for(run, task, drafts[0])
    if can_build(language):
        return await runs_of_compiled(run, task.prompt, drafts[0], function)
    if language == "javascript":
        return await asyncio.to_thread(
            calls_of_javascript, programs[0], function, task.prompt, CALLS
        )
    asked_for = class_asked_for(task.prompt, programs[0], function)
    if manages_context(programs[0], asked_for or function):
        return await sessions_with_managers(run, task.prompt, programs[0], asked_for or function)
    if asked_for:
        return await sessions_with_objects(run, task.prompt, programs[0], asked_for)
    if function not in defined(programs[0]):
        return ()
    sessions = await _sessions(run, task.prompt, programs[0], function)
    if sessions is not None:
        for name in named_beside(task, programs, function)[:BESIDE] if sessions else ():
            sessions += await _sessions(run, task.prompt, programs[0], name) or ()
        return sessions
    if not takes_something(programs[0], function):
        return (Case(Arguments(), ANY_VALUE, name="call 1"),)
    calls = await make_calls(run, task.prompt, programs, function)
    calls = calls or await name_calls(run, task, drafts[0], function)
    for name in named_beside(task, programs, function)[:BESIDE] if calls else ():
        beside = await make_calls(run, task.prompt, programs, name)
        calls += tuple(replace(each, function=name) for each in beside)
    return calls


async def _sessions(run: Run, request: str, program: str, function: str) -> tuple[Case, ...] | None:
    """None for a function that plain values say something of. Raises SandboxUnavailable."""
    if await asyncio.to_thread(takes_files, program, function):
        return await sessions_with_files(run, request, program, function)
    if await asyncio.to_thread(takes_tables, program, function, request):
        return await sessions_with_arrays(run, request, program, function)
    if await asyncio.to_thread(is_async, program, function):
        return await sessions_with_coroutines(run, program, function) or None
    if await asyncio.to_thread(needs_sessions, program, function, request):
        return await sessions_with_functions(run, request, program, function) or None
    return None


def needs_sessions(program: str, function: str, request: str) -> bool:
    """Whether a function takes functions, linked nodes, arrays, tables or the names of files, gives
    a function, manages a context or is a coroutine's: plain values say nothing of it."""
    return (
        deals_in_functions(program, function)
        or takes_files(program, function)
        or is_async(program, function)
        or takes_nodes(program, function)
        or manages_context(program, function)
        or takes_tables(program, function, request)
    )


def named_beside(task: Task, programs: Sequence[str], function: str) -> list[str]:
    """Other functions that the request names and all programs define."""
    return sorted(words_in(task.prompt).intersection(*map(defined, programs)) - {function})


async def make_calls(
    run: Run, request: str, programs: Sequence[str], function: str
) -> tuple[Case, ...]:
    """Without a model: of the annotations, else of what the first program takes. Raises
    SandboxUnavailable."""
    annotated = [request, *programs]
    seeds = await asyncio.to_thread(seeds_of, request, programs, function)
    made = await asyncio.to_thread(calls_by_annotation, annotated, function, CALLS, seeds)
    return made or await _tried(run, request, programs[0], function, seeds)


async def _tried(
    run: Run, request: str, program: str, function: str, seeds: Seeds
) -> tuple[Case, ...]:
    """Calls with the kinds of arguments for which the draft gives a value most often, of equals the
    likeliest; () where that is in half of the calls or less. A draft that gives the same whatever
    it is called with may be looking for something else: kinds have to be meant then."""
    guesses = await asyncio.to_thread(likely_kinds, program, function, request, GUESSES)
    tries = [calls_of_kinds(each.kinds, TRIES, seeds) for each in guesses]
    if not tries:
        return ()
    with run.step("sandbox", "kinds of arguments") as step:
        results = await results_by_try(run, program, tries, function)
        taken = [_taken(each, guess.is_meant) for each, guess in zip(results, guesses, strict=True)]
        best = max(range(len(tries)), key=lambda n: taken[n])
        if taken[best] * 2 <= 1:
            step.note = "none that it takes"
            return ()
        step.note = ", ".join(map(ast.unparse, guesses[best].kinds))
    return calls_of_kinds(guesses[best].kinds, CALLS, seeds)


def _taken(results: Sequence[CaseResult], is_meant: bool) -> float:
    """In what part of the calls there was a value that says something."""
    values = [result for result in results if result.gave]
    return len(values) / len(results) if values and (is_meant or differ(values)) else 0.0


async def name_calls(run: Run, task: Task, draft: Draft, function: str) -> tuple[Case, ...]:
    """Those that the coder's model names. One that cannot be had names none, and one that names a
    few has not understood."""
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
    calls = read_calls(answer.text, function)[:CALLS]
    return calls if len(calls) >= LEAST_CALLS else ()
