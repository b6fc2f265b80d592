"""Running code that nobody trusts.

`run` carries out one command in a sandbox of its own; `run_tests` calls a program's functions and
compares what they return; `check` proves what this machine can enforce.
"""

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.cases import Case, Raises, Result, run_tests
from pipeline.sandbox.check import Check, check
from pipeline.sandbox.languages import LANGUAGES, Language
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import run

__all__ = [
    "LANGUAGES",
    "Case",
    "Check",
    "Language",
    "Limits",
    "Outcome",
    "Raises",
    "Result",
    "SandboxUnavailable",
    "check",
    "run",
    "run_tests",
]
