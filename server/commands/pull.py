"""`laios models pull`"""

import asyncio
from typing import TYPE_CHECKING, Protocol

import typer

from server.commands.completion import ollama_tags
from server.terminal.console import USAGE, exit_code, safe_text, say, settings_or_exit, tell
from server.terminal.output import print_json, refuse

if TYPE_CHECKING:
    from rich.progress import TaskID

    from config import Settings
    from pipeline.models.ollama_library import PullFrame

OLLAMA = "ollama/"


def pull(
    name: str = typer.Argument(
        help="A model of Ollama's library: qwen2.5-coder:7b.", autocompletion=ollama_tags
    ),
    as_json: bool = typer.Option(False, "--json", help="Print Ollama's news, one object a line."),
) -> None:
    """Have Ollama fetch a model. What was broken off goes on where it stopped."""
    settings = settings_or_exit()
    from pipeline.errors import LaiosError
    from pipeline.models.ollama_host import is_cloud

    tag = name.removeprefix(OLLAMA)
    if _is_other_provider(name):
        refuse("bad_request", _not_to_pull(name), USAGE, as_json=as_json)
    if is_cloud(tag) and not settings.ALLOW_CLOUD_MODELS:
        message = f"{tag} runs in Ollama's cloud. Set ALLOW_CLOUD_MODELS if that is wanted."
        refuse("bad_request", message, USAGE, as_json=as_json)
    try:
        asyncio.run(_pull(settings, tag, as_json))
    except LaiosError as error:
        refuse(error.code, error.message, exit_code(error.code), as_json=as_json)
    except KeyboardInterrupt:
        say("Stopped. The same command goes on from here.")
        raise typer.Exit(130) from None
    if not as_json:
        tell(f"{OLLAMA}{tag}")


def _is_other_provider(name: str) -> bool:
    """Whether laios calls the model without Ollama. (`user/model` is a name of Ollama's.)"""
    from pipeline.models.providers import PROVIDERS

    provider, slash, _ = name.partition("/")
    return bool(slash) and provider in PROVIDERS and provider != "ollama"


def _not_to_pull(name: str) -> str:
    return (
        f"{name} is nothing to pull: only models of Ollama are fetched, such as qwen2.5-coder:7b."
    )


async def _pull(settings: "Settings", tag: str, as_json: bool) -> None:
    from contextlib import aclosing

    from pipeline.models.ollama_host import OllamaHost
    from pipeline.models.ollama_library import pull as pull_model

    host = OllamaHost(settings.OLLAMA_HOST)
    teller = _teller(as_json)
    try:
        async with aclosing(pull_model(host, tag)) as frames:
            async for frame in frames:
                teller.tell(frame)
    finally:
        teller.close()
        await host.close()


class Teller(Protocol):
    """Passes on the news of a pull."""

    def tell(self, frame: "PullFrame") -> None: ...
    def close(self) -> None: ...


def _teller(as_json: bool) -> Teller:
    from rich.console import Console

    if as_json:
        return Lines()
    return Bars() if Console(stderr=True).is_terminal else Words()


class Lines:
    """Every frame as JSON on stdout."""

    def tell(self, frame: "PullFrame") -> None:
        print_json(frame.model_dump(exclude_none=True))

    def close(self) -> None: ...


class Words:
    """A line on stderr for each new step."""

    def __init__(self) -> None:
        self._last = ""

    def tell(self, frame: "PullFrame") -> None:
        if frame.status != self._last:
            self._last = frame.status
            say(frame.status)

    def close(self) -> None: ...


class Bars:
    """A bar for each layer on stderr, and a line for each other step."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True, highlight=False),
        )
        self._layers: dict[str, TaskID] = {}
        self._last = ""
        self._progress.start()

    def tell(self, frame: "PullFrame") -> None:
        from rich.text import Text

        if frame.digest is None:
            if frame.status != self._last:
                self._progress.console.print(Text(safe_text(frame.status), style="dim"))
            self._last = frame.status
            return
        if frame.digest not in self._layers:
            layer = safe_text(frame.digest.removeprefix("sha256:")[:12])
            self._layers[frame.digest] = self._progress.add_task(layer, total=frame.total)
        self._progress.update(
            self._layers[frame.digest], completed=frame.completed or 0, total=frame.total
        )

    def close(self) -> None:
        self._progress.stop()
