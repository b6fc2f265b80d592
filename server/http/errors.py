"""Each error code's status, and the shape that an error has on each route: the native API's
`{"error": {"code", "message"}}`, OpenAI's under /v1/, Anthropic's at /v1/messages, Ollama's under
/api/."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from pipeline.errors import Busy, LaiosError
from server.http.json_response import json_response

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
    "sandbox_unavailable": 501,
    "model_not_found": 502,
    "model_unreachable": 502,
    "model_failed": 502,
    "busy": 503,
    "model_timeout": 504,
}


class HttpError(LaiosError):
    """A request that is refused before it becomes a run."""

    def __init__(self, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.headers = headers or {}


def error_body(error: LaiosError) -> dict[str, dict[str, str]]:
    return {"error": {"code": error.code, "message": error.message}}


# OpenAI's and Anthropic's names for kinds of errors, by status; all else is the server's fault.
_OPENAI_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    405: "invalid_request_error",
    413: "invalid_request_error",
    415: "invalid_request_error",
    503: "overloaded_error",
}
_ANTHROPIC_TYPES = _OPENAI_TYPES | {413: "request_too_large"}


def openai_body(error: LaiosError) -> dict[str, dict[str, str | None]]:
    """OpenAI's error object. A prompt that is too long goes by OpenAI's own code: agents look for
    it and shorten their prompt."""
    too_long = error.code == "context_too_long"
    kind = _OPENAI_TYPES.get(_openai_status(error), "server_error")
    code = "context_length_exceeded" if too_long else error.code
    return {"error": {"message": error.message, "type": kind, "param": None, "code": code}}


def anthropic_body(error: LaiosError) -> dict[str, Any]:
    """Anthropic's error object. Of a prompt that is too long its clients look for these words, and
    shorten it."""
    kind = _ANTHROPIC_TYPES.get(_openai_status(error), "api_error")
    too_long = "prompt is too long: " if error.code == "context_too_long" else ""
    return {"type": "error", "error": {"type": kind, "message": too_long + error.message}}


def _openai_status(error: LaiosError) -> int:
    return 400 if error.code == "context_too_long" else STATUS[error.code]


def ollama_body(error: LaiosError) -> dict[str, str]:
    return {"error": error.message}


def error_response(error: LaiosError, path: str) -> Response:
    """The error in the shape that callers of this path know."""
    headers = dict(error.headers) if isinstance(error, HttpError) else {}
    if isinstance(error, Busy):
        headers["Retry-After"] = str(error.retry_after_s)
    body: Mapping[str, Any] = error_body(error)
    status = STATUS[error.code]
    if path.startswith("/v1/"):
        status = _openai_status(error)
        is_anthropic = f"{path}/".startswith("/v1/messages/")
        body = anthropic_body(error) if is_anthropic else openai_body(error)
        if not isinstance(error, Busy):
            headers["x-should-retry"] = "false"  # SDKs would run the whole pipeline three times
    elif path.startswith("/api/"):
        body = ollama_body(error)
    return json_response(body, status, headers)
