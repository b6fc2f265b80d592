"""Finding runs that somebody judged and that have words in common with a text, over the index."""

from collections.abc import Collection

from history.index_row import text_of
from history.record import Record
from history.run_index import Index

_MIN = 2  # letters or digits of a beginning: shorter ones are those of too many words
# Somebody has looked at it: a judge, or examples that made one unnecessary.
_LOOKED_AT = "kind = 'run' AND error IS NULL AND (judged OR final_reason IS NOT NULL)"
_FIND = f"""SELECT number, offset, length FROM words CROSS JOIN runs ON row = words.rowid
    WHERE words MATCH ? AND {_LOOKED_AT}
    ORDER BY session IS ? DESC, bm25(words, 1.0, 0.0), row DESC LIMIT ?"""
_NEWEST = f"""SELECT number, offset, length FROM runs
    WHERE {_LOOKED_AT} ORDER BY session IS ? DESC, row DESC LIMIT ?"""


class SimilarRuns:
    """Asks an index. Any thread may use it."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def resembling(
        self, beginnings: Collection[str], *, session: str | None, limit: int
    ) -> list[Record]:
        """Up to `limit` runs with an output that did not fail and were looked at, and whose texts
        have words with some of these beginnings: those of the session first, then the most alike.
        Without beginnings: any, the newest.

        Takes in first what was written since. Raises sqlite3.Error or OSError if the cache cannot
        be used.
        """
        expression = _any_of(beginnings)
        if beginnings and not expression:
            return []
        self._index.catch_up()
        sql = _FIND if expression else _NEWEST
        values: list[object] = [expression] if expression else []
        values += [text_of(session), limit]
        found = self._index.records(lambda view: view.database.execute(sql, values).fetchall())
        return [record for record in found if record.get("final_output")]


def _any_of(beginnings: Collection[str]) -> str:
    """An FTS5 expression, in which no text is syntax; "" if there is nothing to look for."""
    words = sorted(word for word in beginnings if len(word) >= _MIN and word.isalnum())
    return f"text : ({' OR '.join([f'{word}*' for word in words])})" if words else ""
