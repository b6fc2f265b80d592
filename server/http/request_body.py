"""The body of a request: all of it in time, as strict JSON, as the object that a route takes."""

import asyncio
from typing import Any

import orjson
from starlette.requests import Request

from pipeline.errors import BadRequest

BODY_TIMEOUT_S = 30.0


async def whole_body(http: Request) -> bytes:
    """The body, which has to arrive in time. Raises BadRequest."""
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            return await http.body()
    except TimeoutError:
        raise BadRequest(f"The body did not arrive within {BODY_TIMEOUT_S:g} seconds.") from None


def read_object(body: bytes) -> dict[str, Any]:
    """Strict JSON (RFC 8259, UTF-8): no NaN, no lone surrogates, bounded depth."""
    if not body.strip():
        raise BadRequest("The body is empty. Send a JSON object.")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest(_unreadable(body) or f"The body is not valid JSON: {error}.") from None
    if not isinstance(value, dict):
        raise BadRequest("The body must be a JSON object, {…}.")
    return value


def _unreadable(body: bytes) -> str:
    """What is wrong with bytes that are no text; "" where they are."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return f"The body is not UTF-8 text: {error.reason} at byte {error.start}."
    return ""
