"""Tests in JavaScript (`node:test`, plain asserts), run with their program in the sandbox. The
program reports itself: a hint, no proof."""

import re
import secrets
from dataclasses import dataclass

from pipeline import sandbox
from pipeline.sandbox.function_calls import IS_MODULE
from pipeline.testcases.outside_comparison import TestOutcome
from pipeline.testcases.tap import read_tap

# Lines with which tests fetch the program: both are one file here, where its names are known.
_FETCH = re.compile(
    r"""^[^\S\n]*(?:import\b[^;'"\n]*from\s*['"]\.[^'"\n]*['"]|import\s*['"]\.[^'"\n]*['"]"""
    r"""|(?:const|let|var)\b[^=\n]*=\s*require\(\s*['"]\.[^'"\n]*['"]\s*\)[\w.]*)[^\S\n]*;?""",
    re.MULTILINE,
)
_HEAD = """\
import {{ createRequire as {mark}r }} from "node:module";
var require = {mark}r(import.meta.url), module = {{ exports: {{}} }}, exports = module.exports;
"""
# What is not there although a program need not be wrong: packages, and the globals of test runners.
_NOT_HERE = re.compile(
    r"Cannot find (?:module|package) '[^'\n]{1,100}'"
    r"|(?:test|it|describe|expect|jest|vi|beforeEach) is not defined"
)
_ERROR = re.compile(r"^(?:\w*Error\b.*|.*\[ERR_\w+\].*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """What came of them. `problem`: why they were not all run, or ""."""

    done: tuple[TestOutcome, ...]
    problem: str
    whole: bool


async def run_script_tests(code: str, tests: str, limits: sandbox.Limits) -> ScriptRun:
    """Raises as `sandbox.run` does."""
    mark = f"laios_{secrets.token_hex(8)}"
    file, text = one_file(code, tests, mark)
    outcome = await sandbox.run({file: text}, ["node", "--test-reporter=tap", file], limits)
    if missing := _NOT_HERE.search(f"{outcome.stderr}\n{outcome.stdout}"):
        return ScriptRun((), f"The tests could not be run here: {missing[0]}.", False)
    rows = read_tap(outcome.stdout, file)
    done = [_outcome(row.test, row.status, row.error) for row in rows]
    whole = outcome.exit == 0 and mark in outcome.stdout
    if not whole and not any(each.status == "failed" for each in done):
        done.append(TestOutcome("the tests", "failed", _why(outcome)))
    elif not rows:
        done.append(TestOutcome("the asserts", "passed"))
    return ScriptRun(tuple(done), "", whole)


def one_file(code: str, tests: str, mark: str) -> tuple[str, str]:
    """One file of program and tests, with a line at its end that shows that it was reached."""
    body = f'{code}\n;\n{_FETCH.sub("", tests)}\n;console.log("{mark}");\n'
    if IS_MODULE.search(body):
        return "program.mjs", _HEAD.format(mark=mark) + body
    return "program.cjs", body


def _outcome(test: str, status: str, error: str) -> TestOutcome:
    if status == "skipped":
        return TestOutcome(test, "not run", "it is skipped")
    return TestOutcome(test, "passed" if status == "passed" else "failed", error)


def _why(outcome: sandbox.Outcome) -> str:
    """What the process ended with."""
    if outcome.ended not in ("exited", "signal"):
        return f"they reached the {outcome.ended} limit"
    found = _ERROR.search(outcome.stderr)
    return found[0][:300] if found else f"they ended the process (status {outcome.exit})"
