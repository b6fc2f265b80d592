"""The sessions that drafts are tried with where values alone say nothing of them: of classes, of
functions that take functions or give one, of context managers, of linked nodes, of what works on
files; and runs of programs that read input or arguments."""

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.review.agreement import AS_PROGRAM, print_of, results_by_try
from pipeline.review.compiled_runs import wants_program
from pipeline.review.described_inputs import described_forms, runs_of_form
from pipeline.run import Run
from pipeline.sandbox import Case
from pipeline.sandbox.test_result import CaseResult
from pipeline.testcases import (
    array_sessions,
    async_sessions,
    file_sessions,
    function_sessions,
    object_sessions,
)
from pipeline.testcases.behaviour import Behaviour, differ, is_own_fault
from pipeline.testcases.manager_sessions import sessions_with_manager
from pipeline.testcases.node_sessions import sessions_with_nodes
from pipeline.testcases.program_runs import reads, sample_runs
from pipeline.testcases.surroundings import is_of_surroundings
from pipeline.testcases.typed_calls import calls_of_compiled
from pipeline.testcases.typed_sessions import is_named, sessions_of_compiled, type_of

KEPT, RAISING = 20, 5  # sessions that are kept, and of a class, of those that raise
TRIED = 30  # sessions
LEAST_ANSWERS = 5  # fewer say nothing of a class
RUNS = 160  # of a program, many of which say nothing
DESCRIBED = 40  # of a form of input that the request describes
RUNS_OF_JAVA, CALLS_OF_JAVA = 40, 12  # each starts a virtual machine
LEAST_RUNS = 3  # that it answers; fewer say nothing of a program
_SPEAKS_OF_END = re.compile(r"\bexit|\busage\b|\bstatus\b|\bwithout (?:any )?arg", re.IGNORECASE)
_MOST_READ = 20_000  # characters of a request

Sessions = Sequence[Case]


async def sessions_with_objects(
    run: Run, request: str, program: str, name: str
) -> tuple[Case, ...]:
    """Sessions with objects of a class, with the kind of arguments that the draft answers: those
    that it answers, and some that raise. Where it raises in most, they go on after that. () where
    it hardly answers, unless it falls over its own names: that is none to agree with. Raises
    SandboxUnavailable."""
    made = partial(object_sessions.sessions_of_class, program, name, request, TRIED)
    with run.step("sandbox", "objects") as step:
        best = await _best(run, program, made, object_sessions.FALLBACKS)
        if len(answered := _answered(best)) * 2 < len(best):
            going_on = partial(made, may_raise=True)
            other = await _best(run, program, going_on, object_sessions.FALLBACKS)
            best = max((best, other), key=lambda each: len(_answered(each)))
            answered = _answered(best)
        step.note = f"{name} answers {len(answered)} of {len(best)} sessions"
        if sum(_is_broken(each, name) for each in best) * 2 > len(best):
            return tuple(result.case for result in best[:KEPT])
        if len(answered) < LEAST_ANSWERS or not differ(answered):
            return ()
    raised = [result.case for result in best if not result.gave][:RAISING]
    return (*(result.case for result in answered[: KEPT - len(raised)]), *raised)


async def sessions_with_functions(
    run: Run, request: str, program: str, function: str
) -> tuple[Case, ...]:
    """Sessions with a function that takes functions, gives one, or takes linked nodes. Whether the
    draft answers them or not: one that falls over them all is none to agree with. () where nothing
    can be made that it takes. Raises SandboxUnavailable."""
    if nodes := await asyncio.to_thread(sessions_with_nodes, program, function, request, KEPT):
        return nodes
    made = partial(function_sessions.sessions_of_function, program, function, request, TRIED)
    with run.step("sandbox", "functions") as step:
        best = await _best(run, program, made, function_sessions.FALLBACKS, function)
        step.note = f"{function} answers {len(_answered(best))} of {len(best)} sessions"
        if not best:
            step.note = f"nothing can be made that {function} takes"
    return tuple(result.case for result in best[:KEPT])


