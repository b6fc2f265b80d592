"""The body of a request: all of it in time, as strict JSON, as the object that a route takes."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from pipeline.errors import BadRequest
from pipeline.validation_messages import explain

Asked = TypeVar("Asked", bound=BaseModel)

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
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"The body is not valid JSON: {error}.") from None
    if not isinstance(value, dict):
        raise BadRequest('The body must be a JSON object: {"prompt": "…"}.')
    return value


def read_as(
    kind: type[Asked], value: Mapping[str, Any], choices: Mapping[str, Sequence[str]] | None = None
) -> Asked:
    """A caller's JSON object, read strictly; `choices` are the words that some fields take. Raises
    BadRequest, naming the field and what is wrong with it."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        raise BadRequest(explain(found, tuple(kind.model_fields), choices or {})) from None
