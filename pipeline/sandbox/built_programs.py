"""`run_built`: a program in a typed language, built and run with input in one sandbox;
`with_driver`: with a program that calls its functions; `run_shell`: a script in Bash."""

import marshal
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeline.sandbox.building import building_of
from pipeline.sandbox.call_report import reported
from pipeline.sandbox.compilers import file_of
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.node_programs import NotRunnable
from pipeline.sandbox.runner import run
from pipeline.sandbox.test_result import CaseResult
from pipeline.sandbox.testcase import Case

_SCRIPTS = Path(__file__).parent / "sandbox_scripts"
_FOLDER = ".laios"
_FILES = ("build_and_run.py", "scratch_folder.py")
_OF_SHELL = "shell_surroundings.py"
_COMMAND = ("python", "-I", "-S", f"{_FOLDER}/build_and_run.py")
_RUN_S = 0.5  # of the processor, for one run; usual ones take a hundredth of it
_WALL_FACTOR = 3  # it is built first, and run many times; what waits is ended by itself
_PACKAGE = re.compile(r"^package\s+\w+", re.MULTILINE)
_OF_JAVA = re.compile(r"^[^\S\n]*package\s[^\n]*\n", re.MULTILINE)
_GO_MAIN = re.compile(r"^func main\(", re.MULTILINE)
_RUST_MAIN = re.compile(r"\bfn\s+main\s*\(")
_ANY_MAIN = re.compile(r"\bmain\s*\(")
_OF_MODES = re.compile(r"\b(?:chmod|umask|install)\b")
# A script is no file while it runs, so that its folder has none but those that it works on, and
# one that looks for its own folder finds that.
_SCRIPT_NAME = "./script.sh"
_SOURCE = re.compile(r"\$(?:BASH_SOURCE\b(?!\[)|\{BASH_SOURCE(?:\[0\])?(?::-\$0)?\})")
_CALL = """\
laios_words=("$@")
set --
{{
{program}
}} >/dev/null 2>&1 </dev/null
set +e +u
{function} "${{laios_words[@]}}"
"""


async def run_built(
    language: str,
    program: str,
    cases: Sequence[Case],
    limits: Limits,
    beside: Mapping[str, str] | None = None,
    *,
    traps: bool = False,
) -> list[CaseResult]:
    """What comes of running it with each case's words, input and files; all are `unusable` where it
    cannot be built. `beside`: further sources of the program, by their names. `traps`: of C and
    C++, a sum that is too large for its type ends it. All of it may take three times the wall
    clock of one program. Raises SandboxUnavailable."""
    sources = {file_of(language, program): program, **(beside or {})}
    try:
        building = await building_of(language, sources, traps=traps)
    except NotRunnable as error:
        return [CaseResult(case, "unusable", error=str(error)) for case in cases]
    asked = {
        "build": building.commands,
        "command": building.started,
        "seconds": _RUN_S,
        "runs": [_run(case) for case in cases],
    }
    files = {**building.files, **_files(asked)}
    limits = replace(limits, wall_s=limits.wall_s * _WALL_FACTOR)
    return reported(cases, await run(files, _COMMAND, limits, shown=building.shown))


async def run_shell(
    program: str, cases: Sequence[Case], limits: Limits, *, function: str = ""
) -> list[CaseResult]:
    """What comes of running a script in Bash with each case's words, input and files, or of its
    function with the words. Of a folder also what became of its folders, its archives and, where
    the script speaks of them, its modes. All of it may take three times the wall clock of one
    program. Raises SandboxUnavailable."""
    script = _SOURCE.sub("$0", program)
    if function:
        script = _CALL.format(program=script, function=function)
    asked = {
        "build": (),
        "command": ["bash", "-c", script, _SCRIPT_NAME],
        "seconds": _RUN_S,
        "runs": [_run(case) for case in cases],
        "shell": True,
        "modes": bool(_OF_MODES.search(program)),
    }
    limits = replace(limits, wall_s=limits.wall_s * _WALL_FACTOR)
    return reported(cases, await run(_files(asked, _OF_SHELL), _COMMAND, limits))


def can_run_shell() -> bool:
    """Whether scripts in Bash can be run here: on macOS a sandbox has one process."""
    return sys.platform == "linux" and shutil.which("bash") is not None


def with_driver(language: str, code: str, driver: str) -> tuple[str, Mapping[str, str]]:
    """The program, and what stands beside it. A driver goes with the code as the language has it:
    Go's is a second file of its package without its first line (`func init` runs before `main`),
    Java's a second class `LaiosTest` with `main`; C's, C++'s and Rust's stands behind the code,
    whose own `main` gets another name. "" for none: the code runs by itself."""
    match language:
        case "go":
            named = _PACKAGE.sub("package main", code, count=1)
            program = named if _PACKAGE.search(named) else f"package main\n{named}"
            if not _GO_MAIN.search(program):
                program += "\nfunc main() {}\n"
            return program, {"tests.go": f"package main\n{driver}"} if driver else {}
        case "java":
            return _OF_JAVA.sub("", code, count=1), {"LaiosTest.java": driver} if driver else {}
        case "typescript":
            return f"{code}\n{driver}", {}
        case "rust":
            return (f"{_RUST_MAIN.sub('fn answer_main(', code)}\n{driver}" if driver else code), {}
        case _:
            renamed = _ANY_MAIN.sub("answer_main(", code)
            return (f"{renamed}\n{driver}" if driver else code), {}


def _files(asked: dict[str, Any], beside: str = "") -> dict[str, str | bytes]:
    names = [*_FILES, *filter(None, [beside])]
    files: dict[str, str | bytes] = {f"{_FOLDER}/{n}": (_SCRIPTS / n).read_bytes() for n in names}
    return {**files, f"{_FOLDER}/build.data": marshal.dumps(asked, 2)}


def _run(case: Case) -> dict[str, Any]:
    files = None if case.files is None else [[*each] for each in case.files]
    return {"words": [*case.words], "stdin": case.stdin or "", "files": files}
