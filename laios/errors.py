"""Everything that can go wrong for a caller of laios, as one tree. The codes are the HTTP API's.

LaiosError                  internal
├── DaemonUnreachable       daemon_unreachable
├── TimedOut                timed_out
├── InvalidSettings         invalid_settings
├── NotWritten              not_written
├── BadRequest              bad_request
│   ├── EmptyPrompt         empty_prompt
│   ├── UnknownTag          unknown_tag
│   ├── ConflictingTags     conflicting_tags
│   ├── UnknownMode         unknown_mode
│   ├── PayloadTooLarge     payload_too_large
│   ├── MethodNotAllowed    method_not_allowed
│   └── UnsupportedMediaType  unsupported_media_type
├── Forbidden
│   ├── Unauthorized        unauthorized
│   ├── ForbiddenHost       forbidden_host
│   └── ForbiddenOrigin     forbidden_origin
├── NotFound                not_found
├── ContextTooLong          context_too_long
├── Busy                    busy
├── Cancelled               cancelled
├── SandboxUnavailable      sandbox_unavailable
└── ModelError              model_failed
    ├── ModelNotFound       model_not_found
    ├── ModelUnreachable    model_unreachable
    ├── ModelTimeout        model_timeout
    └── ModelFailed         model_failed
"""

from collections.abc import Iterator


class LaiosError(Exception):
    """An error with a stable `code` for programs and a message that says what to do next. `run_id`:
    the run that ended with it, where the daemon said so."""

    code = "internal"
    run_id: str | None = None

    @property
    def message(self) -> str:
        return str(self)


class DaemonUnreachable(LaiosError):
    """No daemon answers; the message says where it was looked for and how to start one."""

    code = "daemon_unreachable"


class TimedOut(LaiosError):
    """The daemon did not answer within the caller's own limit; a run is cancelled by that."""

    code = "timed_out"


class InvalidSettings(LaiosError):
    """The settings cannot be used; the message names the setting and the fix."""

    code = "invalid_settings"


class NotWritten(LaiosError):
    """Nothing was written, or nothing is left of it; the message says why and what helps."""

    code = "not_written"


class BadRequest(LaiosError):
    code = "bad_request"


class EmptyPrompt(BadRequest):
    code = "empty_prompt"


class UnknownTag(BadRequest):
    code = "unknown_tag"


class ConflictingTags(BadRequest):
    code = "conflicting_tags"


class UnknownMode(BadRequest):
    code = "unknown_mode"


class PayloadTooLarge(BadRequest):
    code = "payload_too_large"


class MethodNotAllowed(BadRequest):
    code = "method_not_allowed"


class UnsupportedMediaType(BadRequest):
    code = "unsupported_media_type"


class Forbidden(LaiosError):
    """The daemon does not take requests from this caller."""


class Unauthorized(Forbidden):
    code = "unauthorized"


class ForbiddenHost(Forbidden):
    code = "forbidden_host"


class ForbiddenOrigin(Forbidden):
    code = "forbidden_origin"


class NotFound(LaiosError):
    code = "not_found"


class ContextTooLong(LaiosError):
    """The prompt does not fit the model's window; nothing was sent cut."""

    code = "context_too_long"


class Busy(LaiosError):
    """The queue is full, or the daemon is stopping; `retry_after_s` is when to try again."""

    code = "busy"

    def __init__(self, message: str, retry_after_s: int = 5) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Cancelled(LaiosError):
    code = "cancelled"


class SandboxUnavailable(LaiosError):
    """Code cannot be run safely on this machine; the message says what helps."""

    code = "sandbox_unavailable"


class ModelError(LaiosError):
    """A backend did not do its part."""

    code = "model_failed"


class ModelNotFound(ModelError):
    code = "model_not_found"


class ModelUnreachable(ModelError):
    code = "model_unreachable"


class ModelTimeout(ModelError):
    code = "model_timeout"


class ModelFailed(ModelError):
    code = "model_failed"


def error_of(code: str, message: str, run_id: str | None = None) -> LaiosError:
    """The error that the daemon answered with; a code that is not known here is a LaiosError."""
    kinds = {kind.code: kind for kind in _below(LaiosError)}
    error = kinds.get(code, LaiosError)(message)
    error.code, error.run_id = code, run_id
    return error


def error_codes() -> list[str]:
    """All codes that an answer can have."""
    return sorted({kind.code for kind in _below(LaiosError)} | {LaiosError.code})


def _below(kind: type[LaiosError]) -> Iterator[type[LaiosError]]:
    for each in kind.__subclasses__():
        if each.__module__ == __name__:  # the daemon's own kinds are nobody else's
            yield each
            yield from _below(each)