async def sessions_with_managers(
    run: Run, request: str, program: str, name: str
) -> tuple[Case, ...]:
    """Sessions with a context manager, a function or a class; () where nothing can be made that it
    takes. Raises SandboxUnavailable."""
    made = partial(sessions_with_manager, program, name, request, TRIED)
    best = await _best_of(run, "context manager", program, made, function_sessions.FALLBACKS, name)
    return tuple(result.case for result in best[:KEPT])


async def sessions_with_files(
    run: Run, request: str, program: str, function: str
) -> tuple[Case, ...]:
    """Sessions with a function that works on files; () where it answers none, unless it falls over
    its own code: that is none to agree with. Raises SandboxUnavailable."""
    made = partial(file_sessions.sessions_with_files, program, function, request, TRIED)
    best = await _best_of(run, "files", program, made, file_sessions.FALLBACKS, function)
    tells = _answered(best) or sum(map(is_own_fault, best)) * 2 > len(best)
    return tuple(result.case for result in best[:KEPT]) if tells else ()


async def sessions_with_arrays(
    run: Run, request: str, program: str, function: str
) -> tuple[Case, ...]:
    """Sessions with a function that takes arrays or tables; () where it answers none, as without
    the packages that it imports, unless it falls over its own code. Raises SandboxUnavailable."""
    made = partial(array_sessions.sessions_with_arrays, program, function, request, TRIED)
    variants = array_sessions.fallbacks_of(request)
    best = await _best_of(run, "arrays and tables", program, made, variants, function)
    tells = _answered(best) or sum(map(is_own_fault, best)) * 2 > len(best)
    return tuple(result.case for result in best[:KEPT]) if tells else ()


async def sessions_with_coroutines(run: Run, program: str, function: str) -> tuple[Case, ...]:
    """Sessions with an async function; () where nothing can be made that it takes. Raises
    SandboxUnavailable."""
    made = partial(async_sessions.sessions_with_coroutines, program, function, TRIED)
    best = await _best_of(run, "coroutines", program, made, async_sessions.FALLBACKS, function)
    return tuple(result.case for result in best[:KEPT])


