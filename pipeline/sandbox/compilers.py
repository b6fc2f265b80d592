"""Compile a program in a sandbox, with the compiler of this machine, as far as its types: nothing
is written, and nothing of it is run."""

import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.go_packages import exports_of, packages_dir
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import run
from pipeline.sandbox.toolchain import toolchain


@dataclass(frozen=True, slots=True)
class Compiler:
    """`commands`: names of compilers that take the same words; the first that is there is used.
    `standards`: the words that choose a standard of the language, the usual one first: what is no
    program by one may be one by another."""

    commands: tuple[str, ...]
    words: tuple[str, ...]
    standards: tuple[str, ...] = ("",)
    file: str = ""


_CHECKED = ("-fsyntax-only", "-Werror=implicit-function-declaration")
_SMALL = ("-J-Xmx256m", "-J-Xms16m", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1")
COMPILERS = {
    "c": Compiler(("gcc", "clang"), _CHECKED, ("-std=gnu17", "-std=gnu2x"), "program.c"),
    "cpp": Compiler(
        ("g++", "clang++"),
        _CHECKED[:-1],
        ("-std=gnu++20", "-std=gnu++2b", "-std=gnu++14"),
        "program.cpp",
    ),
    "go": Compiler(
        ("go",),
        ("tool", "compile", "-p", "main", "-o", "/dev/null", "-importcfg", "packages"),
        file="program.go",
    ),
    "java": Compiler(
        ("javac",), (*_SMALL, "-proc:none", "-nowarn", "-d", "/tmp"), file="Main.java"
    ),
    "rust": Compiler(
        ("rustc",),
        (
            "--crate-type=lib",
            "--emit=metadata",
            "--error-format=json",
            "-Awarnings",
            "--out-dir=/tmp",
        ),
        ("--edition=2021", "--edition=2024", "--edition=2015"),
        "program.rs",
    ),
}
_PUBLIC = re.compile(
    r"(?:^|[;}]\s*)public\s+(?:(?:abstract|final|sealed|strictfp)\s+)*(?:class|enum|interface|record)\s+(\w+)",
    re.MULTILINE,
)


def compiler_of(language: str) -> str | None:
    """The command, where this machine has one that can be shown to a sandbox. On macOS a program in
    the sandbox can start no other, as compilers do."""
    if language not in COMPILERS or sys.platform != "linux":
        return None
    command = next(filter(shutil.which, COMPILERS[language].commands), None)
    try:
        return command if command and toolchain(command, None) else None
    except SandboxUnavailable:
        return None


def required_compiler(language: str) -> str:
    """The command. Raises SandboxUnavailable, saying what to install, where there is none."""
    if found := compiler_of(language):
        return found
    if sys.platform != "linux":
        raise SandboxUnavailable(f"Programs in {language} are built and run on Linux alone.")
    commands = COMPILERS[language].commands
    if command := next(filter(shutil.which, commands), None):
        toolchain(command, None)  # says why it is of no use
    names = " or ".join(map(repr, commands))
    raise SandboxUnavailable(f"There is no {names} here. Install it to run such programs.")


def file_of(language: str, program: str) -> str:
    """Under which name a compiler takes it: Java's is the public class's."""
    found = _PUBLIC.search(program) if language == "java" else None
    if found:
        return f"{found[1]}.java"
    return COMPILERS[language].file if language in COMPILERS else f"program.{language}"


async def compile_program(language: str, program: str, limits: Limits) -> Sequence[Outcome]:
    """What the compiler says of a program by each standard of its language, up to the first by
    which it is one (exit status 0). () where there is no compiler. Raises SandboxUnavailable."""
    command, outcomes = compiler_of(language), list[Outcome]()
    if not command:
        return ()
    compiler, file = COMPILERS[language], file_of(language, program)
    files: dict[str, str | bytes] = {file: program}
    shown: list[Path] = []
    if language == "go":
        files["packages"] = await exports_of(program)
        shown.append(packages_dir())
    for standard in compiler.standards:
        words = [command, *compiler.words, *filter(None, [standard]), file]
        outcomes.append(await run(files, words, limits, shown=shown))
        if outcomes[-1].exit == 0:
            break
    return outcomes
