"""`laios models pull`: download a model."""

import asyncio
from contextlib import aclosing
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from server.commands.completion import pullable
from server.terminal.console import INTERRUPTED, safe_text, say, settings_or_exit, tell
from server.terminal.output import refuse_with

if TYPE_CHECKING:
    from config import Settings
    from server.terminal.pull_progress import Report

OLLAMA, LOCAL = "ollama/", "local/"


class Engine(StrEnum):
    """Who fetches a model, and runs it afterwards."""

    auto = "auto"
    ollama = "ollama"
    local = "local"


def pull(
    name: str = typer.Argument(
        None,
        metavar="NAME",
        help="qwen2.5-coder:7b, hf.co/USER/REPO[:QUANT] or https://…/x.gguf. Default: the one that "
        "fits this machine.",
        autocompletion=pullable,
        show_default=False,
    ),
    engine: Engine = typer.Option(
        Engine.auto, help="auto: Ollama if it is running, else the embedded engine."
    ),
    as_json: bool = typer.Option(
        False, "--json", help="Print the progress as JSON, one object per line."
    ),
) -> None:
    """Download a model. An interrupted download continues where it stopped."""
    settings = settings_or_exit(as_json=as_json)
    from pipeline.errors import LaiosError
    from server.terminal.pull_progress import pull_reporter

    try:
        with pull_reporter(as_json) as report:
            full_name = _pull(settings, name, engine, report)
    except LaiosError as error:
        refuse_with(error, as_json=as_json)
    except KeyboardInterrupt:
        say("Stopped. The same command continues from here.")
        raise typer.Exit(INTERRUPTED) from None
    if not as_json:
        tell(full_name)


def _pull(settings: "Settings", name: str | None, engine: Engine, report: "Report") -> str:
    """The name of what was fetched, with its provider."""
    if name is None:
        from pipeline.models.recommendation import recommended_here

        name = recommended_here().name
    chosen = _chosen_engine(settings, name, engine)
    if chosen is Engine.ollama:
        tag = name.removeprefix(OLLAMA)
        _refuse_cloud(settings, tag)
        asyncio.run(_pull_by_ollama(settings, tag, report))
        return f"{OLLAMA}{tag}"
    return LOCAL + _pull_file(settings, name.removeprefix(LOCAL), report)


def _chosen_engine(settings: "Settings", name: str, engine: Engine) -> Engine:
    """A name may say it itself; Ollama cannot fetch from any address."""
    from pipeline.errors import BadRequest
    from pipeline.models.providers import PROVIDERS

    if not name.strip():
        raise BadRequest("The name is empty. Leave it out for the model that fits this machine.")
    provider, slash, _ = name.partition("/")
    said = provider if slash and provider in PROVIDERS else "local" if "://" in name else None
    if said:
        if said not in (Engine.ollama, Engine.local) or engine not in (said, Engine.auto):
            by = "" if engine is Engine.auto else f" with --engine {engine}"
            raise BadRequest(f"{name} cannot be pulled{by}.")
        return Engine(said)
    if engine is not Engine.auto:
        return engine
    return Engine.ollama if asyncio.run(_ollama_answers(settings)) else Engine.local


async def _ollama_answers(settings: "Settings") -> bool:
    from pipeline.models.registry import Registry
    from server.runtime.async_closing import async_closing

    async with async_closing(Registry(settings)) as models:
        return await models.ollama_version() is not None


def _refuse_cloud(settings: "Settings", tag: str) -> None:
    from pipeline.errors import BadRequest
    from pipeline.models.ollama_host import is_cloud

    if is_cloud(tag) and not settings.ALLOW_CLOUD_MODELS:
        raise BadRequest(f"{tag} runs in Ollama's cloud. Set ALLOW_CLOUD_MODELS to allow that.")


async def _pull_by_ollama(settings: "Settings", tag: str, report: "Report") -> None:
    from pipeline.models.ollama_host import OllamaHost
    from pipeline.models.ollama_library import pull as pull_model
    from server.runtime.async_closing import async_closing

    host = OllamaHost(settings.OLLAMA_HOST, settings.OLLAMA_TOKEN)
    sizes: dict[str | None, int] = {}  # of the layers
    async with async_closing(host), aclosing(pull_model(host, tag)) as frames:
        async for frame in frames:
            report(frame)
            sizes[frame.digest] = frame.total or 0
    _note_size(OLLAMA + tag, sum(sizes.values()), report)


def _pull_file(settings: "Settings", name: str, report: "Report") -> str:
    from pipeline.models.local_library import LocalLibrary
    from pipeline.models.ollama_library import PullFrame
    from server.downloads.model_download import ModelDownload
    from server.downloads.model_reference import read_reference
    from server.downloads.remote_model import look_up

    reference = read_reference(name)
    report(PullFrame(status=f"asking {reference.source}"))
    remote = look_up(reference)
    report(PullFrame(status=safe_text(remote.summary)))
    entry = ModelDownload(LocalLibrary(settings.MODELS_DIR), remote, report).run()
    _note_size(LOCAL + entry.name, entry.size, report)
    return entry.name


def _note_size(full_name: str, size: int, report: "Report") -> None:
    """Says where `auto` will not take what was fetched."""
    from pipeline.models.auto import size_note
    from pipeline.models.machine import total_memory
    from pipeline.models.ollama_library import PullFrame

    if note := size_note(full_name, size, total_memory()):
        report(PullFrame(status=note))
