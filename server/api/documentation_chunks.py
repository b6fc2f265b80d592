"""`/docs/chunks`: searching the index of documentation, and a piece of it by its id."""

from collections.abc import Awaitable
from dataclasses import asdict
from typing import TypeVar

from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from pipeline.errors import BadRequest, LaiosError
from retrieval.errors import DocumentsError
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.query_parameters import limit_of, refuse_unknown
from server.runtime.container import container_of

PARAMETERS = ("q", "limit")
MOST = 50  # chunks in an answer
MAX_QUERY = 1_000  # characters

T = TypeVar("T")


async def search_chunks(http: HttpRequest) -> Response:
    """What a model would be offered for a question, the best first."""
    asked = dict(http.query_params)
    refuse_unknown(asked, PARAMETERS)
    words = asked.get("q", "").strip()
    if not 1 <= len(words) <= MAX_QUERY:
        raise BadRequest(f'"q" must be a question or names, 1 to {MAX_QUERY} characters.')
    limit = limit_of(asked.get("limit", "5"), MOST)
    found = await _read(container_of(http).documents.search(words, limit=limit))
    return json_response({"chunks": [asdict(chunk) for chunk in found]})


async def get_chunk(http: HttpRequest) -> Response:
    chunk_id = http.path_params["id"]
    chunk = await _read(container_of(http).documents.chunk(chunk_id))
    if chunk is None:
        raise HttpError(
            "not_found",
            f"There is no piece {chunk_id[:100]!r} in the index of documentation. "
            "`laios docs list` shows what is indexed.",
        )
    return json_response(asdict(chunk))


async def _read(asked: Awaitable[T]) -> T:
    """An index that cannot be used is told with the command that mends it."""
    try:
        return await asked
    except DocumentsError as error:
        raise LaiosError(str(error)) from None


ROUTES = [
    Route("/docs/chunks", search_chunks, methods=["GET"]),
    Route("/docs/chunks/{id}", get_chunk, methods=["GET"]),
]
