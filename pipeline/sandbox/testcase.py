"""A test as data: what a callable (or a program) is given, and what is expected. Pure."""

import shlex
from dataclasses import dataclass, field
from typing import Any

_SHOWN_FILES = 3  # with what stands in them


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
class Arguments:
    """What a call passes. `labelled`: the keywords are those of the text in which the example
    stands, and need not be the code's; `labels` are they, where the values stand in their order."""

    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()
    labelled: bool = field(default=False, compare=False)
    labels: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        """As they stand between the parentheses: `[1, 2], key=3`."""
        named = [f"{name}={value!r}" for name, value in self.kwargs]
        return ", ".join([*map(repr, self.args), *named])

    @property
    def values(self) -> list[Any]:
        """In their order, without the keywords."""
        return [*self.args, *(value for _, value in self.kwargs)]


@dataclass(frozen=True, slots=True)
class Case:
    """One test. `function`: "" means the callable under test. With `stdin` (and no arguments) the
    code is a program: it reads that, is given the `words` as arguments, and `expected` is the text
    that it prints, or Raises where it shall fail. With `session` (Python) nothing is called: its
    lines are run among the program's names, and the last is an expression, whose value is meant;
    people are shown it, or `arguments` where there are some. Where the value is to be something
    that no literal says, `stated` is the source of it, and `expected` True; `setup` are lines that
    stand before the session's own and are shown to nobody. `files`: pairs of a name and a text, put
    into a folder of the call's own, of Python a name that ends with a slash as an empty folder;
    None where it needs none.
    `truth`: what comes need not be `expected`, only as true (`assert f(1)` holds where it gives 5).
    `unordered`: in what comes, the items of all lists may have another order; `digits`: fractions
    may have more than so many. An anchor is an example that the user wrote: it is never changed and
    never dropped."""

    arguments: Arguments
    expected: Any
    function: str = ""
    stdin: str | None = None
    name: str = ""
    anchor: bool = False
    session: str = ""
    setup: str = ""
    stated: str = ""
    truth: bool = False
    unordered: bool = False
    digits: int = 0
    words: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] | None = None

    @property
    def kind(self) -> str:
        if self.session:
            return "session"
        return "call" if self.stdin is None else "program"

    @property
    def is_of_nothing(self) -> bool:
        """Whether it gives nothing but empty lists and texts, zero and the like: a draft that holds
        it may do anything else."""
        return bool(self.arguments.values) and not any(self.arguments.values)

    @property
    def input(self) -> str:
        """What goes in, as text: the arguments as in a call, of a program its words and standard
        input, or the session; with the files that are not empty."""
        if self.session and self.arguments == Arguments():
            given = self.session
        elif self.stdin is None:
            given = str(self.arguments)
        else:
            given = "\n".join(filter(None, (shlex.join(self.words), self.stdin)))
        return "; ".join([given, *self.shown_files])

    @property
    def shown_files(self) -> list[str]:
        """A few with what stands in them, of more the names alone."""
        files = [(name, text) for name, text in self.files or () if text]
        if len(files) <= _SHOWN_FILES:
            return [f"{name}: {text!r}" for name, text in files]
        return ["files " + ", ".join(name for name, _ in files)]

    @property
    def output(self) -> str:
        """What has to come out, as text."""
        if self.stated:
            return self.stated
        if self.stdin is not None and isinstance(self.expected, Raises):
            return "an exit status other than 0"
        return repr(self.expected) if self.stdin is None else str(self.expected)

    @property
    def subject(self) -> tuple[str, str, bool]:
        """What is asked: two cases with the same subject must expect the same."""
        return self.function, self.input, self.stdin is None

    def as_json(self) -> dict[str, Any]:
        """The case as the record keeps it."""
        return {
            "name": self.name,
            "input": self.input,
            "expected": self.output,
            "anchor": self.anchor,
            "kind": self.kind,
            "function": self.function or None,
        }
