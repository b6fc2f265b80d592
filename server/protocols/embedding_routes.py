"""`POST /api/embed`, `/api/embeddings` (Ollama's API reference) and `/v1/embeddings` (OpenAI's):
vectors for chat apps, which send their documents to the address at which they chat.

laios makes none itself: the embedding model that Ollama has does. A caller names it, or one of
laios' own names, which have the installed one.
"""

import asyncio
import base64
import struct
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, FiniteFloat, ValidationError
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest, ModelFailed, ModelNotFound, ModelTimeout
from server.http.disconnect import unless_gone
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.protocols.chat_request import number, object_in, text_in
from server.protocols.mode_names import NAME
from server.runtime.container import container_of

EMBED = "/api/embed"


async def post_ollama(http: HttpRequest) -> Response:
    """Ollama's answer as it came. What it is for is Ollama's to read, but for `options`, to which
    laios adds its own."""
    fields = read_object(await whole_body(http))
    object_in(fields, "options")
    answer = await _vectors(http, http.scope["path"], fields)
    return Response(answer, media_type="application/json")


async def post_openai(http: HttpRequest) -> Response:
    fields = read_object(await whole_body(http))
    as_text = _wants_base64(fields.get("encoding_format"))
    texts = _texts(fields.get("input"))
    wanted = {"model": fields.get("model"), "input": texts}
    if (dimensions := number(fields, "dimensions")) is not None:
        wanted["dimensions"] = _dimensions(dimensions)
    made = _openai_list(await _vectors(http, EMBED, wanted), as_text)
    if len(made["data"]) != (len(texts) if isinstance(texts, list) else 1):
        raise ModelFailed("Ollama gave a different number of vectors than there are texts.")
    return json_response(made)


async def _vectors(http: HttpRequest, path: str, fields: Mapping[str, Any]) -> bytes:
    """Raises HttpError where there is no embedding model, and what the backend raises."""
    parts = container_of(http)
    asked = text_in(fields, "model") or NAME
    named = None if asked.partition(":")[0] == NAME else asked
    limit = parts.scheduler.settings.MODEL_TIMEOUT_S
    try:
        async with asyncio.timeout(limit):
            embedder = await parts.models.embedder()
            return await unless_gone(http.receive, embedder.pass_on(path, fields, named))
    except ModelNotFound as error:
        raise HttpError("not_found", error.message) from None
    except TimeoutError:
        raise ModelTimeout(
            f"The vectors were not ready after {limit:g} s. Send fewer texts at once, or raise "
            "MODEL_TIMEOUT_S."
        ) from None


def _texts(given: object) -> str | list[str]:
    if isinstance(given, str):
        return given
    if isinstance(given, list) and given and all(isinstance(text, str) for text in given):
        return given
    raise BadRequest('The field "input" must be a string or a list of strings.')


def _dimensions(given: float) -> int:
    if isinstance(given, int) and given >= 1:
        return given
    raise BadRequest('The field "dimensions" must be a whole number above 0.')


def _wants_base64(given: object) -> bool:
    if given not in (None, "float", "base64"):
        raise BadRequest('The field "encoding_format" must be "float" or "base64".')
    return given == "base64"


class _Embedded(BaseModel):
    model: str
    embeddings: list[list[FiniteFloat]]
    prompt_eval_count: Any = None


def _openai_list(answer: bytes, as_text: bool) -> dict[str, Any]:
    """OpenAI's object for Ollama's; a vector as text is its little-endian float32 in base64."""
    try:
        made = _Embedded.model_validate_json(answer)
        rows = [
            {"object": "embedding", "index": n, "embedding": _text(row) if as_text else row}
            for n, row in enumerate(made.embeddings)
        ]
    except (ValidationError, OverflowError):  # beyond float32
        raise ModelFailed("Ollama's vectors cannot be read.") from None
    count = made.prompt_eval_count
    tokens = count if isinstance(count, int) and count >= 0 else 0  # vectors are no worse for it
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": rows, "model": made.model, "usage": usage}


def _text(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
