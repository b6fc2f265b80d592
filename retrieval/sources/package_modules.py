"""Which modules a package has, read off its files."""

import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.sources.source import Package

MAX_FILES = 100_000
MAX_DEPTH = 30
MAX_LIBRARY = 64_000_000  # bytes at the head of a library, where its symbols are

_PYTHON = (".py", ".pyi")
_EXTENSIONS = (".so", ".pyd")
NOT_API = frozenset({"__main__", "conftest", "setup", "test", "tests"})


@dataclass(frozen=True, slots=True)
class Module:
    """A module and its files: source, stub, extension; several where they belong together."""

    name: str
    files: tuple[Path, ...]

    @property
    def is_compiled(self) -> bool:
        return not self.files or any(path.suffix in _EXTENSIONS for path in self.files)

    @property
    def is_python(self) -> bool:
        return any(path.suffix in _PYTHON for path in self.files)


def is_package(directory: Path) -> bool:
    """Whether Python takes the directory for a package with a file of its own."""
    return directory.name.isidentifier() and any(
        (directory / f"__init__{suffix}").is_file() for suffix in _PYTHON
    )


def modules(package: Package) -> list[Module]:
    """The package's modules, its own first; private ones too. Tests and what only runs as a
    program are left out."""
    if package.path is None:
        return [Module(package.name, ())]
    if package.path.is_file():
        stub = package.path.with_suffix(".pyi")
        files = (package.path, stub) if stub.is_file() else (package.path,)
        return [Module(package.name, files)]
    found: dict[str, list[Path]] = {}
    for name, path in _files(package):
        found.setdefault(name, []).append(path)
    return [Module(name, tuple(files)) for name, files in sorted(found.items())]


def public_modules(found: list[Module]) -> list[Module]:
    """Those that a program is meant to import. `orjson.orjson` is the inside of `orjson`."""
    return [module for module in found if not is_private(module.name, module.is_compiled)]


def is_private(name: str, is_compiled: bool = False) -> bool:
    parts = name.split(".")
    inside = is_compiled and len(parts) > 1 and parts[-1] == parts[-2]
    return inside or any(part.startswith("_") for part in parts)


def _files(package: Package) -> Iterator[tuple[str, Path]]:
    """Module names with their files."""
    assert package.path
    seen = 0
    waiting = [(package.path, package.name, 0)]
    while waiting:
        directory, name, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
        except OSError:
            continue
        namespace = not is_package(directory)
        for entry in entries:
            seen += 1
            if seen > MAX_FILES:
                return
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                wanted = is_package(path) or (namespace and entry.name.isidentifier())
                if wanted and entry.name not in NOT_API and depth < MAX_DEPTH:
                    waiting.append((path, f"{name}.{entry.name}", depth + 1))
            elif (module := _module_name(path, package.installed)) and entry.is_file(
                follow_symlinks=package.installed
            ):
                if module == "__init__":
                    yield name, path
                elif module not in NOT_API:
                    yield f"{name}.{module}", path


def _module_name(path: Path, compiled: bool) -> str:
    """`vtkCommonCore` of `vtkCommonCore.cpython-311-x86_64-linux-gnu.so`, where `compiled` ones are
    wanted; "" of other files."""
    stem, _, suffixes = path.name.partition(".")
    if not stem.isidentifier() or path.suffix not in (_PYTHON + _EXTENSIONS * compiled):
        return ""
    if path.suffix in _PYTHON:
        return stem if suffixes in ("py", "pyi") else ""
    tagged = suffixes.startswith(("cpython", "abi3", "cp3", "pypy"))
    if tagged:
        return stem
    return "" if stem.startswith("lib") or not _starts_as(path, stem) else stem


def _starts_as(path: Path, name: str) -> bool:
    """Whether a library is a module: a package's other libraries lie beside it."""
    try:
        size = min(path.stat().st_size, MAX_LIBRARY)
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as data,
        ):
            return data.find(f"PyInit_{name}\0".encode()) >= 0
    except (OSError, ValueError):
        return False
