"""Examples of a request that names no function, asked of each of a draft's functions: of "roman
numerals and back, 'XIV' gives 14, 9 gives 'IX'" each is of another one."""

import asyncio
from collections.abc import Sequence

from pipeline.review.agreement import results_of
from pipeline.run import Run
from pipeline.sandbox import CaseResult
from pipeline.testcases.entry_point import entries_of

_OTHERS = 3  # that are asked


async def of_any_function(
    run: Run, program: str, results: Sequence[CaseResult]
) -> list[CaseResult]:
    """The results, which are those of the last function of a program in Python; where an example
    fails there and passes with another one, what came of that. Raises SandboxUnavailable."""
    best = list(results)
    for name in (await asyncio.to_thread(entries_of, program))[-1 - _OTHERS : -1]:
        failing = [at for at, result in enumerate(best) if _may_be_of_another(result)]
        if not failing:
            break
        came = await results_of(run, program, [best[at].case for at in failing], name)
        for at, result in zip(failing, came, strict=False):
            best[at] = result if result.passed else best[at]
    return best


def _may_be_of_another(result: CaseResult) -> bool:
    case = result.case
    return not (result.passed or case.function or case.session) and case.stdin is None
