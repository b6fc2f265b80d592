"""The compiled packages of Go's standard library that a program imports.

Go's installation has none of them: its compiler needs each as a file. They are made outside of the
sandbox, of Go's own source alone, into a directory that holds nothing else.
"""

import asyncio
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from pipeline.sandbox.toolchain import SYSTEM_PATH

_IMPORTS = re.compile(r"(?:^|;[ \t]*)import\b[ \t]*(?:\(([^)]*)\)|([^\n]*))", re.MULTILINE)
_PATH = re.compile(r'"([a-z0-9/]+)"')
_names: set[str] = set()
_LINE = "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}"


def packages_dir() -> Path:
    """Where they are kept."""
    from config import go_packages_dir  # the rest of the sandbox needs the standard library alone

    return go_packages_dir()


async def exports_of(program: str) -> str:
    """The compiler's `importcfg`: a line `packagefile PATH=FILE` for each package that the program
    can reach. The first program that imports one waits for it: seconds, once on a machine."""
    found = {path for each in _IMPORTS.findall(program) for path in _PATH.findall("".join(each))}
    paths = sorted({"runtime", *(found & await _standard_library())})
    return await _go(["list", "-export", "-deps", "-f", _LINE, *paths])


async def _standard_library() -> set[str]:
    """The names of its packages, asked for once."""
    if not _names:
        _names.update((await _go(["list", "std"])).split())
    return _names


async def _go(words: Iterable[str]) -> str:
    """What the command says; "" where it fails. It reads no module, no workspace and no setting of
    the user's, and fetches nothing."""
    cache = packages_dir()
    variables = {
        "HOME": str(cache),
        "PATH": SYSTEM_PATH,
        "GO111MODULE": "off",
        "GOENV": "off",
        "GOPATH": "/nonexistent",
        "GOTOOLCHAIN": "local",
        "GOPROXY": "off",
        "GOFLAGS": "",
        "CGO_ENABLED": "0",
        "GOCACHE": str(cache),
    }
    await asyncio.to_thread(cache.mkdir, parents=True, exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        shutil.which("go") or "go",
        *words,
        cwd="/",
        env=variables,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return said.decode()
