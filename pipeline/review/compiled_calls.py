"""What comes of calls of a function in a typed language, or of sessions with its objects: built
with a driver that makes them, once, and run for each of them by itself."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline import sandbox
from pipeline.analysis.compilable import wholes
from pipeline.analysis.signatures.call_signatures import (
    entry_among,
    object_types,
    signatures,
    type_among,
)
from pipeline.analysis.syntax_process import Unread
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, Arguments, Case, CaseResult
from pipeline.testcases.call_drivers import driver_of
from pipeline.testcases.driver_parts import MARK, RAISED, RESULT, NoDriver
from pipeline.testcases.object_calls import read_session
from pipeline.testcases.object_drivers import object_driver

_PRINTS = re.compile(r"print|display|show|dump|ausg|affich", re.IGNORECASE)  # what it is given


class _Shown(str):
    """A value as its language writes it: people see it so."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


async def results_of_calls(
    run: Run, language: str, program: str, calls: Sequence[Case], function: str
) -> list[CaseResult]:
    """`returned` is the result as text, of a function that gives none what it changed or printed;
    None where that says nothing. `raised` where it crashed, did not end or ended the program, all
    `unusable` where it cannot be built, or has no function that takes these arguments; [] where the
    run's time is used up. Raises SandboxUnavailable."""
    request, results, prints = run.request.prompt, list[CaseResult](), False
    why = "it has no function that can be called"
    try:
        async with asyncio.timeout_at(run.deadline):
            for whole in await asyncio.to_thread(wholes, language, program, request):
                try:
                    driver, prints = await asyncio.to_thread(
                        _driver, language, whole, calls, function, request
                    )
                except NoDriver as error:
                    why = str(error)
                    continue
                results = await runs_of_driver(run, language, (whole, driver), calls)
                if any(each.came != "unusable" for each in results):
                    break
    except TimeoutError:
        return []
    except Unread as error:
        why = str(error) or "it takes too long to parse"
    if not results:
        return [CaseResult(call, "unusable", error=why) for call in calls]
    return [_result(each, call, prints) for each, call in zip(results, calls, strict=True)]


async def runs_of_driver(
    run: Run, language: str, made: tuple[str, str], calls: Sequence[Case]
) -> list[CaseResult]:
    """What comes of a program and a driver for it, run with the number of each call. Raises
    SandboxUnavailable."""
    whole, beside = sandbox.with_driver(language, *made)
    runs = [
        Case(Arguments(), ANY_VALUE, name=call.name, stdin="", words=(str(n),))
        for n, call in enumerate(calls)
    ]
    limits = sandbox.Limits.of(run.settings)
    return list(await sandbox.run_built(language, whole, runs, limits, beside))


def _driver(
    language: str, whole: str, calls: Sequence[Case], function: str, request: str
) -> tuple[str, bool]:
    """And whether the function is there to print. Raises NoDriver and Unread."""
    if calls and calls[0].session:
        named = read_session(calls[0].session).kind
        kind = type_among(object_types(language, whole), named, request)
        if kind is None:
            raise NoDriver("it has no type whose objects can be made")
        return object_driver(language, kind, calls), False
    known = signatures(language, whole)
    names = {each.function or function for each in calls}
    found = {name: each for name in names if (each := entry_among(known, name, request))}
    found = {name: each for name, each in found.items() if name in (function, each.name)}
    if len(found) < len(names):
        raise NoDriver("it has no function that can be called")
    driver = driver_of(language, [(found[each.function or function], each) for each in calls])
    prints = (
        _PRINTS.match(function)
        and function in found
        and found[function].result in ("", "()", "void")
    )
    return driver, bool(prints)


def _result(came: CaseResult, call: Case, prints: bool) -> CaseResult:
    if came.came != "printed":
        return came.of(call)
    if came.ended:
        error = f"it ended with status {came.ended}"
        return replace(came.of(call), came="raised", value=None, error=error, raised=("Exit",))
    if call.session:
        return _of_session(came, call)
    shown = _shown(str(came.value), prints)
    return replace(came.of(call), came="returned", value=_Shown(shown) if shown else None)


def _shown(said: str, prints: bool) -> str:
    printed, _, result = said.partition(MARK)
    if prints and printed.strip():
        return "\n".join(line.rstrip() for line in printed.rstrip().split("\n"))
    return result.rstrip() or printed


def _of_session(came: CaseResult, call: Case) -> CaseResult:
    """What the calls gave that were asked something, and which were refused; where there are none,
    what they printed. One in which most were refused says nothing of the others."""
    said = str(came.value)
    given = [each.strip() for each in RESULT.findall(said)]
    refused = given.count(RAISED)
    if refused * 2 > len(given):
        error = f"{refused} of {len(given)} calls fail"
        return replace(came.of(call), came="raised", value=None, error=error, raised=("Exception",))
    shown = "; ".join(given) if given else said.strip()
    return replace(came.of(call), came="returned", value=_Shown(shown) if shown else None)
