"""Read and validate the requests of a batch (JSON lines, CSV, Parquet) before anything is asked."""

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.errors import BadRequest
from server.batch.batch_request import COLUMNS, BatchRequest, read_row
from server.http.request_body import read_object

STDIN = "-"
SHOWN_FAULTS = 10
MAX_CELL = 16 << 20  # characters; the csv module's own limit is 128 thousand
# In a CSV file everything is text: the values of these are written as JSON.
_JSON_CELLS = {"literal", "no_log", "test_max_rounds", "min_confidence", "sandbox"}
_JSON_CELLS |= {"max_attempts", "constraints", "languages"}

RequestRow = tuple[str, Callable[[], Mapping[str, Any]]]
"""Where it stands, for a person, and what reads it, which raises BadRequest."""


class RequestsError(Exception):
    """The requests cannot be read; the message says where and what to do, a fault a line."""


def read_requests(source: str, mode: str | None = None) -> list[BatchRequest]:
    """The requests of a file, or of stdin for `-`; `mode` is that of prompts that name none.
    Raises RequestsError with all that is wrong."""
    try:
        return checked_requests(_rows(source), mode)
    except OSError as error:
        raise RequestsError(f"{source} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise RequestsError(f"{source} is not UTF-8 text.") from None


def checked_requests(rows: Iterable[RequestRow], mode: str | None) -> list[BatchRequest]:
    """Each request with an id of its own: an id that comes twice is refused, and of equal lines
    without one the second is `…-2`. Raises RequestsError."""
    found: list[BatchRequest] = []
    faults: list[str] = []
    places: dict[str, str] = {}
    equal: Counter[str] = Counter()
    for where, read in rows:
        try:
            request = _numbered(read_row(read(), mode), equal)
            if request.id in places:
                raise BadRequest(f"The id {request.id!r} is already used at {places[request.id]}.")
        except BadRequest as error:
            faults.append(f"{where}: {error}")
            continue
        places[request.id] = where
        found.append(request)
    if faults:
        raise RequestsError(faults_text(faults))
    return found


def faults_text(faults: list[str]) -> str:
    """The first faults, a line each, and how many more there are."""
    more = len(faults) - SHOWN_FAULTS
    lines = faults[:SHOWN_FAULTS] + ([f"and {more} more lines"] if more > 0 else [])
    return "\n".join([*lines, "Nothing was asked."])


def _numbered(request: BatchRequest, equal: Counter[str]) -> BatchRequest:
    if request.id != request.digest:
        return request
    equal[request.id] += 1
    times = equal[request.id]
    return replace(request, id=f"{request.id}-{times}") if times > 1 else request


# --- the formats ---------------------------------------------------------------------------------


def _rows(source: str) -> Iterator[RequestRow]:
    if source == STDIN:
        return _json_lines("stdin", sys.stdin.buffer)
    if not source:
        raise RequestsError("The file's name is empty: name a file, or - for stdin.")
    path = Path(source)
    if path.is_dir():
        raise RequestsError(f"{source} is a directory: name a file.")
    match path.suffix.lower():
        case ".csv":
            return _csv(path)
        case ".parquet":
            return _parquet(path)
    return _json_file(path)


def _json_file(path: Path) -> Iterator[RequestRow]:
    with path.open("rb") as file:
        yield from _json_lines(path.name, file)


def _json_lines(name: str, lines: Iterable[bytes]) -> Iterator[RequestRow]:
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if text.strip():
            yield f"{name} line {number}", partial(read_line, text)


def read_line(line: bytes) -> Mapping[str, Any]:
    """The JSON object of a line. Raises BadRequest."""
    try:
        return read_object(line)
    except BadRequest as error:
        raise BadRequest(str(error).replace("The body", "The line")) from None


def _csv(path: Path) -> Iterator[RequestRow]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from read_csv(file, path.name)


def read_csv(lines: Iterable[str], name: str) -> Iterator[RequestRow]:
    """The rows of a table with a head. Raises RequestsError."""
    csv.field_size_limit(MAX_CELL)
    table = csv.DictReader(lines, strict=True)
    try:
        require_columns(table.fieldnames or (), name)
        for row in table:
            yield f"{name} line {table.line_num}", partial(read_cells, row)
    except csv.Error as error:
        raise RequestsError(f"{name} line {table.line_num}: {error}.") from None


def require_columns(names: Iterable[str], source: str) -> None:
    """Raises RequestsError where a table's columns are not those of requests."""
    names = list(names)
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise RequestsError(f"{source} has several columns {twice[0]!r}: one alone would count.")
    if not {"prompt", "instruction"} & {*names}:
        raise RequestsError(f"{source} has no column `prompt`, and no `instruction` as for /code.")
    unknown = [name for name in names if name not in COLUMNS]
    if unknown:
        raise RequestsError(
            f"{source} has a column {unknown[0]!r}, which is not a field of a request. Columns: "
            f"{', '.join(sorted(COLUMNS))}."
        )


def read_cells(row: Mapping[Any, Any]) -> Mapping[str, Any]:
    """A row of a CSV file as a line's object: an empty cell is none. Raises BadRequest."""
    if None in row or None in row.values():
        raise BadRequest("The row does not have as many cells as there are columns.")
    return {name: _value(name, cell) for name, cell in row.items() if cell != ""}


def _value(name: str, cell: str) -> Any:
    if name not in _JSON_CELLS:
        return cell
    try:
        return json.loads(cell.lower() if cell.lower() in ("true", "false") else cell)
    except (ValueError, RecursionError):
        raise BadRequest(
            f'The column "{name}" is written as JSON: true, 3, ["a", "b"]. It has {cell[:100]!r}.'
        ) from None


def _parquet(path: Path) -> Iterator[RequestRow]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RequestsError(
            "To read Parquet, laios needs its extra `parquet`: pip install 'laios[parquet]'"
        ) from None
    try:
        with parquet.ParquetFile(path) as file:
            require_columns(file.schema_arrow.names, path.name)
            number = 0
            for batch in file.iter_batches(1000):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path.name} row {number}", partial(dict, row)
    except pyarrow.ArrowException as error:
        raise RequestsError(f"{path.name} is not a readable Parquet file: {error}") from None
