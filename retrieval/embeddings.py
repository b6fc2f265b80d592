"""Embeddings of chunks: a second ranking signal beside the words.

They are made when a source is added, and kept by content and model. A query costs its own vector
and re-orders what the words have found: the vectors of those `KEPT` chunks alone are read, so that
its cost does not grow with the index.
"""

import asyncio
import sqlite3
from array import array
from collections.abc import Awaitable, Callable, Sequence
from math import sqrt
from operator import mul
from typing import NamedTuple

from history.index_file import transaction
from retrieval.chunk_search import Ranked
from retrieval.document_index_file import DocumentIndexFile
from retrieval.index_tables import marks
from retrieval.sources.chunk import Progress, embedded_text

BATCH = 16  # texts
ATTEMPTS = 3  # at a batch: a model that has to be loaded first may be late
_PROBE = "a text that every model has its own vector of"
_LARGEST = 8  # of its numbers
_FUSION = 60  # the constant of reciprocal rank fusion (Cormack, Clarke, Büttcher 2009)


Embed = Callable[[Sequence[str]], Awaitable[Sequence[Sequence[float]] | None]]
"""A vector for each text; None where there is no embedding model, or it does not answer."""


class Missing(NamedTuple):
    """A content without a vector."""

    digest: bytes
    text: str


async def model_of(embed: Embed) -> str:
    """What its vectors are kept under: another model answers differently to the same text. "" where
    there is none."""
    vectors = await embed([_PROBE])
    if not vectors:
        return ""
    (vector,) = vectors
    largest = sorted(range(len(vector)), key=lambda place: -abs(vector[place]))[:_LARGEST]
    return f"{len(vector)}:{','.join(map(str, sorted(largest)))}"


async def embed_chunks(
    file: DocumentIndexFile, embed: Embed, progress: Progress | None = None
) -> int:
    """Makes the vectors that are not there yet; gives how many. Nothing happens where there is no
    model; what is made before one stops answering is kept, and another call goes on."""
    done, last = 0, b""
    model = await model_of(embed)
    total = await asyncio.to_thread(_count_missing, file, model) if model else 0
    while total:
        batch = await asyncio.to_thread(_missing, file, model, last)
        vectors = await _embedded(embed, [each.text for each in batch]) if batch else None
        if vectors is None:
            break
        await asyncio.to_thread(_keep, file, model, batch, vectors)
        done, last = done + len(batch), batch[-1].digest
        if progress:
            progress(min(done, total), total)
    return done


def has_any_vectors(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM vectors LIMIT 1").fetchone() is not None


def has_vectors(database: sqlite3.Connection, model: str) -> bool:
    found = database.execute("SELECT 1 FROM vectors WHERE model = ? LIMIT 1", (model,))
    return found.fetchone() is not None


def fused(
    database: sqlite3.Connection, ranked: Ranked, model: str, query: Sequence[float]
) -> Ranked:
    """A ranking by words together with that of the same chunks by their vectors: by the sum of the
    reciprocal ranks. The scores are the old ones, in their new order."""
    near = _nearness(database, [row for row, _ in ranked], model, query)
    by_vector = sorted(near, key=lambda row: -near[row])
    worth: dict[int, float] = {}
    for ranking in ([row for row, _ in ranked], by_vector):
        for place, row in enumerate(ranking, start=1):
            worth[row] = worth.get(row, 0) + 1 / (_FUSION + place)
    best = sorted(worth, key=lambda row: -worth[row])
    return list(zip(best, sorted((score for _, score in ranked), reverse=True), strict=True))


def _nearness(
    database: sqlite3.Connection, rows: Sequence[int], model: str, query: Sequence[float]
) -> dict[int, float]:
    """Cosines, of those that have vectors."""
    found = database.execute(
        "SELECT chunks.id, length, vector FROM chunks JOIN vectors USING (digest)"
        f" WHERE chunks.id IN ({marks(rows)}) AND model = ?",
        (*rows, model),
    )
    near = {}
    for row, length, stored in found:
        vector = array("b", stored)
        if len(vector) == len(query):
            near[row] = sum(map(mul, vector, query)) / length
    return near


async def _embedded(embed: Embed, texts: list[str]) -> Sequence[Sequence[float]] | None:
    for _ in range(ATTEMPTS):
        vectors = await embed(texts)
        if vectors is not None and len(vectors) == len(texts):
            return vectors
    return None


_WITHOUT = """FROM chunks WHERE NOT EXISTS (
    SELECT 1 FROM vectors WHERE vectors.digest = chunks.digest AND model = ?)"""


def _count_missing(file: DocumentIndexFile, model: str) -> int:
    with file.reading() as database:
        if database is None:
            return 0
        (count,) = database.execute(
            f"SELECT count(DISTINCT digest) {_WITHOUT}", (model,)
        ).fetchone()
        return int(count)


def _missing(file: DocumentIndexFile, model: str, after: bytes) -> list[Missing]:
    with file.reading() as database:
        if database is None:
            return []
        rows = database.execute(
            f"SELECT digest, title, content {_WITHOUT} AND digest > ? GROUP BY digest LIMIT ?",
            (model, after, BATCH),
        )
        return [Missing(digest, embedded_text(title, content)) for digest, title, content in rows]


def _keep(
    file: DocumentIndexFile,
    model: str,
    batch: Sequence[Missing],
    vectors: Sequence[Sequence[float]],
) -> None:
    rows = [
        (model, each.digest, *_small(vector)) for each, vector in zip(batch, vectors, strict=True)
    ]
    with file.writing() as database, transaction(database):
        database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)


def _small(vector: Sequence[float]) -> tuple[float, bytes]:
    """A vector in signed bytes, a quarter of its size, and the length that it has then."""
    largest = max(map(abs, vector), default=0.0) or 1.0
    numbers = array("b", (round(127 * value / largest) for value in vector))
    return sqrt(sum(map(mul, numbers, numbers))) or 1.0, numbers.tobytes()
