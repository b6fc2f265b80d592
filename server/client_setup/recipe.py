"""How a client is connected: the daemon's address as the client sees it, and the recipe that
follows."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import Settings, base_url
from server.client_setup import client_paths
from server.client_setup.edit import Edit, EditError, Format, all_stand, apply, replaced

ANY_KEY = "laios"  # for clients that want a key where the daemon wants none
TOKEN = "LAIOS_API_TOKEN"


@dataclass(frozen=True, slots=True)
class DaemonProfile:
    """`url` without a slash at its end; `context` and `output` in tokens; `agents` are those of
    the `models` that pass an agent's tools on. `token`: callers have to send one. It is never
    written anywhere: the clients take it from `TOKEN`."""

    url: str
    models: tuple[str, ...]
    token: bool
    context: int
    output: int
    agents: frozenset[str] = frozenset()

    @property
    def openai(self) -> str:
        return f"{self.url}/v1"

    def key(self, placeholder: str) -> str:
        """The API key to configure: the client's way to read the token, or any word."""
        return placeholder if self.token else ANY_KEY


@dataclass(frozen=True, slots=True)
class ClientFile:
    """The file that the client reads, and what has to stand in it."""

    path: Path
    format: Format
    edits: tuple[Edit, ...]

    def edited(self, text: str) -> str:
        """The file's text with everything in it. Raises EditError."""
        return apply(self.format, text, self.edits)

    def replaced(self, old: str, new: str) -> list[tuple[str, Any]]:
        """What stood in the old text where something else stands now."""
        return [*replaced(self.format.load(old), self.format.load(new))]

    def snippet(self) -> str:
        """What has to be added, as a file of its own."""
        return self.edited("")


@dataclass(frozen=True, slots=True)
class Recipe:
    """`steps`: what is left to a person, in order (all there is, where there is no `file`).
    `check`: how to see that it works."""

    check: str
    steps: tuple[str, ...] = ()
    file: ClientFile | None = None


@dataclass(frozen=True, slots=True)
class ClientEntry:
    """If one of the `commands` or of its traces (`client_paths`) is there, so is the client.
    `as_tools`: its agent calls laios' tools (MCP), and has another model."""

    name: str
    title: str
    recipe: Callable[[DaemonProfile], Recipe]
    commands: tuple[str, ...] = ()
    as_tools: bool = False

    @property
    def how(self) -> str:
        """The command that says what this client needs."""
        return f"laios connect {self.name}{' --mcp' if self.as_tools else ''}"

    def installed(self) -> bool:
        """As far as one can see from here."""
        from shutil import which

        left = client_paths.traces().get(self.name, ())
        return any(map(which, self.commands)) or any(map(client_paths.is_there, left))


def is_connected(file: ClientFile) -> bool | None:
    """Whether all of it stands in the file; None if the file cannot be used."""
    from server.client_setup.settings_file import read

    try:
        text = read(file.path)
        return bool(text) and all_stand(file.format, text, file.edits)
    except EditError:
        return None


def daemon(settings: Settings, url: str | None = None) -> DaemonProfile:
    """The daemon with these settings; `url` where the client reaches it at another address."""
    import pipeline.capabilities  # noqa: F401  (fills MODES)
    from pipeline.modes import CONTEXT_SUFFIX
    from server.protocols.mode_names import agents_names, model_names

    return DaemonProfile(
        url=(url or base_url(settings)).rstrip("/").removesuffix("/v1"),
        # Half as many to choose from: `///ctx` in the prompt goes with each of them.
        models=tuple(name for name in model_names() if not name.endswith(CONTEXT_SUFFIX)),
        token=settings.API_TOKEN is not None,
        context=settings.MAX_CONTEXT_TOKENS,
        output=settings.MAX_OUTPUT_TOKENS,
        agents=frozenset(agents_names()),
    )
