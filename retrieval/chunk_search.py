"""Ranking chunks for a query: exact names first, then BM25, a mix of every type.

SQLite scores each row that a query matches (5 µs a row), so a query that half of the index fits
must not be put as it is: the rare words say which rows are looked at, the common ones how well they
fit, and never more than `LOOKED_AT` rows are.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from retrieval.chunk_weights import worth
from retrieval.index_tables import CHUNK, CHUNK_FROM, chunk_from, marks
from retrieval.mentioned_chunks import mentioned
from retrieval.named_library import Asked
from retrieval.search_words import SearchTerms, short_name
from retrieval.sources.chunk import Chunk

LOOKED_AT = 3_000  # rows
KEPT = 200  # of them, for what other signals say of them
_LEADING = 12  # words

_SAME_TITLE = 0.5  # what a further chunk of a title is worth
_SAME_TYPE = 0.94
_SUPPORT = 0.3  # of the next best chunk of the same thing

Ranked = list[tuple[int, float]]
"""Numbers of chunks with their scores, the best first."""


def rank(database: sqlite3.Connection, asked: Asked) -> Ranked:
    """The chunks that the words fit best, of the libraries that are named alone."""
    if not asked.terms.terms:
        return []
    words = WordTable(database, "words", asked.sources)
    found = words.ranked(asked.terms.terms)[:KEPT]
    titles = {row: title for row, title, _ in _about(database, found)}
    factors = worth(database, titles, asked.sources)
    weighed = sorted(((row, score * factors[row]) for row, score in found), key=_by_score)
    return _supported(weighed, titles)


def choose(
    database: sqlite3.Connection,
    ranked: Ranked,
    question: SearchTerms,
    limit: int,
    first: Sequence[int],
    sources: Sequence[int],
) -> list[Chunk]:
    """What is shown of a ranking: chunks of the names that the question mentions (of the `sources`
    that it names), those that come `first`, then the best that are not all about the same and of
    the same type."""
    numbers = mentioned(database, question.mentions, limit, sources)
    numbers += [number for number in first if number not in numbers]
    numbers += _varied(database, [each for each in ranked if each[0] not in numbers], limit)
    return _chunks(database, numbers[:limit])


class WordTable:
    """A table of words, in which chunks of some sources alone may be wanted."""

    def __init__(
        self, database: sqlite3.Connection, table: str, sources: Sequence[int] = ()
    ) -> None:
        self._database = database
        self._table = table
        self._wanted = _chunks_of(table, sources)

    def ranked(self, terms: Sequence[str]) -> Ranked:
        counts = {term: self.count(term) for term in terms}
        found = sorted((term for term in terms if counts[term]), key=lambda term: counts[term])
        if not found:
            return []
        rows = self._scored(self._expression(found[:_LEADING], counts))
        return sorted(((row, -score) for row, score in rows), key=_by_score)

    def _expression(self, terms: list[str], counts: dict[str, int]) -> str:
        """The rare words, as many as may be looked at, and all of them to be scored by."""
        leading, total = [terms[0]], counts[terms[0]]
        for term in terms[1:]:
            total += counts[term]
            if total > LOOKED_AT:
                break
            leading.append(term)
        everything = _any(terms)
        if counts[terms[0]] <= LOOKED_AT or len(terms) == 1:
            return f"({_any(leading)}) AND ({everything})"
        return f"{_quoted(terms[0])} AND ({_any(terms[1:])})"

    def count(self, term: str) -> int:
        """In how many rows, or that it is in very many."""
        (count,) = self._database.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM {self._table} WHERE {self._table} MATCH ?"
            " LIMIT ?)",
            (_quoted(term), 4 * LOOKED_AT),
        ).fetchone()
        return int(count)

    def rows_with(self, term: str, rows: Sequence[int]) -> list[int]:
        """Those of the rows that have the word."""
        found = self._database.execute(
            f"SELECT rowid FROM {self._table} WHERE {self._table} MATCH ?"
            f" AND rowid IN ({marks(rows)})",
            (_quoted(term), *rows),
        )
        return [row for (row,) in found]

    def _scored(self, expression: str) -> Iterable[tuple[int, float]]:
        """Lower is better, as bm25 has it."""
        return self._database.execute(
            f"SELECT rowid, rank FROM {self._table} WHERE {self._table} MATCH ?{self._wanted}"
            " LIMIT ?",
            (expression, LOOKED_AT),
        )


def _chunks_of(table: str, sources: Sequence[int]) -> str:
    """As a condition on each row that the words fit."""
    if not sources:
        return ""
    numbers = ", ".join(map(str, sources))
    return (
        " AND EXISTS (SELECT 1 FROM chunks JOIN parts ON parts.id = part"
        f" WHERE chunks.id = {table}.rowid AND source IN ({numbers}))"
    )


def _by_score(each: tuple[int, float]) -> float:
    return -each[1]


def _supported(ranked: Ranked, titles: Mapping[int, str]) -> Ranked:
    """Adds to each score a part of the next best one of the same thing: a class of which several
    chunks fit is meant rather than one that has all of the words by chance."""
    known = set(titles.values())
    groups: dict[str, list[float]] = {}
    for row, score in ranked:
        groups.setdefault(_thing(titles[row], known), []).append(score)
    better = []
    for row, score in ranked:
        scores = groups[_thing(titles[row], known)]
        next_best = scores[1] if score == scores[0] and len(scores) > 1 else scores[0]
        better.append((row, score + (_SUPPORT * next_best if len(scores) > 1 else 0)))
    return sorted(better, key=_by_score)


def _thing(title: str, known: Collection[str]) -> str:
    """The class of a method, where it was found as well."""
    owner = title.rpartition(".")[0]
    return owner if owner in known else title


def _about(database: sqlite3.Connection, ranked: Ranked) -> list[tuple[int, str, str]]:
    """Numbers, titles and types."""
    return database.execute(
        f"SELECT id, title, content_type FROM chunks WHERE id IN ({marks(ranked)})",
        [row for row, _ in ranked],
    ).fetchall()


def _varied(database: sqlite3.Connection, ranked: Ranked, limit: int) -> list[int]:
    """The best of a ranking, where each further chunk of a title or a type counts less."""
    scores = dict(ranked)
    about = {row: (title, kind) for row, title, kind in _about(database, ranked)}
    seen: Counter[str] = Counter()
    chosen: list[int] = []
    while about and len(chosen) < limit:
        best = max(
            about,
            key=lambda row: (
                scores[row]
                * _SAME_TITLE ** (seen[about[row][0]] + seen[short_name(about[row][0])])
                * _SAME_TYPE ** seen[about[row][1]]
            ),
        )
        title, kind = about.pop(best)
        seen.update({title, short_name(title), kind})
        chosen.append(best)
    return chosen


def _chunks(database: sqlite3.Connection, numbers: Sequence[int]) -> list[Chunk]:
    rows = database.execute(
        f"SELECT chunks.id, {CHUNK} FROM {CHUNK_FROM} WHERE chunks.id IN ({marks(numbers)})",
        numbers,
    )
    found = {row[0]: chunk_from(row[1:]) for row in rows}
    return [found[number] for number in numbers]


def chunk_by_id(database: sqlite3.Connection, id: str) -> Chunk | None:
    """The chunk that is cited by this id, if it is still there."""
    row = database.execute(
        f"SELECT {CHUNK} FROM {CHUNK_FROM} WHERE chunks.key = ?", [id]
    ).fetchone()
    return chunk_from(row) if row else None


def _any(terms: Iterable[str]) -> str:
    return " OR ".join(map(_quoted, terms))


def _quoted(term: str) -> str:
    """A word of FTS5's query language; a term has no quotes in it."""
    return f'"{term}"'
