"""The tables of the index, and converting records to and from their rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any

import orjson

from history.counts import Key
from history.index_query import tag
from history.index_row import Row, Stage, text_of
from history.reader import Entry
from history.record_values import as_table

COLUMNS = ", ".join(Row._fields)
_PLACE = "number, offset, length"

VERSION = 8
"""Goes up with every change of the tables or of what is put into them."""

TABLES = [
    f"CREATE TABLE runs (row INTEGER PRIMARY KEY, {_PLACE}, {COLUMNS})",
    "CREATE INDEX runs_id ON runs (id)",
    "CREATE VIRTUAL TABLE words USING fts5 (text, tags, content='')",
    "INSERT INTO words (words, rank) VALUES ('automerge', 16)",  # merges cost most of the time
    "CREATE TABLE blocks (block INTEGER PRIMARY KEY, first_ts REAL, last_ts REAL)",
    """CREATE TABLE counts (
        auxiliary INTEGER, key TEXT, value TEXT, runs INTEGER, amount REAL,
        PRIMARY KEY (key, value, auxiliary)
    ) WITHOUT ROWID""",
    """CREATE TABLE files (
        number INTEGER PRIMARY KEY, head BLOB, first_row INTEGER, last_row INTEGER, damaged INTEGER,
        size INTEGER
    )""",
    "CREATE TABLE place (number INTEGER, offset INTEGER, bytes INTEGER)",
    "INSERT INTO place VALUES (0, 0, 0)",
    "CREATE TABLE ratings (id TEXT PRIMARY KEY, rating TEXT) WITHOUT ROWID",
    "CREATE TABLE ratings_version (version TEXT)",
    "INSERT INTO ratings_version VALUES ('')",
]
"""`runs`: one row a record, in file order; `number, offset, length` tell where its line is,
`models` and `stages` are JSON lists.
`words`: the texts of the same rows, not stored, and tags, words for what is asked for exactly.
`blocks`: the earliest and the latest time in each 4,096 rows. `counts`: see `history.counts`.
`files`: the rows that came from each, how many of its lines are damaged, and, once it was gone
through, its size; none if it could not be read to its end.
`place`: how far the history is taken in. `ratings`: what counts of `history.ratings`, all of it
whenever that file has changed: people say little."""

BLOCK = 4096
INSERT_RUN = f"INSERT INTO runs VALUES ({', '.join('?' * (4 + len(Row._fields)))})"
INSERT_WORDS = "INSERT INTO words (rowid, text, tags) VALUES (?, ?, ?)"
WIDEN_BLOCK = """INSERT INTO blocks VALUES (?, ?, ?) ON CONFLICT (block) DO UPDATE SET
    first_ts = min(first_ts, excluded.first_ts), last_ts = max(last_ts, excluded.last_ts)"""
WIDEN_FILE = """INSERT INTO files VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET
    last_row = excluded.last_row, damaged = damaged + excluded.damaged, size = excluded.size"""
ADD_COUNT = """INSERT INTO counts VALUES (?, ?, ?, ?, ?) ON CONFLICT (key, value, auxiliary)
    DO UPDATE SET runs = runs + excluded.runs, amount = amount + excluded.amount"""

_BREAK = "\n\ue000\n"  # a word of its own to FTS5: no phrase reaches from one text into the next
_TEXTS = ("original_prompt", "normalized_prompt", "coder_output", "reviewer_output", "final_output")


def run_values(number: int, entry: Entry, row: Row) -> tuple[object, ...]:
    """The values of a row of `runs`."""
    models, stages = orjson.dumps(row.models), orjson.dumps(row.stages, default=tuple)
    return (number, *entry[:3], *row[:-2], models.decode(), stages.decode())


def words_values(number: int, entry: Entry, found: Iterable[Key]) -> tuple[int, str, str]:
    """The values of a row of `words`; `found` is what the run is found by."""
    record: Mapping[str, Any] = entry.record
    texts = [text_of(record.get(key)) for key in _TEXTS]
    texts.append(text_of(as_table(record.get("error")).get("message")))
    tags = " ".join(starmap(tag, found))
    return number, _BREAK.join(dict.fromkeys(filter(None, texts))), tags


def block_values(rows: Sequence[tuple[int, Row]]) -> Iterator[tuple[int, float, float]]:
    """The values for `blocks` of numbered rows."""
    times: dict[int, list[float]] = {}
    for number, row in rows:
        if row.ts is not None:
            times.setdefault(number // BLOCK, []).append(row.ts)
    return ((block, min(found), max(found)) for block, found in times.items())


def row_from(values: Sequence[Any]) -> Row:
    """A row from the columns that `COLUMNS` names."""
    fields = list(values)
    for flag in _FLAGS:
        fields[flag] = fields[flag] == 1
    fields[-2] = tuple(orjson.loads(fields[-2]))
    fields[-1] = tuple(map(Stage._make, orjson.loads(fields[-1])))
    return Row._make(fields)


_FLAGS = tuple(map(Row._fields.index, ("escalated", "judged")))
