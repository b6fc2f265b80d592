"""What the documentation index holds: pieces of text, names, and files that examples work on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

ContentType = Literal["CODE", "API_DOC", "CONCEPT"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of documentation of a size that a model can be shown.

    `id` is stable from one indexing to the next (`vtkCylinderSource_api_0`), `symbols` are the
    qualified names that it documents or uses. Out of the index it has the name of its `source` and
    its `path` there: a file, or a module.
    """

    id: str
    content_type: ContentType
    title: str
    content: str
    symbols: tuple[str, ...] = ()
    path: str = ""
    source: str = ""


_WHAT: dict[ContentType, str] = {"CODE": "code", "API_DOC": "api", "CONCEPT": "concept"}


class Ids:
    """`vtkActor_api_0`, `vtkActor_api_1`, `start_code_0`: counted for each label, and so unique."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def new(self, label: str, kind: ContentType) -> str:
        number = self._counts[label, kind]
        self._counts[label, kind] += 1
        return f"{label}_{_WHAT[kind]}_{number}"


def embedded_text(title: str, content: str) -> str:
    """What a chunk's vector is made of."""
    return f"{title}\n{content}"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of an API. `bases` and `returns` are qualified names where they are known;
    `parameters` are the names that a call may give, None where that is not known. `complete`: every
    member of this module or class is a symbol too, so that another member is an invented one.
    `alias_of`: the qualified name that this one is an alias of."""

    name: str
    kind: Literal["module", "class", "function", "method", "attribute"]
    bases: tuple[str, ...] = ()
    returns: str = ""
    parameters: tuple[str, ...] | None = None
    complete: bool = False
    alias_of: str = ""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that an indexed document names: nothing in it is made up, what is unknown is ""."""

    filename: str
    description: str
    source_example: str
    download_url: str
    file_type: str
    file_size: str


@dataclass(slots=True)
class ParsedPart:
    """What one file or module of a source says. `problems`: what of it could not be read, and why.
    `left`: it was not read this time; what is in the index of it stays."""

    path: str
    chunks: list[Chunk] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    data_files: list[DataFile] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    left: bool = False


Progress = Callable[[int, int], None]
"""Told how many parts of how many are done."""
