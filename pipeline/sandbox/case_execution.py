"""`run_case`: a program, or one of its functions, with what a test gives it.

Each case has a process and a sandbox of its own; `run_calls` makes several calls in one, or a few.
What is expected stays outside; only the arguments go in and the value comes back, as plain data,
and is compared here. A program that fakes its report has to fake the right value, which is the same
as computing it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from pipeline.sandbox.bash_calls import call_bash
from pipeline.sandbox.built_programs import run_built
from pipeline.sandbox.call_report import reported
from pipeline.sandbox.compilers import compiler_of
from pipeline.sandbox.function_calls import call_files
from pipeline.sandbox.interpreters import as_started
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.node_programs import NotRunnable, javascript_of
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import run
from pipeline.sandbox.sandbox_scripts.shell_surroundings import lacking
from pipeline.sandbox.test_result import CaseResult, without_result
from pipeline.sandbox.testcase import Case, Raises

_PROCESSES = 4  # for the calls of one program
_AGAIN_CPU_S = 1  # of those after the first
_ENDED = ("cpu", "memory", "output", "died")  # not what waits: that takes longest of all


async def run_case(
    program: str, case: Case, limits: Limits, *, entry: str = "", language: str = "python"
) -> CaseResult:
    """Calls the case's function, or `entry` where it names none, in a language whose functions can
    be called; a program that is fed may be of any of the sandbox. Raises as `run` does, and
    ValueError for arguments that are no plain data."""
    if case.stdin is None and language == "bash":
        return await call_bash(program, case, limits, case.function or entry)
    if case.stdin is None:
        (result,) = await run_calls(program, [case], limits, entry=entry, language=language)
        return result
    if compiler_of(language):
        return (await run_built(language, program, [case], limits))[0]
    stdin = case.stdin.encode("utf-8", "surrogatepass")
    try:
        files, command = await as_started(language, program)
    except NotRunnable as error:
        return CaseResult(case, "unusable", error=str(error))
    outcome = await run(
        {**dict(case.files or ()), **files}, [*command, *case.words], limits, stdin=stdin
    )
    if language == "bash" and (lack := lacking(outcome.stderr.encode())):
        return CaseResult(case, "raised", error=lack, raised=("CommandNotFound",))
    return _printed(case, outcome)


async def run_calls(
    program: str,
    cases: Sequence[Case],
    limits: Limits,
    *,
    entry: str = "",
    language: str = "python",
    beside: Mapping[str, str] = MappingProxyType({}),
) -> list[CaseResult]:
    """Calls functions one after the other in one process, with the files that are to stand beside
    the program, or runs it as a whole again and again, as all cases say. A call that ends the
    process (`collatz(0)` never ends) ends those behind it, too: while less than half gave
    something, they are made in another one, unless that begins with such a call, too. Raises as
    `run_case` does."""
    if language == "typescript":
        try:
            program, language = await javascript_of(program), "javascript"
        except NotRunnable as error:
            return [CaseResult(case, "unusable", error=str(error)) for case in cases]
    results: list[CaseResult] = []
    behind: list[CaseResult] = []
    for again in range(_PROCESSES):
        left = cases[len(results) :]
        files, command = call_files(program, left, entry, language)
        allowed = replace(limits, cpu_s=_AGAIN_CPU_S) if again else limits
        came = reported(left, await run({**beside, **files}, command, allowed))
        ended = next((n for n, each in enumerate(came, 1) if each.came in _ENDED), len(came))
        results, behind = results + came[:ended], came[ended:]
        is_half = sum(each.gave for each in results) * 2 >= len(cases)
        if not behind or is_half or (again and ended == 1):
            break
    return [*results, *behind]


def _printed(case: Case, outcome: Outcome) -> CaseResult:
    took = outcome.duration_ms
    if outcome.ended == "exited" and outcome.exit == 0:
        return CaseResult(case, "printed", outcome.stdout, duration_ms=took)
    if outcome.ended == "exited" or outcome.ended == "signal":
        told = CaseResult(
            case, "printed", outcome.stdout, duration_ms=took, ended=f"{outcome.exit}"
        )
        is_meant = case.words and not (outcome.stderr or isinstance(case.expected, Raises))
        if is_meant and told.passed:  # a status that tells what it found: of "no" it is 1
            return told
        error = f"status {outcome.exit}: {outcome.last_words}"
        return CaseResult(case, "died", error=error, duration_ms=took)
    return without_result(case, outcome)
