"""Run untrusted code in a sandbox.

`run` carries out one command in a sandbox of its own; `run_program` runs a whole program in any of
its languages; `run_case` calls a program's function as a test says; `check` proves what this
machine can enforce.
"""

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.building import can_build
from pipeline.sandbox.built_programs import can_run_shell, run_built, run_shell, with_driver
from pipeline.sandbox.case_execution import run_calls, run_case
from pipeline.sandbox.check import Check, check
from pipeline.sandbox.compilers import compile_program, compiler_of
from pipeline.sandbox.function_calls import is_callable
from pipeline.sandbox.interpreters import INTERPRETERS
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.plain_json import as_json
from pipeline.sandbox.program_run import RUN_LANGUAGES, ProgramRun, run_program
from pipeline.sandbox.runner import run
from pipeline.sandbox.sandbox_scripts.value_json import Foreign
from pipeline.sandbox.test_result import CaseResult
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case, Raises
from pipeline.sandbox.venv_packages import modules_in, packages_in

__all__ = [
    "ANY_VALUE",
    "INTERPRETERS",
    "RUN_LANGUAGES",
    "Arguments",
    "Case",
    "CaseResult",
    "Check",
    "Foreign",
    "Limits",
    "Outcome",
    "ProgramRun",
    "Raises",
    "SandboxUnavailable",
    "as_json",
    "can_build",
    "can_run_shell",
    "check",
    "compile_program",
    "compiler_of",
    "is_callable",
    "modules_in",
    "packages_in",
    "run",
    "run_built",
    "run_calls",
    "run_case",
    "run_program",
    "run_shell",
    "with_driver",
]
