"""What programs in typed languages do when they are run, and their functions when they are
called."""

import asyncio
import re
from collections.abc import Sequence

from pipeline import sandbox
from pipeline.analysis.compile_surroundings import has_main
from pipeline.review.compiled_calls import results_of_calls
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult
from pipeline.testcases.examples.input_output_examples import speaks_of_input

_PROGRAM = re.compile(r"\bprogram\w*|\bstdin\b|\bstandard input\b", re.IGNORECASE)
# What is called, and does nothing by itself.
_CALL = re.compile(r"\b\w+\([^()\n]*\)")
_CALLED = re.compile(
    r"\b(?:class(?:es)?|enum|func(?:tions?)?|fn|generics?|interface|lambdas?|macros?|methods?|record"
    r"|structs?|templates?|traits?)\b",
    re.IGNORECASE,
)
# Arithmetic that is meant to go beyond the ends of its type.
_WRAPS = re.compile(r"hash|rand|seed|crc|checksum|overflow|wrap", re.IGNORECASE)
_FUNCTION = re.compile(r"\b(?:func(?:tions?)?|fn|methods?)\b", re.IGNORECASE)
_MOST_READ = 20_000  # characters of a request


def wants_program(request: str, program: str) -> bool:
    """Whether a request asks for a whole program, and this is one."""
    said = request[:_MOST_READ]
    if not has_main(program):
        return False
    if not _FUNCTION.search(said) and speaks_of_input(said):
        return True
    if _CALL.search(said):
        return False
    return bool(_PROGRAM.search(said)) or not _CALLED.search(said)  # "a program (class Main)"


async def results_of_compiled(
    run: Run, language: str, program: str, calls: Sequence[Case], function: str
) -> Sequence[CaseResult]:
    """What comes of runs of the whole program, or of calls of its function; nothing where the time
    is used up. Raises SandboxUnavailable."""
    if any(call.stdin is None for call in calls):
        return await results_of_calls(run, language, program, calls, function)
    try:
        async with asyncio.timeout_at(run.deadline):
            limits = sandbox.Limits.of(run.settings)
            traps = not _WRAPS.search(program)
            return await sandbox.run_built(language, program, calls, limits, traps=traps)
    except TimeoutError:
        return ()
