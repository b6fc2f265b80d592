"""Decide whether what was found bears on the question: an index has something for any words, and
what fits by chance costs a model time and misleads it."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from retrieval.chunk_search import Ranked, WordTable
from retrieval.named_library import Asked
from retrieval.search_words import MAX_QUERY, SearchTerms

LOOKED_AT = 8  # chunks, and sentences
LEAST = 0.6
"""Of the weight of a sentence's words, in one chunk. 40 questions on VTK, asked of its own index:
0.62 and more; asked of another library's, none has as much, nor has any of 20 requests for programs
that need no library."""
_FEWEST_TERMS = 3  # that say what a sentence is about
_SENTENCE = re.compile(r"[.!?;]\s|\n")


def without_chance(
    database: sqlite3.Connection, query: str, asked: Asked, ranked: Ranked
) -> tuple[Asked, Ranked]:
    """What of a question and of the ranking for it is left where the words fit by chance: names
    that are no ordinary words. `Stack` is one that many mean, `Table.add_column` is not."""
    if any(bears_on(database, terms, ranked) for terms in _sentences(query)):
        return asked, ranked
    telling = [name for name in asked.terms.mentions if not (name.isalpha() and name.istitle())]
    return replace(asked, terms=replace(asked.terms, mentions=tuple(telling))), []


def bears_on(database: sqlite3.Connection, terms: Sequence[str], ranked: Ranked) -> bool:
    """Whether one of the best chunks has enough of the words, each weighed by how rare it is
    (inverse document frequency, Spärck Jones 1972); one that the index lacks weighs most."""
    (chunks,) = database.execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
    words = WordTable(database, "words")
    held = {row: 0.0 for row, _ in ranked[:LOOKED_AT]}
    whole = 0.0
    for term in terms:
        weight = log(1 + chunks / (1 + words.count(term)))
        whole += weight
        for number in words.rows_with(term, [*held]):
            held[number] += weight
    return max(held.values(), default=0.0) >= LEAST * whole


def _sentences(query: str) -> Iterator[Sequence[str]]:
    """The words of each, of the first ones: one of a long text may be about the library. All of it
    where none is long enough to be about something."""
    told = [SearchTerms.of(each).terms for each in _SENTENCE.split(query[:MAX_QUERY])]
    long = [terms for terms in told if len(terms) >= _FEWEST_TERMS]
    yield from long[:LOOKED_AT] or [SearchTerms.of(query).terms]
