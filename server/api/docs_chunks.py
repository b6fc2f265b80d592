"""`GET /docs/chunks/{id}`: what a citation leads to."""

from dataclasses import asdict

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import LaiosError
from retrieval.errors import DocumentsError
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.runtime.container import container_of


async def get_chunk(http: HttpRequest) -> Response:
    """A piece of documentation as it is in the index now. An index that is broken is `internal`,
    with the command that mends it."""
    wanted = http.path_params["id"]
    try:
        chunk = await container_of(http).documents.chunk(wanted)
    except DocumentsError as error:
        raise LaiosError(str(error)) from error
    if chunk is None:
        raise HttpError(
            "not_found",
            f"There is no {wanted[:100]!r} in the documentation: it may have been indexed anew. "
            "See: laios docs list.",
        )
    return json_response(asdict(chunk))
