"""The languages that the sandbox runs: under which name a program is put there, and how it is
started. The first word of a command is looked up on this machine; Python's is laios's own
interpreter, or the virtual environment's."""

from dataclasses import dataclass

from laios.language_table import TABLE
from pipeline.sandbox.node_programs import javascript_of, node_file


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


async def as_started(language: str, program: str) -> tuple[dict[str, str], tuple[str, str]]:
    """The file that is put into the sandbox, and the command. Raises NotRunnable."""
    known = INTERPRETERS[language]
    if language == "typescript":
        program = await javascript_of(program)
    file = node_file(program) if known.command[0] == "node" else known.file
    return {file: program}, (known.command[0], file)
