"""Hidden tests of answers in compiled languages: what a whole program prints, or a test in the same
language, which ends with another status than 0 where the answer is wrong.

A test goes with the answer as the language has it: Go's is a second file of its package (`func
init` runs before `main`), Java's a second class `LaiosTest` with `main`; C's, C++'s and Rust's
stands behind the answer, whose own `main` gets another name.
"""

import re
from collections.abc import Mapping

from pipeline.sandbox import ANY_VALUE, Arguments, Case, Limits, run_built
from server.benchmark.problems import Problem

_PACKAGE = re.compile(r"^package\s+\w+", re.MULTILINE)
_OF_JAVA = re.compile(r"^\s*package\s[^\n]*\n", re.MULTILINE)
_RUST_MAIN = re.compile(r"\bfn\s+main\s*\(")
_MAIN = re.compile(r"\bmain\s*\(")


async def passes_compiled(problem: Problem, code: str, limits: Limits) -> bool:
    """Raises SandboxUnavailable, also where there is no compiler."""
    given = [given for given, _ in problem.runs] or [""]
    cases = [Case(Arguments(), ANY_VALUE, name=f"run {n}", stdin=s) for n, s in enumerate(given)]
    program, beside = with_test(problem.language, code, problem.test)
    results = await run_built(problem.language, program, cases, limits, beside)
    if not problem.runs:
        return all(each.came == "printed" and not each.ended for each in results)
    printed = [_plain(each.value) if each.came == "printed" else None for each in results]
    return printed == [_plain(wanted) for _, wanted in problem.runs]


def with_test(language: str, code: str, test: str) -> tuple[str, Mapping[str, str]]:
    """The program, and what stands beside it."""
    match language:
        case "go":
            named = _PACKAGE.sub("package main", code, count=1)
            program = named if _PACKAGE.search(named) else f"package main\n{named}"
            if not re.search(r"^func main\(", program, re.MULTILINE):
                program += "\nfunc main() {}\n"
            return program, {"tests.go": f"package main\n{test}"} if test else {}
        case "java":
            return _OF_JAVA.sub("", code, count=1), {"LaiosTest.java": test} if test else {}
        case "rust":
            return (f"{_RUST_MAIN.sub('fn answer_main(', code)}\n{test}" if test else code), {}
        case _:
            renamed = _MAIN.sub("answer_main(", code)
            return (f"{renamed}\n{test}" if test else code), {}


def _plain(printed: object) -> str:
    return "\n".join(line.rstrip() for line in str(printed).strip().splitlines())
