"""What the pipeline needs of an index of documentation. Whoever keeps one (`retrieval`) fits these
shapes; the pipeline knows no other.

A method may raise anything where the index is broken; its message says which command mends it.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol


class Passage(Protocol):
    """A piece of documentation of a size that a model can be shown. `content_type` is `CODE`,
    `API_DOC` or `CONCEPT`."""

    @property
    def id(self) -> str: ...
    @property
    def content_type(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def source(self) -> str: ...


class InventedName(Protocol):
    """A name that code takes from a library which has no such name. `kind` is the exception that
    Python would raise, `context` the source line."""

    @property
    def line(self) -> int: ...
    @property
    def context(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def kind(self) -> str: ...


class KnownFile(Protocol):
    """A data file that an indexed document names; what is not known of it is ""."""

    @property
    def filename(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def source_example(self) -> str: ...
    @property
    def download_url(self) -> str: ...
    @property
    def file_type(self) -> str: ...
    @property
    def file_size(self) -> str: ...


class Retriever(Protocol):
    async def is_empty(self) -> bool: ...

    async def search(self, query: str, *, limit: int = 8, sketch: str = "") -> Sequence[Passage]:
        """The best first. Nothing where the words of the query fit by chance. `sketch`: code as it
        might be written; what it uses of the libraries that the query names comes first, and in
        place of what is deprecated what is to be used instead."""
        ...

    async def libraries(self, query: str) -> Sequence[str]:
        """The modules to be imported of those that it describes and the query names."""
        ...

    async def unknown_names(self, code: str) -> Sequence[InventedName]:
        """Of Python code; empty for libraries that are not indexed and for code that does not
        parse."""
        ...

    async def data_files(self, query: str) -> Sequence[KnownFile]: ...

    async def environment(self, modules: Collection[str]) -> Path | None:
        """A virtual environment that has all of these top-level modules; None: not known."""
        ...
