"""What one part of a source is in the index: its rows, written and deleted together."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import astuple
from hashlib import blake2b

from retrieval.index_tables import FILE, WORDS, file_values, symbol_values, word_values
from retrieval.sources.chunk import Chunk, DataFile, ParsedPart, embedded_text
from retrieval.sources.source import Part

_SAME_NAME = 10_000  # chunks of one id in several sources


def replace_part(database: sqlite3.Connection, source: int, part: Part, parsed: ParsedPart) -> None:
    """Replaces what the index holds of the part. Within a transaction."""
    delete_parts(database, source, [part.path])
    number = database.execute(
        "INSERT INTO parts (source, path, fingerprint, notes) VALUES (?, ?, ?, ?)",
        (source, part.path, part.fingerprint, "\n".join(parsed.problems)),
    ).lastrowid
    assert number is not None
    for chunk in parsed.chunks:
        _add_chunk(database, number, chunk)
    _add_symbols(database, number, parsed)
    for file in parsed.data_files:
        _add_file(database, number, file)


def delete_parts(database: sqlite3.Connection, source: int, paths: Iterable[str]) -> None:
    """Within a transaction."""
    for path in paths:
        found = database.execute(
            "SELECT id FROM parts WHERE source = ? AND path = ?", (source, path)
        ).fetchone()
        if found is not None:
            _delete_words(database, found[0])
            database.execute("DELETE FROM parts WHERE id = ?", found)


def _add_chunk(database: sqlite3.Connection, part: int, chunk: Chunk) -> None:
    text = embedded_text(chunk.title, chunk.content).encode()
    row = database.execute(
        "INSERT INTO chunks (part, key, content_type, title, symbols, digest, content)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            part,
            _free_key(database, chunk.id),
            chunk.content_type,
            chunk.title,
            json.dumps(chunk.symbols),
            blake2b(text, digest_size=16).digest(),
            chunk.content,
        ),
    ).lastrowid
    words = word_values(chunk.content_type, chunk.title, chunk.symbols, chunk.content)
    database.execute(
        f"INSERT INTO words (rowid, {WORDS}) VALUES (?, ?, ?, ?, ?, ?, ?)", (row, *words)
    )


def _free_key(database: sqlite3.Connection, key: str) -> str:
    """The id itself, or with a number where a chunk of another source or part has it."""
    for number in range(1, _SAME_NAME):
        free = key if number == 1 else f"{key}_{number}"
        if not database.execute("SELECT 1 FROM chunks WHERE key = ?", (free,)).fetchone():
            return free
    raise ValueError(f"too many chunks with the id {key}")


def _add_symbols(database: sqlite3.Connection, part: int, parsed: ParsedPart) -> None:
    database.executemany(
        "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(part, *symbol_values(symbol)) for symbol in parsed.symbols],
    )
    database.executemany(
        "INSERT INTO bases VALUES (?, ?, ?)",
        [(part, symbol.name, base) for symbol in parsed.symbols for base in symbol.bases],
    )


def _add_file(database: sqlite3.Connection, part: int, file: DataFile) -> None:
    row = database.execute(
        f"INSERT INTO data_files (part, {FILE}) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (part, *astuple(file)),
    ).lastrowid
    database.execute(
        "INSERT INTO file_words (rowid, name, text) VALUES (?, ?, ?)", (row, *file_values(file))
    )


def _delete_words(database: sqlite3.Connection, part: int) -> None:
    """Takes the part's chunks and files out of the tables of words, which keep no texts and want
    to be told the same ones again."""
    chunks = database.execute(
        "SELECT id, content_type, title, symbols, content FROM chunks WHERE part = ?", (part,)
    )
    for row, kind, title, symbols, content in chunks.fetchall():
        database.execute(
            f"INSERT INTO words (words, rowid, {WORDS}) VALUES ('delete', ?, ?, ?, ?, ?, ?, ?)",
            (row, *word_values(kind, title, json.loads(symbols), content)),
        )
    files = database.execute(f"SELECT id, {FILE} FROM data_files WHERE part = ?", (part,))
    for row, *values in files.fetchall():
        database.execute(
            "INSERT INTO file_words (file_words, rowid, name, text) VALUES ('delete', ?, ?, ?)",
            (row, *file_values(DataFile(*values))),
        )