async def runs_of_program(
    run: Run, request: str, program: str, language: str = "python"
) -> tuple[Case, ...]:
    """Runs of a program that reads input, arguments or files: those of which different things come,
    and that it ends as usual, where the request speaks of no other end; of the form of input that
    the request describes, also some that raise. () where it hardly answers, unless it falls over
    its own code, or over each of them: another draft may not. Raises SandboxUnavailable."""
    is_java = language == "java"
    if not reads(program, request):
        return ()
    forms = await asyncio.to_thread(described_forms, program, request)
    few = KEPT if is_java else DESCRIBED
    described = [await asyncio.to_thread(runs_of_form, form, request, few) for form in forms]
    is_bounded = any(form.is_bounded for form in forms)
    ends = bool(_SPEAKS_OF_END.search(request[:_MOST_READ]))
    with run.step("sandbox", "runs") as step:
        results = await _of_form(run, program, described, language, ends)
        raised = [each.case for each in results if each.raised][:RAISING] if is_bounded else []
        if not results:
            n = RUNS_OF_JAVA if is_java else RUNS
            runs = await asyncio.to_thread(sample_runs, program, request, n)
            (results,) = await results_by_try(run, program, [runs], language=language)
        answered = [each for each in _answered(results) if ends or not each.ended]
        if not answered:  # it goes on asking
            answered = [each for each in _answered(results) if each.value]
        step.note = f"it answers {len(answered)} of {len(results)} runs"
        faults = [each for each in results if is_own_fault(each)]
        if not answered:
            faults = [each for each in results if _fell_over(each, program)]
        if len(faults) > len(answered):
            each_nth = max(1, len(faults) // KEPT)  # some of each kind of run
            return tuple(result.case for result in faults[::each_nth][:KEPT])
        outcomes = await asyncio.to_thread(Behaviour.of, answered, request, program)
        distinct: dict[str, CaseResult] = {}
        for outcome, result in zip(outcomes.outcomes, answered, strict=True):
            distinct.setdefault(outcome, result)
        step.note += f", {len(distinct)} differently"
    if len(answered) < LEAST_RUNS:
        return ()
    alike = [each for each in answered if each not in distinct.values()]
    kept = [result.case for result in [*distinct.values(), *alike][: KEPT - len(raised)]]
    return (*kept, *raised)


async def _of_form(
    run: Run, program: str, tries: Sequence[Sessions], language: str, ends: bool
) -> Sequence[CaseResult]:
    """What comes of the runs of the form that the program answers most; () where it answers less
    than half of each: it reads something else, or the request was misunderstood. `ends`: also with
    a status of its own."""
    if not tries:
        return ()
    results = await results_by_try(run, program, tries, language=language)
    answers = [sum(ends or not one.ended for one in _answered(each)) for each in results]
    best = max(range(len(results)), key=lambda at: answers[at])
    return results[best] if answers[best] * 2 >= len(results[best]) > 0 else ()


async def runs_of_compiled(run: Run, request: str, draft: Draft, function: str) -> tuple[Case, ...]:
    """Of a whole program that is asked for: `AS_PROGRAM` alone where it reads nothing. Calls of a
    function, else sessions with an object. () where it says nothing, or takes what cannot be made.
    Raises SandboxUnavailable."""
    language = draft.language or ""
    if not wants_program(request, draft.text):
        n = CALLS_OF_JAVA if language == "java" else KEPT
        return await asyncio.to_thread(_tries, language, draft.text, function, request, n)
    if runs := await runs_of_program(run, request, draft.text, language):
        return runs
    printed = await print_of(run, draft.text, language)
    return () if printed.says_nothing else (AS_PROGRAM,)


def _tries(language: str, program: str, function: str, request: str, n: int) -> tuple[Case, ...]:
    kind = type_of(language, program, "", request)
    sessions = sessions_of_compiled(language, kind, program, request, n) if kind else ()
    if kind and is_named(kind, request) and (sessions or language == "typescript"):
        return sessions  # its static methods say nothing of its objects
    return calls_of_compiled(language, program, function, request, n) or sessions


async def _best_of(
    run: Run,
    label: str,
    program: str,
    made: Callable[..., Sessions],
    fallbacks: Sequence[str],
    name: str,
) -> Sequence[CaseResult]:
    """As `_best`; one step of the record, which says how many of them are answered."""
    with run.step("sandbox", label) as step:
        best = await _best(run, program, made, fallbacks, name)
        step.note = f"{name} answers {len(_answered(best))} of {len(best)} sessions"
    return best


async def _best(
    run: Run,
    program: str,
    made: Callable[..., Sessions],
    fallbacks: Sequence[str],
    entry: str = "",
) -> Sequence[CaseResult]:
    """What comes of the sessions with the likeliest kind of arguments that the draft answers in
    half of them at least, as a number is refused where it is negative, and a text nowhere that
    keeps it unseen; else of those that it answers most."""
    made_of = [await asyncio.to_thread(made, fallback=kind) for kind in fallbacks]
    tries = list(dict.fromkeys(map(tuple, made_of)))  # where no name is untold, all are the same
    if not tries[0]:
        return ()
    results = await results_by_try(run, program, tries, entry)
    answers = [len(_answered(each)) for each in results]
    half = (each for each, n in zip(results, answers, strict=True) if n * 2 >= len(each) > 0)
    return next(half, results[max(range(len(results)), key=lambda at: answers[at])])


def _is_broken(result: CaseResult, name: str) -> bool:
    """Whether it fell over a name that nobody defines, or that objects of the class do not have:
    no argument can be the reason."""
    kinds = set(result.raised)
    lacks = "AttributeError" in kinds and f"'{name}' object has no attribute" in result.error
    return lacks or bool(kinds & {"NameError", "RecursionError"})


def _fell_over(result: CaseResult, program: str) -> bool:
    """Not for want of what a sandbox does not have."""
    raised = set(result.raised)
    return bool(raised) and not is_of_surroundings(raised, result.error, program)


def _answered(results: Sequence[CaseResult]) -> list[CaseResult]:
    return [result for result in results if result.gave]
