"""Read and validate requests as a Ray dataset."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pyarrow
import ray.data
from pyarrow import csv

from pipeline.errors import BadRequest
from server.batch.answer_parts import located
from server.batch.batch_request import COLUMNS, BatchRequest, read_row
from server.batch.requests_file import RequestsError, read_cells, read_line

Fields = Mapping[str, Any]
Read = Callable[[Fields], Fields]
"""Raises BadRequest."""

SHOWN = 80  # characters of a line that is wrong: what Ray reads has no line numbers
SCHEMA = pyarrow.schema([(name, pyarrow.string()) for name in ("id", "path", "body", "digest")])
WITH_FAULTS = SCHEMA.append(pyarrow.field("fault", pyarrow.string()))


def read_dataset(source: str, mode: str | None) -> "ray.data.Dataset":
    """The requests at a path or a URI, as rows of `WITH_FAULTS`; `fault` says what is wrong with
    one. By their ending they are CSV, Parquet or JSON lines. Raises RequestsError."""
    try:
        lines, read = _open(located(source))
    except (OSError, ValueError) as error:
        raise RequestsError(f"{source} cannot be read: {error}") from None
    return lines.map_batches(partial(identify, read, mode), batch_format="pyarrow")


def identify(read: Read, mode: str | None, table: pyarrow.Table) -> pyarrow.Table:
    """Each row of a source as a request."""
    return pyarrow.Table.from_pylist(
        [_identified(row, read, mode) for row in table.to_pylist()], WITH_FAULTS
    )


def request_of(row: Fields) -> BatchRequest:
    return BatchRequest(row["id"], row["path"], json.loads(row["body"]), row["digest"])


def _identified(row: Fields, read: Read, mode: str | None) -> dict[str, str | None]:
    try:
        request = read_row(read(row), mode)
    except BadRequest as error:
        return {"fault": f"{_beginning(row)}: {error}"}
    body = json.dumps(request.body)
    return {"id": request.id, "path": request.path, "body": body, "digest": request.digest}


def _beginning(row: Fields) -> str:
    text = row["text"] if "text" in row else json.dumps(dict(row), default=str, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


# --- the formats ---------------------------------------------------------------------------------


def _open(source: str) -> "tuple[ray.data.Dataset, Read]":
    if source.lower().endswith(".csv"):
        return _csv(source), read_cells
    if source.lower().endswith(".parquet"):
        return ray.data.read_parquet(source), dict
    # As text: a reader of JSON would guess types, and take a prompt like 2026-11-20 for a date.
    return ray.data.read_text(source), _text


def _text(row: Fields) -> Fields:
    return read_line(row["text"].removeprefix("\ufeff").encode())


def _csv(source: str) -> "ray.data.Dataset":
    as_text = csv.ConvertOptions(column_types={name: pyarrow.string() for name in sorted(COLUMNS)})
    return ray.data.read_csv(
        source,
        arrow_csv_args={
            "convert_options": as_text,
            "parse_options": csv.ParseOptions(newlines_in_values=True),
        },
    )
