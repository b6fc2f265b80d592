"""New code held against the original, whose results it has to give, or, as a repair, must not: both
are called with the same generated arguments, in processes of their own, and compared outside of
them."""

import ast
import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pipeline.analysis.definitions import changed_names
from pipeline.analysis.python_syntax import top_level
from pipeline.errors import SandboxUnavailable
from pipeline.review.call_writer import make_calls
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult, Foreign, Limits, run_calls, run_case
from pipeline.sandbox.value_comparison import in_one_order, same
from pipeline.testcases.behaviour import Behaviour, effect
from pipeline.testcases.case_runner import can_run
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.entry_point import needed_parameters
from pipeline.testcases.sample_calls import calls_of_values
from pipeline.testcases.script_samples import script_calls
from pipeline.testcases.seed_constants import seeds_of

FUNCTIONS = 6  # that are compared, and calls of each
CALLS = 12
ENOUGH = 5  # of which the original gives something: fewer do not tell that all is kept
_SAID = 300  # characters of a difference
# What code that is wrong by itself raises.
_CRASHES = {
    *("IndexError", "KeyError", "NameError", "RecursionError", "UnboundLocalError"),
    *("ValueError", "ZeroDivisionError", "AttributeError", "TypeError"),
}
_LINE = re.compile(r" \(line \d+\)$")  # in what is said of an exception
# For what looks at the kinds of what it is given: what is in a list may be one.
_LOOKS_AT_KINDS = re.compile(
    r"\bisinstance\([^()]*[(, ](?:list|tuple|dict|set)\b"
    r"|\btype\(\w+\) (?:==|is|in) \(?(?:list|tuple)\b"
)
_NESTED: tuple[Any, ...] = (
    *([[1, [2]], 3], [1, [2, [3, [4]], 5], 6], [[], [[]]]),
    *([(1, [2]), "ab"], [{"b": [1]}, [2]]),
)
_MOST_TEXTS = 6
_MOST_PARAMETERS = 3  # of a function without annotations: more are seldom hit by chance
# Where nothing says what a parameter takes, with values that come several times. What raises in the
# original is left out.
_VALUES: tuple[Any, ...] = (
    *(3, "ab ca", [3, 1, 3, 2, 3], 0, "", []),
    *(["b", "a", "b"], {"a": 1}, -2, 2.5, None),
)


