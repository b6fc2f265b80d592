"""How a program in a typed language is made of its sources, and how it is started then."""

import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.sandbox.bubblewrap import DIRECTORY
from pipeline.sandbox.compilers import compiler_of, required_compiler
from pipeline.sandbox.go_packages import exports_of, packages_dir
from pipeline.sandbox.node_programs import javascript_of, node_file
from pipeline.sandbox.toolchain import toolchain

HEAP_MB = 128  # of Java's for a program of usual size
_JVM = ("-Xms8m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
_CLASS = re.compile(r"\b(?:class|enum|interface|record)\s+(\w+)")
_MAIN = re.compile(r"\bvoid\s+main\s*\(")
_PACKAGE = re.compile(r"^[^\S\n]*package\s+([\w.]+)\s*;", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Building:
    """The `files` that are put into the sandbox, the `commands` that make `built` of them (Java's:
    `classes`), how that is `started`, and the directories that have to be `shown` to all of them.
    """

    files: Mapping[str, str | bytes]
    commands: Sequence[Sequence[str]]
    started: Sequence[str]
    shown: Sequence[Path]


async def building_of(
    language: str, sources: Mapping[str, str], *, traps: bool = False
) -> Building:
    """For sources by their names. `traps`: of C and C++, a signed sum that is too large for its
    type ends the program. Raises SandboxUnavailable where there is no compiler, and NotRunnable for
    TypeScript whose types cannot be taken out."""
    if language == "typescript":
        return await _for_node("\n".join(sources.values()))
    tools = toolchain(required_compiler(language), None)
    files: dict[str, str | bytes] = {**sources}
    shown = [*tools.trees]
    if language == "go":
        files["packages"] = await exports_of("\n".join(sources.values()))
        shown.append(packages_dir())
    commands = [*_commands(language, str(tools.executable), [*sources])]
    if traps and language in ("c", "cpp"):
        commands = [[command[0], "-ftrapv", *command[1:]] for command in commands]
    started = [f"{DIRECTORY}/built"]
    if language == "java":
        started = java_command("java", f"{DIRECTORY}/classes", [*sources.values()][-1])
    return Building(files, commands, started, shown)


async def _for_node(program: str) -> Building:
    """Nothing is built: its types are taken out. Raises NotRunnable."""
    node, text = toolchain("node", None), await javascript_of(program)
    file = node_file(text)
    return Building({file: text}, (), [str(node.executable), f"{DIRECTORY}/{file}"], node.trees)


def can_build(language: str) -> bool:
    """Whether programs of that language are built, or made ready, and run with drivers here."""
    if language != "typescript":
        return compiler_of(language) is not None
    return sys.platform == "linux" and shutil.which("node") is not None


def java_command(java: str, classes: str, program: str, heap_mb: int = HEAP_MB) -> list[str]:
    """What runs the class of the program that has a `main`. `classes`: a directory or an archive of
    the compiled ones."""
    return [java, *_jvm(heap_mb), "-cp", classes, _main_class(program)]


def _commands(language: str, compiler: str, sources: Sequence[str]) -> Sequence[Sequence[str]]:
    match language:
        case "c":
            return [[compiler, "-std=gnu17", "-w", "-o", "built", *sources, "-lm", "-pthread"]]
        case "cpp":
            checked = "-D_GLIBCXX_ASSERTIONS"
            return [[compiler, "-std=gnu++20", "-w", checked, "-o", "built", *sources, "-pthread"]]
        case "go":
            packages = ["-importcfg", "packages"]
            return [
                [compiler, "tool", "compile", "-p", "main", "-o", "built.o", *packages, *sources],
                [compiler, "tool", "link", *packages, "-o", "built", "built.o"],
            ]
        case "java":
            small = [f"-J{word}" for word in _jvm(HEAP_MB)]
            return [[compiler, *small, "-nowarn", "-proc:none", "-d", "classes", *sources]]
        case _:
            words = ["--edition=2021", "-Awarnings", "-Cdebuginfo=0", "-o", "built"]
            return [[compiler, *words, *sources]]


def _jvm(heap_mb: int) -> list[str]:
    return [f"-Xmx{heap_mb}m", *_JVM]


def _main_class(program: str) -> str:
    """The class around `main`, with its package."""
    main, package = _MAIN.search(program), _PACKAGE.search(program)
    before = [each[1] for each in _CLASS.finditer(program, 0, main.start() if main else -1)]
    name = before[-1] if before else "Main"
    return f"{package[1]}.{name}" if package else name
