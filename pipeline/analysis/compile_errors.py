"""What compilers say of a program, read. Pure.

Messages as GCC and Clang, `go tool compile` and javac write them, one to a line, and rustc's JSON
(doc.rust-lang.org/rustc/json.html).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_SHOWN = 200
MOST_SAID = 65_536  # characters; the first errors are what counts
_LINE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? ?(?:(?:fatal )?error: )?(?P<said>.*)"
)
_ERROR = re.compile(r"^[^:\n]+:\d+:(?:\d+:)? (?:fatal )?error: ")


_TWICE = re.compile(
    r"^redefinition of |^ambiguating new declaration|redeclared in this block$"
    r"|is already defined in |is defined multiple times|^duplicate definitions with name"
)


@dataclass(frozen=True, slots=True)
class CompileError:
    """`line` from 1, 0 where none is told. `name`: what nothing defines, "" where it is another
    mistake. `is_elsewhere`: something is wanted that the program's surroundings may have, such as
    a package, or a newer compiler. `is_twice`: a name is defined that is defined already."""

    message: str
    line: int = 0
    name: str = ""
    is_elsewhere: bool = False

    @property
    def is_twice(self) -> bool:
        return _TWICE.search(self.message) is not None

    def __str__(self) -> str:
        return f"{self.message} (line {self.line})" if self.line else self.message


def compile_errors(language: str, said: str) -> list[CompileError]:
    """The errors of what a compiler wrote to its standard output and error."""
    read = {"rust": _of_rust, "java": _of_java, "go": _of_go}.get(language, _of_c)
    return list(read(said[:MOST_SAID].translate(_QUOTES)))


_QUOTES = str.maketrans("‘’", "''")
_UNKNOWN_IN_C = re.compile(
    r"^'(?:struct |class )?([\w~]+)' (?:undeclared|was not declared|does not name a type"
    r"|has not been declared|is not a class)"
    r"|^unknown type name '(\w+)'|^use of undeclared identifier '(\w+)'"
    r"|^(?:call to undeclared|implicit declaration of|call to undeclared library) function '(\w+)'"
    r"|^no (?:template|type) named '(\w+)'|^'(\w+)' is not a template"
    r"|undefined type '(?:struct |class )?(\w+)|incomplete type '(?:struct |class )?(\w+)"
    r"|^'(?:const )?(?:class |struct )?(?!std::)[\w:]+'(?: \{aka .*\})? has no member named '(\w+)'"
    r"|^no declaration matches '.*::(\w+)\("
    r"|^(?:storage size of|variable) '\w+' (?:isn't known|has (?:incomplete|initializer but))"
)
_NO_FILE = re.compile(
    r"No such file or directory|file not found|module '?[\w.]+'? not found"
    r"|is not a member of 'std::(?:chrono|ranges|views)'"  # newer ones
)


# The program's line because of which there is an error in a template of the library.
_ASKS = re.compile(r"^program\.\w+:(\d+):", re.MULTILINE)


def _of_c(said: str) -> Iterator[CompileError]:
    asks = _ASKS.search(said)
    for line in said.split("\n"):
        found = _LINE.match(line) if _ERROR.match(line) else None
        if not found:
            continue
        message, own = found["said"], found["file"].startswith("program.")
        unknown = _UNKNOWN_IN_C.search(message)
        name = next(filter(None, unknown.groups()), "") if unknown else ""
        number = int(found["line"] if own or not asks else asks[1])
        yield CompileError(_short(message), number, name, bool(_NO_FILE.search(message)))


_NO_PACKAGE_IN_GO = re.compile(
    r"^could not import |^package \S+ is not in|go:embed|^missing function body"
)
# Of a type of the program, what it lacks; types of packages have a dot.
_UNKNOWN_IN_GO = re.compile(
    r"^undefined: (\w+)$|\.(\w+) undefined \(type \*?\w+ has no field or method \w+\)"
)


def _of_go(said: str) -> Iterator[CompileError]:
    for found in filter(None, map(_LINE.match, said.split("\n"))):
        message = found["said"]
        unknown = _UNKNOWN_IN_GO.search(message)
        is_elsewhere = bool(_NO_PACKAGE_IN_GO.search(message))
        name = next(filter(None, unknown.groups()), "") if unknown else ""
        yield CompileError(_short(message), int(found["line"]), name, is_elsewhere)


_NO_PACKAGE_IN_JAVA = re.compile(
    r"^package (?!java\.)[\w.]+ does not exist|^cannot access |should be declared in a file named"
    r"|preview feature|not supported in -source|^(?:duplicate class|module not found)"
    r"|^class, interface, enum, or record expected"
    r"|^invalid method declaration; return type required"  # a constructor by itself
)
_SYMBOL = re.compile(r"^\s*symbol:\s+(?:class|variable|method|static)?\s*(\w+)")
_OF_JDK = re.compile(
    r"^\s*location:\s+(?:variable .*? of type|class|interface) (?:java\.|(?:Array|Hash|Int"
    r"|Linked|LinkedHash|Priority|Tree)?(?:Deque|List|Map|Queue|Set|Stream)\b|(?:BufferedReader|Character|Double|Integer|Long|Math|Object"
    r"|Optional|Scanner|String|StringBuilder|System|Thread)\b)"
)
# What JDKs after 17 have.
_OF_NEWER_JDK = re.compile(
    r"(?:(?:get|remove|add)(?:First|Last)|reversed|clamp|repeat|ofVirtual|startVirtualThread"
    r"|newVirtualThreadPerTaskExecutor|splitWithDelimiters)$"
)


def _of_java(said: str) -> Iterator[CompileError]:
    lines = said.split("\n")
    for at, line in enumerate(lines):
        found = _LINE.match(line) if _ERROR.match(line) else None
        if not found:
            continue
        message, name, is_newer = found["said"], "", False
        if message == "cannot find symbol":
            behind = lines[at + 1 : at + 6]
            symbol = next(filter(None, map(_SYMBOL.match, behind)), None)
            name = symbol[1] if symbol else ""
            message += f" {name}" if name else ""
            if any(map(_OF_JDK.match, behind)):
                is_newer, name = bool(_OF_NEWER_JDK.match(name)), ""
        is_elsewhere = is_newer or bool(_NO_PACKAGE_IN_JAVA.search(message))
        yield CompileError(_short(message), int(found["line"]), name, is_elsewhere)


_UNKNOWN_IN_RUST = re.compile(
    r"^cannot find (?:\w+(?: or \w+)*|function, tuple struct or tuple variant|derive macro|struct,"
    r" variant or union type|tuple struct/variant) `(\w+)`"
    r"|undeclared type `(\w+)`"
)
_NO_CRATE = re.compile(
    r"^unresolved import `(?!(?:std|core|alloc)(?:::|`))|^can't find crate"
    r"|^failed to resolve: (?!use of undeclared type)|may not be used on the stable|unstable"
    r"|^cannot find (?:module or crate|derive macro|attribute|macro) |^file not found for module"
    r"|^cannot find `\w+` in `os`"  # of another system
    r"|environment variable `\w+` not defined|^couldn't read `"
)


def diagnostics(said: str) -> Iterator[dict[str, Any]]:
    """The errors that rustc tells as objects, a line each."""
    for line in said.split("\n"):
        if not line.startswith("{"):
            continue
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off
        if told.get("level") == "error":
            yield told


def _of_rust(said: str) -> Iterator[CompileError]:
    for told in diagnostics(said):
        if not told.get("spans"):
            continue
        message = str(told["message"]).partition("\n")[0]
        unknown = _UNKNOWN_IN_RUST.search(message)
        name = next(filter(None, unknown.groups()), "") if unknown else _missing(told)
        first = next((s for s in told["spans"] if s.get("is_primary")), told["spans"][0])
        is_elsewhere = bool(_NO_CRATE.search(message))
        label = str(first.get("label") or "").partition("\n")[0]
        message += f": {label}" if label and label not in message else ""
        yield CompileError(_short(message), int(first["line_start"]), name, is_elsewhere)


def _missing(told: dict[str, Any]) -> str:
    """The method or field that a type of the program itself lacks; "" for another error."""
    found = re.match(r"no (?:[a-z]+ )+(?:named )?`(\w+)` (?:found|on type)", str(told["message"]))
    lines = (str(line.get("text")) for span in told["spans"] for line in span.get("text") or ())
    return found[1] if found and any(f"self.{found[1]}" in line for line in lines) else ""


def _short(message: str) -> str:
    return message if len(message) <= _SHOWN else f"{message[:_SHOWN]}…"
