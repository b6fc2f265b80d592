"""`POST /runs/{id}/rating`: whether a person found a run's answer good."""

import asyncio
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from history.ratings import Rating, Ratings, mark_of
from pipeline.errors import BadRequest
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.query_parameters import SHOWN
from server.http.request_body import read_object, whole_body
from server.runtime.container import container_of

_FIELDS = ("rating", "note")


async def post_rating(http: HttpRequest) -> Response:
    """`{"rating": "up" | "down" | "none", "note"?}` → the line that was written. The run has to be
    on record."""
    parts, run_id = container_of(http), http.path_params["id"]
    rating = read_rating(run_id, read_object(await whole_body(http)))
    if await asyncio.to_thread(parts.reader.get, run_id) is None:
        raise HttpError("not_found", f"There is no run {run_id!r} in the history.")
    ratings = Ratings(parts.settings.HISTORY_DIR)
    try:
        said = await asyncio.to_thread(ratings.append, rating)
    except OSError as error:
        raise HttpError("internal", f"The rating was not written: {error.strerror}.") from None
    return json_response({"id": said.id, "rating": said.rating, "note": said.note, "ts": said.ts})


def read_rating(run_id: str, body: dict[str, Any]) -> Rating:
    """Raises BadRequest."""
    if unknown := [name for name in body if name not in _FIELDS]:
        raise BadRequest(f"There is no field {unknown[0][:SHOWN]!r}. Fields: {', '.join(_FIELDS)}.")
    mark = mark_of(body.get("rating"))
    if mark is None:
        raise BadRequest('"rating" must be "up", "down" or "none".')
    note = body.get("note")
    if note is not None and not isinstance(note, str):
        raise BadRequest('"note" must be a string.')
    try:
        return Rating(run_id, mark, note or None, "native")
    except ValueError as error:
        raise BadRequest(str(error)) from None
