"""Internal errors, below the public tree of `laios.errors`, which is exported here too.

ModelNotFound
├── BackendUnknown
└── RoleNotPlayed
    ├── GeneralModelNeeded
    ├── ToolsNotTaken
    └── ImagesNotTaken
ModelUnreachable
└── ModelBusy
ModelTimeout
└── RunTimeout
ModelFailed
└── EmptyAnswer

Unreadable                  stays inside: a structured reply that cannot be read
"""

from typing import TYPE_CHECKING

from laios.errors import (
    BadRequest,
    Busy,
    Cancelled,
    ConflictingTags,
    ContextTooLong,
    EmptyPrompt,
    LaiosError,
    ModelError,
    ModelFailed,
    ModelNotFound,
    ModelTimeout,
    ModelUnreachable,
    SandboxUnavailable,
    UnknownMode,
    UnknownTag,
)

if TYPE_CHECKING:
    from pipeline.model import Reply

__all__ = [
    "BackendUnknown",
    "BadRequest",
    "Busy",
    "Cancelled",
    "ConflictingTags",
    "ContextTooLong",
    "EmptyAnswer",
    "EmptyPrompt",
    "GeneralModelNeeded",
    "ImagesNotTaken",
    "LaiosError",
    "ModelBusy",
    "ModelError",
    "ModelFailed",
    "ModelNotFound",
    "ModelTimeout",
    "ModelUnreachable",
    "RoleNotPlayed",
    "RunTimeout",
    "SandboxUnavailable",
    "ToolsNotTaken",
    "UnknownMode",
    "UnknownTag",
    "Unreadable",
]


class BackendUnknown(ModelNotFound):
    """The name's provider is none: no model can be meant."""


class RoleNotPlayed(ModelNotFound):
    """The model exists, but cannot do what is asked of it."""


class GeneralModelNeeded(RoleNotPlayed):
    """The model is asked in its own way, as the starter is, and was trained for nothing else."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"{model} cannot do this: it only knows a list of small tasks. `laios models pull` "
            "downloads a model that can, and laios uses it automatically, unless "
            "CODER_MODEL_NAME, JUDGE_MODEL_NAME or REVIEWER_MODEL_NAME says otherwise."
        )


class ToolsNotTaken(RoleNotPlayed):
    """The model exists, but cannot call tools."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"{model} cannot call tools. Set CODER_MODEL_NAME to a model that can, such as "
            "ollama/qwen3:8b (`laios models --json` says which have `tools`), or set "
            "AGENT_FALLBACK to chat."
        )


class ImagesNotTaken(RoleNotPlayed):
    """The model exists, but sees no pictures."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"{model} cannot see images. Set CODER_MODEL_NAME to a model that can, such as "
            "ollama/qwen2.5vl:7b, or leave the image out."
        )


class ModelBusy(ModelUnreachable):
    """The backend answered that it has no room now (HTTP 503 or 429)."""


class RunTimeout(ModelTimeout):
    """The whole run's time is used up, not only one call's."""


class EmptyAnswer(ModelFailed):
    """A complete answer without any text: nothing at all, or thinking only. `reply` has what it
    cost."""

    def __init__(self, message: str, reply: "Reply") -> None:
        super().__init__(message)
        self.reply = reply


class Unreadable(Exception):
    """A model's answer is not what was asked for; the message says why, without quoting it."""
