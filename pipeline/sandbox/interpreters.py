"""The languages that the sandbox runs: under which name a program is put there, and how it is
started. The first word of a command is looked up on this machine; Python's is laios's own
interpreter, or the virtual environment's."""

from dataclasses import dataclass

from laios.language_table import TABLE


@dataclass(frozen=True, slots=True)
class Interpreter:
    file: str
    command: tuple[str, str]


def _interpreter(command: str, ending: str) -> Interpreter:
    return Interpreter(f"program{ending}", (command, f"program{ending}"))


INTERPRETERS = {
    row.name: _interpreter(row.interpreter, row.endings.split()[0])
    for row in TABLE
    if row.interpreter
}
