"""The languages that the sandbox runs: under which name a program is put there, and how it is
started. The first word of a command is looked up on this machine; Python's is laios's own
interpreter, or the virtual environment's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    file: str
    command: tuple[str, ...]


LANGUAGES = {
    "python": Language("program.py", ("python", "program.py")),
    "javascript": Language("program.js", ("node", "program.js")),
    "bash": Language("program.sh", ("bash", "program.sh")),
    "shell": Language("program.sh", ("sh", "program.sh")),
    "perl": Language("program.pl", ("perl", "program.pl")),
    "ruby": Language("program.rb", ("ruby", "program.rb")),
    "php": Language("program.php", ("php", "program.php")),
    "lua": Language("program.lua", ("lua", "program.lua")),
}
