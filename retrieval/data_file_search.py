"""Looking up the data files that indexed documents name."""

import sqlite3

from retrieval.chunk_search import WordTable
from retrieval.index_tables import FILE, marks
from retrieval.search_words import SearchTerms
from retrieval.sources.chunk import DataFile

MOST = 5
_LOOKED_AT = 200  # rows: many examples name the same file


def find_files(database: sqlite3.Connection, question: SearchTerms) -> list[DataFile]:
    """The best first, each file once: where it can be downloaded from, if any example says so."""
    ranked = WordTable(database, "file_words").ranked(question.terms)[:_LOOKED_AT]
    rows = database.execute(
        f"SELECT id, {FILE} FROM data_files WHERE id IN ({marks(ranked)})",
        [row for row, _ in ranked],
    )
    files = {row: DataFile(*values) for row, *values in rows}
    found: dict[str, DataFile] = {}
    for row, _ in ranked:
        file = files[row]
        known = found.get(file.filename)
        if known is None or (file.download_url and not known.download_url):
            found[file.filename] = file
    return list(found.values())[:MOST]
