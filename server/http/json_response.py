"""JSON answers."""

import json
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from history.record import escape_separators

RUN_ID = "X-Laios-Run-Id"


def dumps(value: Any) -> bytes:
    """JSON on one line, also for readers that split text where Unicode ends lines. Text with lone
    surrogates (a broken backend's) is escaped, not refused."""
    try:
        return escape_separators(orjson.dumps(value))
    except (TypeError, ValueError):
        return json.dumps(value, allow_nan=False).encode("ascii")


def json_response(
    value: Any, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON answer."""
    return Response(dumps(value), status, dict(headers or {}), media_type="application/json")
