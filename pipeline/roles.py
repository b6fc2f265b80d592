"""The roles that models play: which setting names a role's models, and what a run asks of whoever
keeps them."""

from collections.abc import Sequence
from typing import Protocol

from config import Settings
from pipeline.model import Facts, Model

AUTO = "auto"
ROLES = ("coder", "judge", "reviewer")
CONCURRENT_REMOTE_CALLS = 16
_played_by: dict[str, str] = {}


def register_role(role: str, played_by: str) -> str:
    """Declares a stage's role that has no setting of its own, and whose model plays it. A role
    that nobody declares is played by the reviewer's. Raises ValueError where it was declared
    otherwise."""
    if _played_by.setdefault(role, played_by) != played_by:
        raise ValueError(f"The role {role} is played by the {_played_by[role]}'s model already.")
    return role


def setting_of(role: str) -> str:
    """The setting that names the role's models."""
    played_by = role if role in ROLES else _played_by.get(role, "reviewer")
    return f"{played_by.upper()}_MODEL_NAME"


def model_names(role: str, settings: Settings) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(settings, setting_of(role))
    return names


def keep_alive(role: str, settings: Settings) -> str:
    """How long the role's model stays loaded after a call."""
    own: str | None = getattr(settings, f"{role.upper()}_KEEP_ALIVE", None)
    return own or settings.KEEP_ALIVE


class Models(Protocol):
    """The models of a process, by role (`pipeline.models.registry`)."""

    last_used: str | None

    @property
    def auto(self) -> str: ...

    async def resolve(self, settings: Settings) -> None: ...
    def name_for(self, role: str, settings: Settings) -> str: ...
    def candidates(self, role: str, settings: Settings) -> Sequence[Model]: ...
    def for_role(self, role: str, settings: Settings) -> Model: ...
    def pass_over(self, model: Model, settings: Settings) -> None: ...
    async def probe(self, model: Model) -> None: ...
    async def window(
        self, model: Model, wanted: int, estimated: int, settings: Settings
    ) -> int: ...
    def forget_window(self, model: Model) -> None: ...
    async def preload(self, role: str, beside: Model, wanted: int, settings: Settings) -> None: ...
    async def facts_of(self, model: Model) -> Facts: ...
    async def require(self, model: Model, *, tools: bool, images: bool) -> None: ...
    async def replace_missing(self, role: str, chosen: str, settings: Settings) -> bool: ...
    async def longest_prompt(self, role: str, settings: Settings) -> int: ...
    def local_calls(self, settings: Settings) -> int | None: ...


def calls_at_a_time(models: Models, settings: Settings) -> int:
    """How many calls the backends answer side by side: MAX_CONCURRENT_RUNS where it is set, else
    what those models do that live in this machine's memory."""
    if settings.MAX_CONCURRENT_RUNS is not None:
        return settings.MAX_CONCURRENT_RUNS
    local = models.local_calls(settings)
    return CONCURRENT_REMOTE_CALLS if local is None else local
