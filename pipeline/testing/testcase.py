"""A test as data: what a callable (or a program) is given, and what has to come back. Pure."""

import re
from dataclasses import dataclass
from typing import Any

from pipeline.testing.entry import DEFAULT_FUNCTION
from pipeline.testing.literals import Arguments, read_literal

MAX_CASES = 50  # generated ones; more are left out with a note
MAX_ANCHORS = 200  # the user's own
SHOWN = 300  # characters of a value in a prompt


@dataclass(frozen=True, slots=True)
class Raises:
    """Expected in the place of a value: an exception of this name or of a class below it."""

    name: str

    def __repr__(self) -> str:
        return f"raises {self.name}"


class _AnyValue:
    def __repr__(self) -> str:
        return "any value"


ANY_VALUE = _AnyValue()
"""Expected where a call has to return, whatever it is."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test. `function`: "" means the callable under test. With `stdin` (and no arguments) the
    code is a program: it reads that, and `expected` is the text that it prints. An anchor is an
    example that the user wrote: it is never changed and never dropped."""

    name: str
    arguments: Arguments
    expected: Any
    anchor: bool = False
    function: str = ""
    stdin: str | None = None

    @property
    def input(self) -> str:
        """What goes in, as text: the arguments as in a call, or standard input."""
        return str(self.arguments) if self.stdin is None else self.stdin

    @property
    def output(self) -> str:
        """What has to come out, as text."""
        return repr(self.expected) if self.stdin is None else str(self.expected)

    @property
    def subject(self) -> tuple[str, str, bool]:
        """What is asked: two cases with the same subject must expect the same."""
        return self.function, self.input, self.stdin is None


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of a problem. `function` is the callable under test ("": the only one that the
    code defines), `signature` how it is to be called, where that is known. `program`: it is a
    program that is tested, by what it reads and prints. `notes`: what was left out, and why."""

    cases: tuple[Case, ...] = ()
    function: str = ""
    signature: str = ""
    program: bool = False
    notes: tuple[str, ...] = ()

    @property
    def anchors(self) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.anchor)

    def described(self, case: Case) -> str:
        """A test as a person would write it: `add(1, 2) → 3`."""
        given, wanted = shown(case.input), shown(case.output)
        if case.stdin is not None:
            return f"input {given!r} → {wanted!r}"
        return f"{case.function or self.function or DEFAULT_FUNCTION}({given}) → {wanted}"


_RAISES = re.compile(r"raises?:?\s+(?:\w+\.)*([A-Za-z]\w*)\.?|(\w+Error)", re.IGNORECASE)


def read_expected(text: str, *, program: bool) -> Any:
    """What a model says has to come out: a literal, or `raises ValueError`; for a program the text
    itself. Raises ValueError."""
    if program:
        return text
    raised = _RAISES.fullmatch(text.strip())
    return Raises(raised[1] or raised[2]) if raised else read_literal(text)


def shown(value: str) -> str:
    """A value for a prompt or a message, cut in its middle where it is long."""
    if len(value) <= SHOWN:
        return value
    half = SHOWN // 2
    return f"{value[:half]} … {value[-half:]}"
