"""Whether what was found bears on the question: an index has something for any words, and what fits
by chance costs a model time and leads it astray."""

import sqlite3
from collections.abc import Sequence
from math import log

from retrieval.chunk_search import Ranked, Words

LOOKED_AT = 8  # chunks
LEAST = 0.4
"""Of the weight of a question's words, in one chunk. 40 questions on VTK, asked of its own index:
0.62 and more; asked of another library's, 37 of them less than this, like 17 of 20 requests for
programs that need no library."""


def bears_on(database: sqlite3.Connection, terms: Sequence[str], ranked: Ranked) -> bool:
    """Whether one of the best chunks has enough of the words, each weighed by how rare it is
    (inverse document frequency, Spärck Jones 1972); one that the index lacks weighs most."""
    (chunks,) = database.execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
    words = Words(database, "words")
    held = {row: 0.0 for row, _ in ranked[:LOOKED_AT]}
    whole = 0.0
    for term in terms:
        weight = log(1 + chunks / (1 + words.count(term)))
        whole += weight
        for number in words.rows_with(term, [*held]):
            held[number] += weight
    return max(held.values(), default=0.0) >= LEAST * whole
