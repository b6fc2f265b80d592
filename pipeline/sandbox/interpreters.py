"""The languages that the sandbox runs: under which name a program is put there, and how it is
started. The first word of a command is looked up on this machine; Python's is laios's own
interpreter, or the virtual environment's."""

from dataclasses import dataclass

from laios.language_table import TABLE


@dataclass(frozen=True, slots=True)
class Interpreter:
    file: str
    command: tuple[str, str]


INTERPRETERS = {
    row.name: Interpreter(file, (row.interpreter, file))
    for row in TABLE
    if row.interpreter
    for file in [f"program{row.endings.split()[0]}"]
}
