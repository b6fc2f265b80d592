"""Folders and packages to read documentation from."""

import sys
from pathlib import Path

from retrieval.sources.chunk import ParsedPart
from retrieval.sources.part_reader import read_parts
from retrieval.sources.source_lookup import find_source
from retrieval.sources.source_parts import list_parts


def write(folder: Path, files: dict[str, str]) -> Path:
    """The files, by their paths in the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def environment(folder: Path, files: dict[str, str]) -> Path:
    """A virtual environment that has these files installed; its interpreter."""
    write(folder, {"pyvenv.cfg": f"home = {sys.base_prefix}/bin\n"})
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    write(folder / "lib" / version / "site-packages", files)
    (folder / "bin").mkdir()
    python = folder / "bin" / "python"
    python.symlink_to(Path(sys.base_prefix, "bin", version))
    return python


def read(
    target: Path | str, python: Path | None = None, *, imports: bool = False
) -> dict[str, ParsedPart]:
    """All of a source's readings by their paths."""
    source = find_source(str(target), python=python, imports=imports)
    return {reading.path: reading for reading in read_parts(source, list_parts(source))}
