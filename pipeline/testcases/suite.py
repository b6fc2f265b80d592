"""The tests of a problem. Pure."""

import builtins
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.sandbox.value_comparison import shown
from pipeline.testcases.entry_point import DEFAULT_FUNCTION

_ERRORS = ("SyntaxError", "TypeError", "ReferenceError", "RangeError")  # of JavaScript
_IMPORT = re.compile(r"(?:from|import)\s")
MAX_CASES = 50  # generated ones; more are left out with a warning
MAX_ANCHORS = 200  # the user's own


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of a problem. `function` is the callable under test ("": the only one that the
    code defines), `signature` how it is to be called, where that is known. `program`: it is a
    program that is tested, by what it reads and prints. `warnings`: what was left out, and why.
    `reported`: what a bug report states, which shall not come. `linked`: examples whose lists stand
    for linked nodes; only a program can say of which. `named`: examples whose values have names,
    also those that leave some out; how a program takes them, its own names say."""

    cases: tuple[Case, ...] = ()
    function: str = ""
    signature: str = ""
    program: bool = False
    warnings: tuple[str, ...] = ()
    reported: tuple[Case, ...] = ()
    linked: tuple[Case, ...] = ()
    named: tuple[Case, ...] = ()

    @property
    def anchors(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.anchor)

    @property
    def consistent(self) -> tuple[Case, ...]:
        """The cases but for those of which one call has two values: no draft could have both."""
        values = defaultdict[tuple[str, str, bool], set[str]](set)
        for case in self.cases:
            values[case.subject].add(case.output)
        return tuple(case for case in self.cases if len(values[case.subject]) == 1)

    def in_language(self, language: str) -> "Suite":
        """The same tests, their values as that language has them: JavaScript knows no tuples, and
        no keys but strings. Sessions are of Python alone."""
        if language == "python":
            return self
        cases = [case for case in self.cases if not case.session]
        if language in ("javascript", "typescript"):
            cases = [replace(case, expected=_in_javascript(case.expected)) for case in cases]
        return replace(self, cases=tuple(cases))

    def described(self, case: Case) -> str:
        """A test as a person would write it: `add(1, 2) → 3`."""
        given, wanted = shown(case.input), shown(case.output)
        if case.session and case.arguments == Arguments():
            steps = [each for each in case.session.splitlines() if not _IMPORT.match(each)]
            return f"{shown('; '.join(steps))} → {wanted}"
        if case.words:
            return f"arguments {given} → {wanted.rstrip()!r}"
        if case.stdin is not None:
            return f"input {given!r} → {wanted!r}"
        return f"{case.function or self.function or DEFAULT_FUNCTION}({given}) → {wanted}"


def _in_javascript(value: Any) -> Any:
    match value:
        case list() | tuple():
            return [_in_javascript(each) for each in value]
        case dict():
            return {_as_key(key): _in_javascript(each) for key, each in value.items()}
        case Raises(name) if hasattr(builtins, name) and name not in _ERRORS:
            return Raises("Error")  # of Python: what is raised has no such class
    return value


def _as_key(key: Any) -> Any:
    """A plain key as JavaScript writes it."""
    if key is None:
        return "null"
    if isinstance(key, bool):
        return str(key).lower()
    return str(key) if isinstance(key, int | float) else key
