"""`run_program`: a whole program in any language of the sandbox, run once with its input."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.sandbox.bubblewrap import DIRECTORY
from pipeline.sandbox.building import building_of, java_command
from pipeline.sandbox.compilers import COMPILERS, file_of, required_compiler
from pipeline.sandbox.interpreters import INTERPRETERS, as_started
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.node_programs import NotRunnable
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import run
from pipeline.sandbox.toolchain import toolchain

RUN_LANGUAGES = (*INTERPRETERS, *COMPILERS)
_SCRIPT = Path(__file__).parent / "sandbox_scripts" / "build_program.py"
_BUILDS = ".laios/build_program.py"
# A copy of its own it may make executable.
_STARTS = ("sh", "-c", "cp built program && rm built && chmod +x program && exec ./program")


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """How it ended. Of a program that could not be built the outcome is the compiler's."""

    outcome: Outcome
    was_built: bool = True


async def run_program(
    language: str, program: str, limits: Limits, *, stdin: bytes = b""
) -> ProgramRun:
    """Runs it at these limits, in a sandbox that holds nothing else. A compiler has one of its own
    before, at the same limits: nothing of what it takes counts as the program's. Raises as `run`
    does."""
    if language in INTERPRETERS:
        try:
            files, started = await as_started(language, program)
        except NotRunnable as error:
            return ProgramRun(_refused(f"{error}\n"), was_built=False)
        return ProgramRun(await run(files, started, limits, stdin=stdin))
    built = await _built(language, program, limits)
    if built.exit != 0:
        return ProgramRun(_explained(built), was_built=False)
    command, shown = _start(language, program, limits)
    return ProgramRun(await run({"built": built.report}, command, limits, stdin=stdin, shown=shown))


async def _built(language: str, program: str, limits: Limits) -> Outcome:
    """Of the compiler; where its exit status is 0, its report is what it has made."""
    building = await building_of(language, {file_of(language, program): program})
    command = ["python", "-I", "-S", _BUILDS, json.dumps(building.commands)]
    files = {**building.files, _BUILDS: _SCRIPT.read_bytes()}
    allowed = replace(limits, report_bytes=limits.files_mb * 1_000_000)
    return await run(files, command, allowed, shown=building.shown)


def _explained(built: Outcome) -> Outcome:
    """Where it was not the program that the compiler stopped at."""
    if built.exit is not None:
        return built
    return replace(built, stderr=f"{built.stderr}The compiler reached a limit: {built.ended}.\n")


def _refused(why: str) -> Outcome:
    return Outcome(1, "exited", "", why, b"", duration_s=0.0, peak_memory_mb=None)


def _start(language: str, program: str, limits: Limits) -> tuple[Sequence[str], Sequence[Path]]:
    """The command, and what it has to see."""
    tools = toolchain(required_compiler(language), None)
    if language != "java":
        return _STARTS, tools.trees
    java = str(tools.executable.with_name("java"))
    return java_command(java, f"{DIRECTORY}/built", program, limits.memory_mb * 3 // 4), tools.trees
