"""A source of documentation, and the parts that it is read in."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["package", "imported", "folder"]


class SourceError(Exception):
    """What was asked for is not there, or holds nothing to read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Package:
    """A module with what is below it. `root` is the directory that imports find it in and `path`
    its own directory or file; both are None for what is built into Python. `installed`: its links
    lead to its own files (as some installers make them), and it may have compiled modules; links in
    a folder may lead out of it."""

    name: str
    root: Path | None = None
    path: Path | None = None
    installed: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """`name` is unique among a person's sources, `target` is what was asked for (an import or
    distribution name, or an absolute path), `python` the interpreter that has it installed, which
    runs an `imported` one; all others are read as text.
    `folder` is a directory or a single file; `readme` a distribution's description."""

    name: str
    kind: Kind
    target: str
    python: Path
    version: str = ""
    packages: tuple[Package, ...] = ()
    folder: Path | None = None
    readme: Path | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """`path` is a module's name, `README` (a distribution's description), or a file relative to
    the folder; `label` begins the ids of its chunks and is unique within the source."""

    path: str
    fingerprint: str
    label: str
    kind: Literal["module", "readme", "file"]
