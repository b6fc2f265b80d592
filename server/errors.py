"""The native API's one error shape, `{"error": {"code", "message"}}`, and each code's status."""

from collections.abc import Mapping

from starlette.responses import Response

from pipeline.errors import Busy, LaiosError
from server.reply import json_response

STATUS: Mapping[str, int] = {
    "bad_request": 400,
    "empty_prompt": 400,
    "unknown_tag": 400,
    "conflicting_tags": 400,
    "unknown_mode": 400,
    "unauthorized": 401,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "cancelled": 409,
    "payload_too_large": 413,
    "unsupported_media_type": 415,
    "context_too_long": 422,
    "internal": 500,
    "model_not_found": 502,
    "model_unreachable": 502,
    "model_failed": 502,
    "busy": 503,
    "model_timeout": 504,
}


class HttpError(LaiosError):
    """A request that is refused at the door."""

    def __init__(self, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.headers = headers or {}


def error_body(error: LaiosError) -> dict[str, dict[str, str]]:
    return {"error": {"code": error.code, "message": error.message}}


def error_response(error: LaiosError) -> Response:
    headers = dict(error.headers) if isinstance(error, HttpError) else {}
    if isinstance(error, Busy):
        headers["Retry-After"] = str(error.retry_after_s)
    return json_response(error_body(error), STATUS[error.code], headers)
