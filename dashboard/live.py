"""The dashboard's interface to a daemon. The server implements it; without a daemon the pages show
the history alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from history.index_row import Stage


class Refused(Exception):
    """The daemon does not take the run; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run that is not over. Times in milliseconds, `elapsed_ms` since it was accepted, waiting
    included. `stages` are the calls so far; one without a duration is going on. `roles` are those
    that the mode asks, in order. `prompt` is None where no text is to be kept."""

    id: str
    mode: str
    prompt: str | None
    state: Literal["queued", "running"]
    position: int | None
    elapsed_ms: float
    stages: tuple[Stage, ...]
    roles: tuple[str, ...]


class Daemon(Protocol):
    """The daemon, as far as the dashboard knows it."""

    def modes(self) -> Mapping[str, str]:
        """The names of the modes to choose from, with what each does."""
        ...

    def runs(self) -> Sequence[LiveRun]:
        """Running and queued runs, oldest first."""
        ...

    def submit(self, *, prompt: str, literal: bool, mode: str | None, session: str | None) -> str:
        """Starts a run and gives its id. `literal`: nothing in the prompt is a tag. Raises
        Refused."""
        ...

    def cancel(self, run_id: str) -> None:
        """Ends a run if it is not over."""
        ...
