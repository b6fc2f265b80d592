"""Examples of a request that names no function, asked of each of a draft's functions: of "roman
numerals and back, 'XIV' gives 14, 9 gives 'IX'" each is of another one."""

from collections.abc import Sequence

from pipeline.review.agreement import results_of
from pipeline.run import Run
from pipeline.sandbox import CaseResult
from pipeline.testcases.entry_point import entries_of

_OTHERS = 3  # that are asked


async def of_any_function(
    run: Run, program: str, results: Sequence[CaseResult]
) -> list[CaseResult]:
    """What came of the program's last function, in Python, but where another one holds the example:
    that. Raises SandboxUnavailable."""
    best = list(results)
    for name in entries_of(program)[-1 - _OTHERS : -1]:
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
