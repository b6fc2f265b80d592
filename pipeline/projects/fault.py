"""A fault of a project's files, found without a model."""

from collections.abc import Container, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "syntax",
    "import",
    "cycle",
    "call",
    "dependency",
    "lint",
    "test",
    "missing",
    "start",
    "run",
    "example",
]


@dataclass(frozen=True, slots=True)
class Fault:
    """`path` is the file that caused it, "" where it is the plan. A fault that is not `serious`
    (something unused) is told to the writer and to the judge, and escalates nothing. `test`: the
    file of the test that fails; `case`: its name there."""

    path: str
    kind: Kind
    detail: str
    line: int | None = None
    serious: bool = True
    test: str = ""
    case: str = ""

    def __str__(self) -> str:
        where = f"{self.path} line {self.line}" if self.line else self.path
        return f"{where}: {self.detail}" if where else self.detail


RUN_KINDS = ("test", "example", "run")  # found by running alone, where nothing else is wrong


def serious(faults: Iterable[Fault]) -> list[Fault]:
    return [fault for fault in faults if fault.serious]


def fault_lines(faults: Iterable[Fault], paths: Container[str]) -> dict[str, list[str]]:
    """The faults of each of these files, as lines of a list."""
    lines: dict[str, list[str]] = {}
    for fault in faults:
        if fault.path in paths:
            lines.setdefault(fault.path, []).append(f"- {fault}")
    return lines


Promised = Mapping[str, Set[str]]
"""The names that the plan says a file exports, by its path."""


def missing_name(source: str, name: str, importer: str, line: int, promised: Promised) -> Fault:
    """A name that a file takes from another one, which does not have it: the fault of that one
    where the plan promises the name, else of the one that takes it."""
    shown = "a default" if name == "default" else name
    if name in promised.get(source, ()):
        return Fault(source, "missing", f"it does not define {shown}, which {importer} imports")
    return Fault(importer, "import", f"{source} does not define {shown}", line)
