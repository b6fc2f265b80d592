"""What the index keeps of a record, and how a question to it is put (SQL and FTS5 syntax)."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from history.reader import Entry

TABLES = [
    """CREATE TABLE runs (
        row INTEGER PRIMARY KEY,
        number INTEGER, offset INTEGER, length INTEGER,
        id TEXT, ts REAL, session TEXT, kind TEXT, mode TEXT, source TEXT,
        escalated INTEGER, error TEXT, duration_ms REAL, models TEXT,
        confidence INTEGER, conflict INTEGER, review_confidence INTEGER, review_conflict INTEGER
    )""",
    "CREATE INDEX runs_id ON runs (id)",
    "CREATE INDEX runs_ts ON runs (ts)",
    """CREATE TABLE files (
        number INTEGER PRIMARY KEY, head BLOB, first_row INTEGER, last_row INTEGER
    )""",
    "CREATE TABLE place (number INTEGER, offset INTEGER)",
    "INSERT INTO place VALUES (0, 0)",
    "CREATE VIRTUAL TABLE words USING fts5 (text, tags, content='')",
]
"""`runs`: one row a record, in file order, `number, offset, length` tell where its line is.
`words`: the texts of the same rows, not stored, and tags, words for what is asked for exactly."""

_BREAK = "\n\ue000\n"  # a word of its own to FTS5: no phrase reaches from one text into the next
INSERT_RUN = f"INSERT INTO runs VALUES ({', '.join('?' * 18)})"
INSERT_WORDS = "INSERT INTO words (rowid, text, tags) VALUES (?, ?, ?)"

_TAGS = ("session", "mode", "kind")
_TEXTS = ("original_prompt", "normalized_prompt", "coder_output", "reviewer_output", "final_output")
_MIN_PREFIX = 3  # beginnings shorter than this are those of too many words


def run_row(row: int, entry: Entry) -> tuple[object, ...]:
    """The values of a row of `runs`; what is not of the type that a record has there is null."""
    record: Mapping[str, Any] = entry.record
    judge, review = _mapping(record.get("judge")), _mapping(record.get("reviewer_judge"))
    return (
        row,
        *entry[:3],
        *(_string(record["id"]), _seconds(record.get("ts"))),
        *(_string(record.get(key)) for key in ("session", "kind", "mode", "source")),
        bool(record.get("escalated")),
        _string(_mapping(record.get("error")).get("code")),
        _number(record.get("duration_ms")),
        ",".join(dict.fromkeys(_models(record))),
        *(_number(judge.get(key)) for key in ("confidence_score", "conflict_score")),
        *(_number(review.get(key)) for key in ("confidence_score", "conflict_score")),
    )


def words_row(row: int, entry: Entry) -> tuple[int, str, str]:
    """The values of a row of `words`."""
    record: Mapping[str, Any] = entry.record
    texts = [_string(record.get(key)) for key in _TEXTS]
    texts.append(_string(_mapping(record.get("error")).get("message")))
    tags = [_tag(key, record[key]) for key in _TAGS if isinstance(record.get(key), str)]
    return row, _BREAK.join(dict.fromkeys(filter(None, texts))), " ".join(tags)


def select(
    query: str | None, tags: Mapping[str, str | None], since: datetime | None, limit: int
) -> tuple[str, list[object]] | None:
    """Statement and values that give number, offset and length, newest first.

    None if `query` holds nothing that could be looked for.
    """
    words = list(_words(query or ""))
    if not words and query and not query.isspace():
        return None
    conditions = [f'tags : "{_tag(key, tag)}"' for key, tag in tags.items() if tag is not None]
    if words:
        conditions.append(f"text : ({' AND '.join(words)})")
    sql, values = "SELECT number, offset, length FROM ", list[object]()
    if conditions:
        sql += "words CROSS JOIN runs ON row = words.rowid WHERE words MATCH ?"
        values.append(" AND ".join(conditions))
    else:
        sql += "runs WHERE true"
    key = "words.rowid" if conditions else "row"
    if since:
        sql += f" AND ts >= ? AND {key} >= (SELECT min(row) FROM runs WHERE ts >= ?)"
        values += [since.timestamp()] * 2
    return f"{sql} ORDER BY {key} DESC LIMIT ?", [*values, limit]


def _words(query: str) -> Iterator[str]:
    """The words and phrases of a query as FTS5 strings, in which nothing is syntax."""
    found = re.findall(r'"([^"]*)"?|([^\s"]+)', _clean(query.replace("\0", " ")))
    for index, (phrase, word) in enumerate(found, 1):
        if any(character.isalnum() for character in phrase + word):
            open_end = index == len(found) and len(word) >= _MIN_PREFIX
            yield f'"{phrase or word}"{" *" if open_end else ""}'


@lru_cache(4096)
def _tag(key: str, value: str) -> str:
    digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8)
    return f"{key}{digest.hexdigest()}"


def _models(record: Mapping[str, Any]) -> Iterator[str]:
    steps = record.get("steps")
    for step in steps if isinstance(steps, list) else []:
        if model := _string(_mapping(step).get("model")):
            yield model


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _string(value: object) -> str | None:
    return _clean(value) if isinstance(value, str) else None


def _clean(text: str) -> str:
    """Text that SQLite takes: without lone surrogates."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and abs(value) < 1 << 62 else None


def _seconds(ts: object) -> float | None:
    """RFC 3339 → seconds since 1970, so that moments compare however they are written."""
    try:
        return datetime.fromisoformat(ts).timestamp() if isinstance(ts, str) else None
    except (ValueError, OverflowError):
        return None
