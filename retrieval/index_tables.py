"""The tables of the index, and its rows."""

import json
from collections.abc import Sequence, Sized
from typing import Any

from retrieval.search_words import short_name, spread
from retrieval.sources.chunk import Chunk, DataFile, Symbol

VERSION = 2
"""Goes up with every change of the tables, or of what `word_values` makes of a chunk: rows of
`words` are deleted by the same values again."""

_TOKENS = "tokenize = \"porter unicode61 remove_diacritics 2 tokenchars '_'\""

TABLES = [
    """CREATE TABLE sources (
        id INTEGER PRIMARY KEY, name TEXT UNIQUE, kind TEXT, target TEXT, python TEXT, version TEXT,
        changed REAL
    )""",
    """CREATE TABLE parts (
        id INTEGER PRIMARY KEY, source INTEGER REFERENCES sources ON DELETE CASCADE,
        path TEXT, fingerprint TEXT, notes TEXT, UNIQUE (source, path)
    )""",
    "CREATE INDEX parts_path ON parts (path)",
    """CREATE TABLE chunks (
        id INTEGER PRIMARY KEY, part INTEGER REFERENCES parts ON DELETE CASCADE, key TEXT UNIQUE,
        content_type TEXT, title TEXT, symbols TEXT, digest BLOB, content TEXT
    )""",
    "CREATE INDEX chunks_part ON chunks (part)",
    "CREATE INDEX chunks_title ON chunks (title)",
    "CREATE INDEX chunks_digest ON chunks (digest)",
    f"""CREATE VIRTUAL TABLE words USING fts5 (
        kind, name, lead, title, symbols, content, content='', {_TOKENS}
    )""",
    "INSERT INTO words (words, rank) VALUES ('rank', 'bm25(0.0, 6.0, 4.0, 1.0, 2.0, 1.0)')",
    "INSERT INTO words (words, rank) VALUES ('automerge', 16)",
    """CREATE TABLE symbols (
        part INTEGER REFERENCES parts ON DELETE CASCADE, parent TEXT, short TEXT, kind TEXT,
        bases TEXT, returns TEXT, parameters TEXT, complete INTEGER, alias_of TEXT
    )""",
    "CREATE INDEX symbols_part ON symbols (part)",
    "CREATE INDEX symbols_name ON symbols (short, parent)",
    "CREATE INDEX symbols_parent ON symbols (parent)",
    """CREATE TABLE bases (
        part INTEGER REFERENCES parts ON DELETE CASCADE, class TEXT, base TEXT
    )""",
    "CREATE INDEX bases_part ON bases (part)",
    "CREATE INDEX bases_class ON bases (class)",
    "CREATE INDEX bases_base ON bases (base)",
    """CREATE TABLE data_files (
        id INTEGER PRIMARY KEY, part INTEGER REFERENCES parts ON DELETE CASCADE, filename TEXT,
        description TEXT, source_example TEXT, download_url TEXT, file_type TEXT, file_size TEXT
    )""",
    "CREATE INDEX data_files_part ON data_files (part)",
    f"CREATE VIRTUAL TABLE file_words USING fts5 (name, text, content='', {_TOKENS})",
    """CREATE TABLE vectors (
        model TEXT, digest BLOB, length REAL, vector BLOB, PRIMARY KEY (model, digest)
    ) WITHOUT ROWID""",
]
"""`words` and `file_words` hold the words of the rows of `chunks` and `data_files` with the same
number, not the texts. `vectors` belong to contents (`chunks.digest`), so that a chunk which was
read again keeps its own; their numbers are signed bytes, `length` is what they have as a vector.
`bases` repeats `symbols.bases`, to be searched from both ends."""

CHUNK = "chunks.key, content_type, title, content, symbols, parts.path, sources.name"
CHUNK_FROM = "chunks JOIN parts ON parts.id = part JOIN sources ON sources.id = source"
FILE = "filename, description, source_example, download_url, file_type, file_size"
WORDS = "kind, name, lead, title, symbols, content"
_LEAD = 300  # characters


def chunk_from(values: Sequence[Any]) -> Chunk:
    """A chunk from the columns that `CHUNK` names."""
    key, kind, title, content, symbols, path, source = values
    return Chunk(key, kind, title, content, tuple(json.loads(symbols)), path, source)


def marks(values: Sized) -> str:
    """Of SQL, for as many values."""
    return ", ".join("?" * len(values))


def word_values(
    content_type: str, title: str, symbols: Sequence[str], content: str
) -> tuple[str, ...]:
    """The values of `WORDS` for a chunk."""
    names = " ".join(dict.fromkeys(map(short_name, symbols)))
    kind, name = content_type.lower().replace("_", ""), spread(short_name(title))
    return kind, name, spread(_lead(content)), spread(title), spread(names), spread(content)


def _lead(content: str) -> str:
    """What a thing says of itself first: the paragraph after the one that says how it is imported,
    or the first one. Nothing where the chunk goes on with another."""
    head, _, rest = content.partition("\n\n")
    if "continued" in head.partition("\n")[0]:
        return ""
    lead = rest.partition("\n\n")[0] if " import " in head and rest else head
    return lead[:_LEAD]


def file_values(file: DataFile) -> tuple[str, str]:
    """The values of `file_words`."""
    return (
        spread(f"{file.filename} {file.file_type}"),
        spread(f"{file.description} {file.source_example}"),
    )


def symbol_values(symbol: Symbol) -> tuple[Any, ...]:
    """The values of a row of `symbols`, without its part."""
    parent, _, short = symbol.name.rpartition(".")
    parameters = None if symbol.parameters is None else json.dumps(symbol.parameters)
    bases = json.dumps(symbol.bases) if symbol.bases else ""
    more = (bases, symbol.returns, parameters, symbol.complete, symbol.alias_of)
    return parent, short, symbol.kind, *more
