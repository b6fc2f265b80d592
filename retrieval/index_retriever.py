"""The retriever over the documentation index, for runs on the event loop."""

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from retrieval.chunk_search import choose, chunk_by_id, rank
from retrieval.data_file_search import find_files
from retrieval.document_index_file import DocumentIndexFile
from retrieval.embeddings import Embed, fused, has_any_vectors, has_vectors, model_of
from retrieval.named_library import Asked, named_modules
from retrieval.relevance import without_chance
from retrieval.search_words import SearchTerms
from retrieval.sketched_names import sketched
from retrieval.sources.chunk import Chunk, DataFile
from retrieval.unknown_name import UnknownName

T = TypeVar("T")


class IndexRetriever:
    """What the sources in `directory` say. Another process may add to them at any time; where there
    is no index everything is empty, and none is made. Raises DocumentsError where it is broken."""

    def __init__(self, directory: Path, embed: Embed | None = None) -> None:
        self._file = DocumentIndexFile(directory)
        self._embed = embed

    async def is_empty(self) -> bool:
        return await self._ask(_is_empty, True)

    async def search(
        self, query: str, *, limit: int = 8, by_chance: bool = False, sketch: str = ""
    ) -> list[Chunk]:
        """The best first. `by_chance`: also what merely fits some of the words, for people, who see
        that themselves. Vectors tell it by themselves. `sketch`: code as it might be written; what
        it uses of the libraries that the query names comes first, and what fits some of the words
        comes after it: it is of these libraries."""
        if limit < 1:
            return []
        model, vector = await self._vector(query)

        def look(database: sqlite3.Connection) -> list[Chunk]:
            asked = Asked.of(database, query)
            ranked = by_words = rank(database, asked)
            if model and vector and ranked:
                ranked = fused(database, ranked, model, vector)
            elif not by_chance and not (sketch and asked.sources):
                asked, ranked = without_chance(database, query, asked, ranked)
            first = sketched(database, sketch, asked.sources, by_words) if sketch else ()
            return choose(database, ranked, asked.terms, limit, first, asked.sources)

        return await self._ask(look, [])

    async def libraries(self, query: str) -> list[str]:
        """The modules to be imported of the indexed libraries that the query names."""
        return await self._ask(lambda database: named_modules(database, query), [])

    async def chunk(self, id: str) -> Chunk | None:
        """The chunk that a citation names; None where the index has none of this id."""
        return await self._ask(lambda database: chunk_by_id(database, id), None)

    async def unknown_names(self, code: str) -> list[UnknownName]:
        """The names that Python code takes from an indexed library which has no such names."""
        from retrieval.api_names import Api
        from retrieval.name_check import unknown_names
        from retrieval.symbol_table import Symbols

        return await self._ask(lambda database: unknown_names(code, Api(Symbols(database))), [])

    async def data_files(self, query: str) -> list[DataFile]:
        """Files that indexed documents name, the best first."""
        question = SearchTerms.of(query)
        return await self._ask(lambda database: find_files(database, question), [])

    async def environment(self, modules: Collection[str]) -> Path | None:
        """The virtual environment from which all of these top-level modules were indexed; None
        where no single one has them all."""
        return await self._ask(lambda database: _environment(database, modules), None)

    async def _vector(self, query: str) -> tuple[str, Sequence[float]]:
        """The query's vector with its model, where there are chunks with vectors of that model."""
        if self._embed is None or not await self._ask(has_any_vectors, False):
            return "", ()
        model = await model_of(self._embed)
        if not model or not await self._ask(lambda database: has_vectors(database, model), False):
            return "", ()
        vectors = await self._embed([query])
        return (model, vectors[0]) if vectors else ("", ())

    async def _ask(self, work: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """What the work finds; `nothing` where there is no index."""

        def read() -> T:
            with self._file.reading() as database:
                return nothing if database is None else work(database)

        return await asyncio.to_thread(read)


def _is_empty(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM chunks LIMIT 1").fetchone() is None


def _environment(database: sqlite3.Connection, modules: Collection[str]) -> Path | None:
    query = (
        "SELECT python FROM sources JOIN parts ON source = sources.id"
        " WHERE path = ? AND kind != 'folder'"
    )
    pythons = [{python for (python,) in database.execute(query, (each,))} for each in modules]
    for python in sorted(set.intersection(*pythons)) if pythons else ():
        place = Path(python).parent.parent
        if (place / "pyvenv.cfg").is_file() and (place / "bin" / "python").exists():
            return place
    return None
