"""`/history`: the runs on record."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest
from pipeline.modes import resolve_mode
from pipeline.request import is_id
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.query_parameters import limit_of, parameters_of
from server.runtime.container import Container, container_of

FILTERS = ("q", "session", "mode", "since")
PARAMETERS = (*FILTERS, "before", "limit")
MOST = 200  # records in an answer

Record = Mapping[str, Any]


async def list_records(http: HttpRequest) -> Response:
    """The newest runs that fit the filters; or, without any, those before the run `before`."""
    parts, asked = container_of(http), parameters_of(http.query_params, PARAMETERS)
    limit = limit_of(asked.get("limit", "20"), MOST)
    if not any(name in asked for name in FILTERS):
        found = await asyncio.to_thread(_page, parts, asked.get("before"), limit)
    elif "before" in asked:
        raise BadRequest('"before" pages through all runs and cannot be combined with a filter.')
    else:
        found = await asyncio.to_thread(_search, parts, asked, limit)
    return json_response({"records": found})


def _page(parts: Container, before: str | None, limit: int) -> Sequence[Record]:
    """A run whose record is gone is where the pages end."""
    if before is not None and not (is_id(before) or parts.reader.get(before)):
        raise BadRequest('"before" must be the `id` of a run on record.')
    return parts.reader.page(before, limit, "run")


def _search(parts: Container, asked: Mapping[str, str], limit: int) -> Sequence[Record]:
    """`q` is a filter in the dashboard's language. It alone can ask for other kinds of runs."""
    from dashboard.filters import FilterError, read_filter

    try:
        question = read_filter(asked.get("q", ""))
    except FilterError as error:
        raise BadRequest(f'"q": {error}') from None
    mode = resolve_mode(asked["mode"], on_record=True) if "mode" in asked else None
    since = _moment(asked["since"]) if "since" in asked else None
    kind = None if question.shows_auxiliary else "run"
    narrowed = question.narrowed(since, session=asked.get("session"), mode=mode, kind=kind)
    try:
        parts.index.catch_up()
        return parts.index.search(narrowed, limit)
    except (sqlite3.Error, OSError) as error:
        said = f"The index of the history cannot be used: {error}. Ask without filters."
        raise HttpError("internal", said) from None


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadRequest('"since" must be an ISO 8601 date or time, such as 2026-11-20.') from None


async def get_record(http: HttpRequest) -> Response:
    run_id = http.path_params["id"]
    record = await asyncio.to_thread(container_of(http).reader.get, run_id)
    if record is None:
        raise HttpError("not_found", f"There is no run {run_id!r} in the history.")
    return json_response(record)
