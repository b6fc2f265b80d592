"""What a program may raise for want of what a sandbox does not have: packages, a network, a
terminal, input, files. Pure."""

import builtins
import re

from pipeline.analysis.standard_imports import is_import_of_nothing

_OF_COMPILED = {"Crash", "Exception"}
SURROUNDINGS = {"ImportError", "OSError", "EOFError", "SystemExit", "KeyboardInterrupt"}
SURROUNDINGS |= {"CommandNotFound"}  # of a shell
# What it may raise where there is no input, argument, environment or file, and it looks for them.
_READS = re.compile(
    r"\b(?:stdin|fileinput|argv|environ|getenv|glob|listdir|scandir|iterdir|ConfigParser|getpass|pwd"
    r"|sqlite3)\b|\.(?:walk|exists|is_file|which)\("
)
# As programs in compiled languages say it when they end.
_SAID = re.compile(
    r"Headless|UnknownHost|ConnectException|NoSuchFile|FileNotFound|No suitable driver|dial tcp"
    r"|[Nn]o such file or directory|[Cc]onnection refused|kind: NotFound"
)
_FOR_WANT_OF_INPUT = {"ValueError", "LookupError", "ArithmeticError", "StopIteration"}


def is_of_surroundings(kinds: set[str], error: str, code: str) -> bool:
    """Whether what was raised, with the classes above it, may come of what the program lacks."""
    if "ImportError" in kinds and is_import_of_nothing(error, code):
        return False
    if kinds and kinds <= _OF_COMPILED:
        return bool(_SAID.search(error))
    wants = kinds & _FOR_WANT_OF_INPUT or "NoneType" in error
    return bool(kinds & SURROUNDINGS or (wants and _READS.search(code)))


def classes_of(name: str) -> set[str]:
    """The names of a builtin exception and of the classes above it; none for any other."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return {each.__name__ for each in kind.__mro__}
    return set()
