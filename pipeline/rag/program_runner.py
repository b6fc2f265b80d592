"""Run a program in the sandbox to see which errors it meets. The program reports itself, so this is
a hint.

A program that waits for a person, a terminal, a screen or a file, or that takes too long, is not at
fault here: the sandbox has none of them.
"""

import asyncio
import re
import sys
from dataclasses import dataclass

from laios.types.validation import ValidationError
from pipeline import sandbox
from pipeline.analysis.imports import imports_in, is_foreign
from pipeline.analysis.python_syntax import parse
from pipeline.rag.retrieval_context import RetrievalContext
from pipeline.run import Run

_FILE = sandbox.INTERPRETERS["python"].file
_FRAME = re.compile(rf'File "[^"\n]*\b{re.escape(_FILE)}", line (\d{{1,7}})\b')
_LAST = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt))(?:: ?(.*))?")
_SURROUNDINGS = {"OSError", "EOFError", "SystemExit", "KeyboardInterrupt", "MemoryError"}
_SURROUNDINGS |= {"FileNotFoundError", "PermissionError", "ConnectionError", "TimeoutError"}
_SURROUNDINGS |= {"ConnectionRefusedError", "URLError", "gaierror", "TclError"}
_MISSING = re.compile(r"No module named '([^'\n]+)'")
_MESSAGE = 500  # characters


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of it: the error that it ended with, and how it went in a few words (why it was not
    run, too)."""

    error: ValidationError | None
    note: str


async def run_program(run: Run, retrieval: RetrievalContext, code: str, round: int) -> Execution:
    """Runs a Python program, where what it imports is there: a step of the record."""
    packages = await asyncio.to_thread(foreign_packages, code)
    environment = await retrieval.environment(packages) if packages else None
    if environment is None:  # the one of all programs may have them
        packages -= await asyncio.to_thread(sandbox.modules_in, run.settings.SANDBOX_VENV)
    if packages and environment is None:
        names = ", ".join(sorted(packages))
        return Execution(None, f"not run: the sandbox does not have {names}")
    with run.step("sandbox", "program", round) as step:
        try:
            async with asyncio.timeout_at(run.deadline):
                outcome = await sandbox.run(
                    {_FILE: code},
                    sandbox.INTERPRETERS["python"].command,
                    sandbox.Limits.of(run.settings),
                    environment=environment,
                )
        except TimeoutError:
            ran = Execution(None, "not run to its end: the run's time was used up")
        except sandbox.SandboxUnavailable as error:
            ran = Execution(None, f"not run: {error.message}")
        else:
            ran = read_outcome(outcome, code)
        step.note = ran.note
    return ran


def foreign_packages(code: str) -> set[str]:
    """The top-level modules of others that a program imports, wherever it does."""
    tree = parse(code)
    imports = imports_in(tree) if tree else ()
    return {each.module.partition(".")[0] for each in imports if is_foreign(each.module)}


def read_outcome(outcome: sandbox.Outcome, code: str) -> Execution:
    if outcome.ended == "exited" and outcome.exit == 0:
        return Execution(None, "it ran to its end")
    if outcome.ended != "exited":
        return Execution(None, f"it did not come to its end ({outcome.ended})")
    error = _error(outcome.stderr, code)
    if error is None:
        return Execution(None, f"it ended with status {outcome.exit}")
    if _of_surroundings(error):
        return Execution(None, f"it needs what the sandbox does not have: {error}")
    return Execution(error, str(error))


def _error(stderr: str, code: str) -> ValidationError | None:
    """The last exception that was reported, with the innermost line of the program."""
    found = [match for line in stderr.splitlines() if (match := _LAST.fullmatch(line.strip()))]
    frames = _FRAME.findall(stderr)
    if not (found and frames):
        return None
    kind, said = found[-1].groups()
    return error_at(code, kind.rpartition(".")[2], (said or kind)[:_MESSAGE], int(frames[-1]))


def error_at(code: str, kind: str, message: str, line: int) -> ValidationError:
    lines = code.split("\n")
    context = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return ValidationError(type=kind, message=message, line=line, context=context)


def _of_surroundings(error: ValidationError) -> bool:
    if error.type == "ModuleNotFoundError":  # this machine's Python may lack a part of its own
        missing = _MISSING.search(error.message)
        return missing is not None and missing[1].lstrip("_") in sys.stdlib_module_names
    return error.type in _SURROUNDINGS or "display" in error.message.lower()
