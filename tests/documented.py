"""Folders and packages to read documentation from."""

from pathlib import Path

from retrieval.sources import find_source, list_parts, read_parts
from retrieval.sources.chunk import ParsedPart


def write(folder: Path, files: dict[str, str]) -> Path:
    """The files, by their paths in the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def read(target: Path | str, python: Path | None = None) -> dict[str, ParsedPart]:
    """All of a source's readings by their paths."""
    source = find_source(str(target), python=python)
    return {reading.path: reading for reading in read_parts(source, list_parts(source))}
