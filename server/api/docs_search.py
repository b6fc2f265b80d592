"""`GET /docs/chunks`: searching the index of documentation."""

from dataclasses import asdict

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest, LaiosError
from retrieval.errors import DocumentsError
from server.http.json_response import json_response
from server.http.query_parameters import limit_of, refuse_unknown
from server.runtime.container import container_of

PARAMETERS = ("q", "limit")
MOST = 50  # chunks in an answer
MAX_QUERY = 1_000  # characters


async def search_chunks(http: HttpRequest) -> Response:
    """What a model would be offered for a question, the best first. An index that is broken is
    `internal`, with the command that mends it."""
    asked = dict(http.query_params)
    refuse_unknown(asked, PARAMETERS)
    words = asked.get("q", "").strip()
    if not 1 <= len(words) <= MAX_QUERY:
        raise BadRequest(f'"q" must be a question or names, 1 to {MAX_QUERY} characters.')
    limit = limit_of(asked.get("limit", "5"), MOST)
    try:
        found = await container_of(http).documents.search(words, limit=limit, by_chance=True)
    except DocumentsError as error:
        raise LaiosError(str(error)) from error
    return json_response({"chunks": [asdict(chunk) for chunk in found]})
