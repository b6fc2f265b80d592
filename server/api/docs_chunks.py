"""`/docs/chunks`: searching the index of documentation, and what a citation leads to. An index that
is broken is `internal`, with the command that mends it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest, LaiosError
from retrieval.errors import DocumentsError
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.query_parameters import limit_of, parameters_of
from server.runtime.container import container_of

PARAMETERS = ("q", "limit")
MOST = 50  # chunks in an answer
MAX_QUERY = 1_000  # characters


async def search_chunks(http: HttpRequest) -> Response:
    """What a model would be offered for a question, the best first."""
    asked = parameters_of(http.query_params, PARAMETERS)
    words = asked.get("q", "").strip()
    if not 1 <= len(words) <= MAX_QUERY:
        raise BadRequest(f'"q" must be a question or names, 1 to {MAX_QUERY} characters.')
    limit = limit_of(asked.get("limit", "5"), MOST)
    with _index_errors():
        found = await container_of(http).documents.search(words, limit=limit, by_chance=True)
    return json_response({"chunks": [asdict(chunk) for chunk in found]})


async def get_chunk(http: HttpRequest) -> Response:
    """A piece of documentation as it is in the index now."""
    wanted = http.path_params["id"]
    with _index_errors():
        chunk = await container_of(http).documents.chunk(wanted)
    if chunk is None:
        raise HttpError(
            "not_found",
            f"There is no {wanted[:100]!r} in the documentation: it may have been indexed again. "
            "See: laios docs list.",
        )
    return json_response(asdict(chunk))


@contextmanager
def _index_errors() -> Iterator[None]:
    try:
        yield
    except DocumentsError as error:
        raise LaiosError(str(error)) from error
