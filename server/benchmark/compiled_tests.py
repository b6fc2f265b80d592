"""Hidden tests of answers in compiled languages: what a whole program prints, or a test in the same
language, which ends with another status than 0 where the answer is wrong.

A test goes with the answer as any driver does (`with_driver`).
"""

from pipeline.analysis.shown_types import with_shown_types
from pipeline.sandbox import ANY_VALUE, Arguments, Case, Limits, run_built, with_driver
from server.benchmark.problems import Problem

_SHOWN = 2_000  # characters of what a run prints, which the sandbox reports


async def passes_compiled(problem: Problem, code: str, limits: Limits) -> bool:
    """Whether it does by itself, or with the types that its request shows. Raises
    SandboxUnavailable, also where there is no compiler."""
    whole = with_shown_types(problem.language, code, problem.prompt)
    passed = await _passes(problem, code, limits)
    return passed or (whole != code and await _passes(problem, whole, limits))


async def _passes(problem: Problem, code: str, limits: Limits) -> bool:
    given = [given for given, _ in problem.runs] or [""]
    cases = [Case(Arguments(), ANY_VALUE, name=f"run {n}", stdin=s) for n, s in enumerate(given)]
    program, beside = with_driver(problem.language, code, problem.test)
    results = await run_built(problem.language, program, cases, limits, beside)
    if not problem.runs:
        return all(each.came == "printed" and not each.ended for each in results)
    printed = [_plain(each.value) if each.came == "printed" else None for each in results]
    return printed == [_plain(wanted) for _, wanted in problem.runs]


def _plain(printed: object) -> str:
    return "\n".join(line.rstrip() for line in str(printed)[:_SHOWN].strip().splitlines())
