"""JSON answers."""

import json
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response


def json_response(
    value: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer. Text with lone surrogates (a broken backend's) is escaped, not refused."""
    try:
        body = orjson.dumps(value)
    except (TypeError, ValueError):
        body = json.dumps(value, allow_nan=False).encode("ascii")
    return Response(body, status, dict(headers or {}), media_type="application/json")
