"""Shell completion of option values and arguments. It never raises and prints nothing else: where
something fails, nothing is offered."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pipeline.modes import Mode

ROLES = ("coder", "judge", "reviewer", "all")
RECENT = 50  # records that are looked at


def offer(find: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    def complete(incomplete: str) -> list[str]:
        try:
            return [word for word in find() if word.startswith(incomplete)]
        except Exception:  # settings that are wrong, a daemon that is away, …
            return []

    return complete


def _modes() -> "Mapping[str, Mode]":
    """By name, those of add-ons among them."""
    import pipeline.capabilities  # noqa: F401  (fills MODES)
    from pipeline.add_ons import load_add_ons
    from pipeline.modes import MODES

    load_add_ons()
    return MODES


@offer
def modes() -> Iterable[str]:
    """Modes by name, and by the word of their tag."""
    rows = _modes()
    return sorted({*rows, *(word for row in rows.values() for word in row.words)})


@offer
def _bench_modes() -> Iterable[str]:
    from server.benchmark.measurement import ARMS, RESAMPLE

    rows = _modes()
    return [*(arm for arm in ARMS if ARMS[arm] in rows), RESAMPLE, *rows]


def bench_modes(incomplete: str) -> list[str]:
    """Of a list with commas the last one."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{mode}" for mode in _bench_modes(last)]


roles = offer(lambda: ROLES)


@offer
def running_ids() -> Iterable[str]:
    """The daemon's runs."""
    from config import load_settings
    from server.terminal.daemon_client import DaemonClient

    with DaemonClient(load_settings()) as client:
        return [run["id"] for run in client.runs()]


@offer
def recorded_ids() -> Iterable[str]:
    """The newest runs on record."""
    from config import load_settings
    from history.reader import Reader

    newest = Reader(load_settings().HISTORY_DIR).page(limit=RECENT)
    return [record["id"] for record in newest if record["id"].isprintable()]


@offer
def model_names() -> Iterable[str]:
    """Names that a role can have: `auto`, the starter, what Ollama and the library have."""
    from pipeline.models.starter import STARTER

    local = [f"local/{name}" for name in _kept()]
    return ["auto", STARTER, *local, *(f"ollama/{tag}" for tag in _installed())]


def _kept() -> list[str]:
    """The library's models."""
    from config import load_settings
    from pipeline.models.local_library import LocalLibrary

    return [entry.name for entry in LocalLibrary(load_settings().MODELS_DIR).entries()]


kept_names = offer(_kept)


@offer
def documented() -> Iterable[str]:
    """The sources in the index of documentation."""
    from config import load_settings
    from retrieval.document_index import DocumentIndex

    return [source.name for source in DocumentIndex(load_settings().DOCS_DIR).sources()]


@offer
def formats() -> Iterable[str]:
    """The forms that answers of some modes can have."""
    from pipeline.task import CODE

    return sorted({form for row in _modes().values() for form in row.formats} - {CODE})


@offer
def sandbox_limits() -> Iterable[str]:
    from pipeline.run_limits import SandboxLimits

    return [f"{name}=" for name in SandboxLimits.model_fields]


@offer
def languages() -> Iterable[str]:
    from laios.language_table import TABLE

    return [row.name for row in TABLE]


@offer
def task_names() -> Iterable[str]:
    """What the starter knows."""
    from server.inventory.starter_tasks import load_tasks

    return [task.name for task in load_tasks()]


def examples(context: typer.Context, incomplete: str) -> list[str]:
    """The words of a prompt: after --example, the name of a task."""
    return task_names(incomplete) if context.params.get("example") else []


@offer
def pullable() -> Iterable[str]:
    """The catalogue's names, and what Ollama has and may update."""
    from pipeline.models.catalog import CATALOG

    return sorted({*(model.name for model in CATALOG), *_installed()})


def _installed() -> list[str]:
    import asyncio

    from config import load_settings
    from pipeline.errors import LaiosError
    from pipeline.models.ollama_host import OllamaHost
    from server.runtime.async_closing import async_closing

    async def ask() -> list[str]:
        settings = load_settings()
        host = OllamaHost(settings.OLLAMA_HOST, settings.OLLAMA_TOKEN)
        async with async_closing(host):
            return [model.name for model in await host.list_models()]

    try:
        return asyncio.run(ask())
    except LaiosError:
        return []
