"""`run`: one command in a sandbox."""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from weakref import WeakKeyDictionary

from pipeline.errors import SandboxUnavailable
from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.termination import to_its_end
from pipeline.sandbox.toolchain import PYTHON, shown_tree, toolchain
from pipeline.sandbox.venv_packages import with_packages

_ELSEWHERE = (
    "Generated code is only run on Linux and macOS: laios knows no safe way on this system. Run "
    "laios in a Linux virtual machine; on Windows, in WSL 2"
)
_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


async def run(
    files: Mapping[str, str | bytes],
    command: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    environment: Path | None = None,
    shown: Sequence[Path] = (),
) -> Outcome:
    """Runs a command among files that nobody trusts, and leaves nothing of it.

    `files` are put into the program's directory, the only place besides /tmp where it can write;
    their names are relative paths. `command[0]` is looked up on this machine; `python` is laios's
    own interpreter without packages, or that of `environment`, a virtual environment, or where
    none is given and the files import packages, of the limits' own; the program can read it and not
    change it, and so are the directories that are `shown`. What it writes to the
    descriptor that the variable REPORT_FD names comes back as `Outcome.report`. As many run at once
    as there are cores; the others wait, and their time has not begun.

    On macOS the command is one process, which can start no other; before the first one, the
    sandbox has to prove itself, which takes a second or two.

    Raises SandboxUnavailable where code cannot be run safely: it is never run otherwise. Raises
    ValueError for a file's name that leads out of the directory. A cancellation is passed on when
    all processes are gone.
    """
    if sys.platform == "darwin":
        from pipeline.sandbox.self_test import SELF_TEST  # which runs programs itself

        await SELF_TEST.require()
    return await attempt(files, command, limits, stdin=stdin, environment=environment, shown=shown)


async def attempt(
    files: Mapping[str, str | bytes],
    command: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    environment: Path | None = None,
    shown: Sequence[Path] = (),
) -> Outcome:
    """`run` without the proof: for the probes alone, which are it."""
    contents = {_name(name): _content(content) for name, content in files.items()}
    if sys.platform == "linux":  # what is imported here exists on one system alone
        from pipeline.sandbox.linux import LinuxSandbox as Sandbox
    elif sys.platform == "darwin":
        from pipeline.sandbox.macos import MacSandbox as Sandbox
    else:
        raise SandboxUnavailable(_ELSEWHERE)
    if command[0] in PYTHON and environment is None:
        limits = with_packages(contents, limits)
        environment = limits.venv
    tools = toolchain(command[0], environment)
    tools = replace(tools, trees=[*tools.trees, *map(shown_tree, shown)])
    async with _slot():
        try:
            box = Sandbox(command, tools, contents, limits, stdin)
            try:
                await box.open()
                return await box.outcome()
            finally:  # however it ended, nothing of it is left
                await to_its_end(box.end())
        except OSError as error:  # of processes, memory or descriptors there are none left
            raise SandboxUnavailable(f"No sandbox can be built now: {error}.") from error


def _slot() -> asyncio.Semaphore:
    return _slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(os.cpu_count() or 1))


def _name(name: str) -> str:
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise ValueError(f"{name!r} is no name for a file in the sandbox")
    return str(path)


def _content(content: str | bytes) -> bytes:
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