@dataclass(frozen=True, slots=True)
class Original:
    """The code that new code is held against. The `request` may name values to call it with."""

    code: str
    language: str
    request: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of the calls for which the original gives something: how many they are, whether
    they are enough to tell that the new code does the same, and the first that does not, as a
    phrase, "" for none."""

    calls: int = 0
    is_enough: bool = False
    difference: str = ""


async def kept(run: Run, original: Original, text: str) -> Kept:
    """Whether the new code does what the original does. No calls where nothing can be run here, and
    where the original does not give the same twice, but by chance."""
    if await asyncio.to_thread(depends_on_chance, original.code, original.language):
        return Kept()
    programs = (original.code, original.code, text)
    came = await _called(run, original, text, programs, _is_known)
    ordered = all(same(again.value, old.value) for old, again, _ in came)
    differing = (_said(old, now) for old, _, now in came if _differ(old, now, ordered))
    is_enough = len(came) >= ENOUGH and _tells([old for old, *_ in came])
    difference = next((f"it does not do the same: {each}"[:_SAID] for each in differing), "")
    return Kept(len(came), is_enough, difference)


async def new_crash(run: Run, original: Original, text: str, excused: set[str]) -> str:
    """The first call for which the original gives a value and the new code falls over itself, as a
    phrase; "" for none. What it raises by its own words is meant, a function may take more than it
    took, and one that gives something else may be another one. `excused`: exceptions that say
    nothing."""
    kinds = {each for each in _CRASHES - excused if not re.search(rf"\braise {each}\b", text)}
    came = await _called(run, original, text, (original.code, text), lambda old, _: old.gave)
    given = [same(old.value, now.value) for old, now in came if now.gave]
    if sum(given) * 2 < len(given):
        return ""  # it is to do something else
    alike = await asyncio.to_thread(_of_same_arguments, original.code, text) if came else set()
    for old, now in came:
        raised = now.raised[0] if now.raised else ""
        if raised in kinds and old.value is not None and old.case.function in alike:
            return f"it crashes where the earlier code did not: {_said(old, now)}"[:_SAID]
    return ""


def _of_same_arguments(one: str, other: str) -> set[str]:
    """The functions of both that have to be given the same."""
    before, after = (
        {name: [each.arg for each in needed_parameters(node)] for name, node in found.items()}
        for found in map(_functions, (one, other))
    )
    return {name for name in before if before[name] == after.get(name)}


async def likeness(run: Run, original: Original, text: str) -> str:
    """That a repair does what the original did, as a phrase; "" where any call tells them apart,
    and where calls say too little of what it changed."""
    came = await _called(run, original, text, (original.code, text), lambda *_: True)
    if not came or any(map(_is_mended, *zip(*came, strict=True))):
        return ""
    language = original.language
    changed = await asyncio.to_thread(changed_names, language, original.code, text)
    called = all(_tells([old for old, _ in came if old.case.function == name]) for name in changed)
    if called and language == "python":
        called = all(
            _is_all_called(each, name) for name in changed for each in (original.code, text)
        )
    if not (changed and called):
        return ""
    return f"it still does what the original code did, in all {len(came)} calls"


def _is_mended(old: CaseResult, new: CaseResult) -> bool:
    """Whether anything else comes of a call; of what is raised, the message counts, but not where
    it is raised."""
    raised = old.came == new.came == "raised"
    said = raised and _LINE.sub("", old.error) != _LINE.sub("", new.error)
    return said or Behaviour.of([old]) != Behaviour.of([new])


def _tells(results: Sequence[CaseResult]) -> bool:
    """Whether what a function gives says what it does; where it gives None, what it prints, or does
    to its arguments."""
    did = Behaviour.of(results)
    gives = any(each.gave and (each.value is not None or effect(each)) for each in results)
    return gives and not did.says_nothing and len(set(did.outcomes)) > 1


def _is_all_called(program: str, name: str) -> bool:
    """Whether calls give a function all that it takes, and it prints nothing besides."""
    function = _functions(program).get(name)
    if function is None:
        return False
    given = function.args
    is_more = given.kwonlyargs or given.vararg or given.kwarg
    prints = any(isinstance(node, ast.Name) and node.id == "print" for node in ast.walk(function))
    return not (is_more or prints) and len(needed_parameters(function)) == len(given.args)


async def _called(
    run: Run,
    original: Original,
    text: str,
    programs: Sequence[str],
    is_compared: Callable[..., bool],
) -> list[tuple[CaseResult, ...]]:
    """What comes of each call of what both the original and the `text` define, in each of the
    programs, where that `is_compared`; [] where nothing can be run here."""
    language = original.language
    if run.settings.EVIDENCE_RUN == "off" or not can_run(language, programs=False):
        return []
    limits = Limits.of_calls(run.settings)
    try:
        async with asyncio.timeout_at(run.deadline):
            calls = await _calls(run, original, text)
            if not calls:
                return []
            with run.step("sandbox", "original") as step:
                came = await asyncio.gather(
                    *(_run(language, each, calls, limits) for each in programs)
                )
                rows = [each for each in zip(*came, strict=True) if is_compared(*each)]
                step.note = f"{len(rows)} calls compared"
    except (TimeoutError, SandboxUnavailable):
        return []
    return rows


async def _run(
    language: str, program: str, calls: Sequence[Case], limits: Limits
) -> Sequence[CaseResult]:
    """Bash has a process for each call; after one that does not end, no more are made."""
    if language != "bash":
        return await run_calls(program, calls, limits, language=language)
    results: list[CaseResult] = []
    for call in calls:
        is_endless = bool(results) and results[-1].came in ("timeout", "cpu")
        results.append(
            results[-1].of(call)
            if is_endless
            else await run_case(program, call, limits, language=language)
        )
    return results


async def _calls(run: Run, original: Original, text: str) -> tuple[Case, ...]:
    """Calls of the functions that both define; of scripts, of those of the original."""
    if original.language != "python":
        return await asyncio.to_thread(
            script_calls, original.language, original.code, FUNCTIONS, CALLS
        )
    programs = (original.code, text)
    before, after = await asyncio.to_thread(lambda: [*map(_functions, programs)])
    found: list[Case] = []
    for name in islice((name for name in before if name in after), FUNCTIONS):
        made = await make_calls(run, original.request, programs, name)
        calls = made[:CALLS] or await asyncio.to_thread(_untyped, before[name])
        if len(needed_parameters(before[name])) == 1:
            more = await asyncio.to_thread(_further, original, name)
            calls = (*calls, *(replace(call, name=f"further {call.name}") for call in more))
        found += [replace(call, function=name, name=f"{name} {call.name}") for call in calls]
    return tuple(found)


def _further(original: Original, name: str) -> tuple[Case, ...]:
    """Calls with one value that nothing else tells of: texts that the request has, which may be in
    a form of their own, and lists in lists where it matters what is in one."""
    texts = seeds_of(original.request, (), name).texts[:_MOST_TEXTS]
    nested = _NESTED if _LOOKS_AT_KINDS.search(original.code) else ()
    values = (*texts, *nested)
    return calls_of_values(values, (), 1, len(values))


def _functions(program: str) -> dict[str, ast.FunctionDef]:
    """The public functions at the top of a program."""
    found = (node for node in top_level(program) if isinstance(node, ast.FunctionDef))
    return {node.name: node for node in found if not node.name.startswith("_")}


def _untyped(function: ast.FunctionDef) -> tuple[Case, ...]:
    given = function.args
    needed = len(given.args) - len(given.defaults)
    if not 0 < needed <= _MOST_PARAMETERS or None in given.kw_defaults:
        return ()
    return calls_of_values(_VALUES, _VALUES[:4], needed, 2 * CALLS)


def _is_known(first: CaseResult, again: CaseResult, new: CaseResult) -> bool:
    """Whether the original gives plain data, the same each time but for the order that a set has,
    and the new code ended."""
    ended = new.came in ("returned", "raised")
    plain = first.came == again.came == "returned" and not isinstance(first.value, Foreign)
    alike = same(in_one_order(again.value), in_one_order(first.value))
    return ended and plain and alike and effect(again) == effect(first)


def _differ(old: CaseResult, new: CaseResult, ordered: bool) -> bool:
    """`ordered`: the original gives its lists in one order each time."""
    if new.gave and effect(new) != effect(old):
        return True
    if new.came == "raised" or ordered:
        return new.came == "raised" or not same(new.value, old.value)
    return not same(in_one_order(new.value), in_one_order(old.value))


def _said(old: CaseResult, new: CaseResult) -> str:
    call = f"{old.case.function}({old.case.input})"
    return f"for {call} {new.said}, but the original {old.said[3:]}"
