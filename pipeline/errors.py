"""Everything that can go wrong in a run, as one tree. The codes are the API's (DESIGN A2).

LaiosError
├── BadRequest              bad_request
│   ├── EmptyPrompt         empty_prompt
│   ├── UnknownTag          unknown_tag
│   ├── ConflictingTags     conflicting_tags
│   └── UnknownMode         unknown_mode
├── ContextTooLong          context_too_long
├── Busy                    busy
├── Cancelled               cancelled
├── SandboxUnavailable      sandbox_unavailable
└── ModelError
    ├── ModelNotFound       model_not_found
    │   └── RoleNotPlayed
    ├── ModelUnreachable    model_unreachable
    │   └── ModelBusy
    ├── ModelTimeout        model_timeout
    │   └── RunTimeout
    └── ModelFailed         model_failed
        └── EmptyAnswer

Unreadable                  stays inside: a structured reply that cannot be read
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.model import Reply


class LaiosError(Exception):
    """An error with a stable `code` for programs and a message that says what to do next."""

    code = "internal"

    @property
    def message(self) -> str:
        return str(self)


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


class RoleNotPlayed(ModelNotFound):
    """The model exists, but was not made for this role. `fact` is the message without what to
    do."""

    def __init__(self, fact: str, advice: str) -> None:
        super().__init__(f"{fact} {advice}")
        self.fact = fact


class ModelUnreachable(ModelError):
    code = "model_unreachable"


class ModelBusy(ModelUnreachable):
    """The backend answered that it has no room now (HTTP 503)."""


class ModelTimeout(ModelError):
    code = "model_timeout"


class RunTimeout(ModelTimeout):
    """The whole run's time is used up, not only one call's."""


class ModelFailed(ModelError):
    code = "model_failed"


class EmptyAnswer(ModelFailed):
    """A complete answer without any text: nothing at all, or thinking only. `reply` has what it
    cost."""

    def __init__(self, message: str, reply: "Reply | None" = None) -> None:
        super().__init__(message)
        self.reply = reply


class Unreadable(Exception):
    """A model's answer is not what was asked for; the message says why, without quoting it."""
