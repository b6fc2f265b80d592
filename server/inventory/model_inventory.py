"""The models that there are: which one plays which role, what is installed, what is loaded."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import Settings, expanded
from pipeline.errors import LaiosError, ModelUnreachable
from pipeline.model_residence import LoadedModel
from pipeline.models import gguf
from pipeline.models.adapter import split_adapters
from pipeline.models.auto import Installed, parameter_count
from pipeline.models.auto_model import OLLAMA
from pipeline.models.local import PROVIDER
from pipeline.models.local_library import LocalEntry, LocalLibrary, is_library_name
from pipeline.models.model_file import read_header, size_of
from pipeline.models.ollama_host import OllamaHost
from pipeline.models.ollama_library import Shown, full_tag, is_base_model, loaded, show
from pipeline.models.registry import Registry
from pipeline.models.starter import DIRECTORY, STARTER, WEIGHTS
from pipeline.roles import ROLES, model_names
from server.runtime.async_closing import async_closing

QUESTIONS = 8  # at a time
# What is said of a model without Ollama, as far as its file does not say otherwise.
UNKNOWN: dict[str, Any] = {"capabilities": [], "chat_template": True, "cloud": False}
UNKNOWN |= dict.fromkeys(("family", "parameters", "quantization", "context_length"))
UNKNOWN |= dict.fromkeys(("used_at", "loaded"))


@dataclass(frozen=True, slots=True)
class Inventory:
    """`roles` are (setting, model) by role. `error` says why Ollama has not answered; `shown` are
    its models in detail, by tag; `kept` is the library's."""

    roles: Mapping[str, tuple[str, str]]
    installed: list[Installed]
    loaded: Mapping[str, LoadedModel]
    shown: Mapping[str, Shown]
    kept: list[LocalEntry]
    error: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """The models that can be had without a download, as JSON values."""
        rows = [self._row(model) for model in sorted(self.installed, key=lambda each: each.name)]
        return [*rows, *map(self._kept, self.kept), self._starter()]

    def _row(self, model: Installed) -> dict[str, Any]:
        running, shown = self.loaded.get(model.name), self.shown.get(model.name)
        return {
            "name": OLLAMA + model.name,
            "size": model.size,
            "family": model.family,
            "parameters": model.parameters,
            "quantization": model.quantization,
            "context_length": shown and shown.context_length,
            "capabilities": sorted(model.capabilities),
            "chat_template": not (shown and is_base_model(shown)),
            "cloud": model.remote,
            "used_at": None,
            "loaded": running and {"size": running.size, "vram": running.vram},
            "roles": self._played(OLLAMA + model.name),
        }

    def _kept(self, entry: LocalEntry) -> dict[str, Any]:
        name = PROVIDER + entry.name
        return {
            "name": name,
            "size": entry.size,
            **UNKNOWN,
            **_header_facts(entry),
            "used_at": entry.used_at.isoformat(timespec="seconds"),
            "fault": entry.fault() or None,
            "roles": self._played(name),
        }

    def _starter(self) -> dict[str, Any]:
        return {"name": STARTER, **UNKNOWN, **starter_facts(), "roles": self._played(STARTER)}

    def _played(self, name: str) -> list[str]:
        same = {name, name.removesuffix(":latest")}
        return [role for role, (_, model) in self.roles.items() if model in same]


async def take_inventory(settings: Settings) -> Inventory:
    """Asks Ollama; without it there is the starter, and `error` says why no more."""
    host = OllamaHost(settings.OLLAMA_HOST, settings.OLLAMA_TOKEN)
    installed: list[Installed] = []
    running: dict[str, LoadedModel] = {}
    shown: dict[str, Shown] = {}
    error = ""
    async with async_closing(host), async_closing(Registry(settings)) as models:
        await models.resolve(settings)
        roles = {
            role: (",".join(model_names(role, settings)), models.name_for(role, settings))
            for role in ROLES
        }
        try:
            installed = await host.list_models()
            running = {each.name: each for each in await loaded(host)}
            shown = await _shown(host, installed)
        except LaiosError as caught:
            error = caught.message
    kept = LocalLibrary(settings.MODELS_DIR).entries()
    return Inventory(roles, installed, running, shown, kept, error)


def _header_facts(entry: LocalEntry) -> dict[str, Any]:
    """What the file says of itself; nothing where it cannot be read."""
    with suppress(OSError, gguf.NotGguf):
        header = entry.header()
        return {
            "family": header.architecture,
            "parameters": parameter_count(header.size_label),
            "quantization": header.quantization,
            "context_length": header.context_length,
            "capabilities": ["completion", *(["tools"] if header.takes_tools else [])],
            "chat_template": header.has_chat_template,
        }
    return {}


async def _shown(host: OllamaHost, installed: list[Installed]) -> dict[str, Shown]:
    few, found = asyncio.Semaphore(QUESTIONS), {}

    async def ask(tag: str) -> None:
        async with few:
            with suppress(LaiosError):  # it may be gone by now
                found[tag] = await show(host, tag)

    await asyncio.gather(*(ask(model.name) for model in installed))
    return found


async def describe(settings: Settings, name: str) -> dict[str, Any]:
    """One model in detail, as JSON values; a name without a provider is the library's, else
    Ollama's. Raises ModelNotFound, ModelUnreachable or ModelFailed."""
    if LocalLibrary(settings.MODELS_DIR).find(name):
        name = PROVIDER + name
    if name == STARTER:
        return {"name": name} | starter_facts()
    if name.startswith(PROVIDER):
        return {"name": name} | _local_facts(
            settings, split_adapters(name.removeprefix(PROVIDER))[0]
        )
    if name.startswith(OLLAMA):
        return await _ollama_facts(settings, name.removeprefix(OLLAMA))
    if "/" not in name:
        try:
            return await _ollama_facts(settings, name)
        except ModelUnreachable as error:
            raise ModelUnreachable(
                f"There is no model {name} here (see laios models), and Ollama could not be asked. "
                f"{error.message}"
            ) from None
    async with async_closing(Registry(settings)) as models:
        facts = await models.playing("coder", name, settings).facts()
    return {"name": name, "context_length": facts.context_length}


async def _ollama_facts(settings: Settings, tag: str) -> dict[str, Any]:
    async with async_closing(OllamaHost(settings.OLLAMA_HOST, settings.OLLAMA_TOKEN)) as host:
        shown = await show(host, tag)
        installed = await host.list_models()
        running = next((each for each in await loaded(host) if each.name == full_tag(tag)), None)
    size = next((each.size for each in installed if each.name == full_tag(tag)), None)
    return {
        "name": OLLAMA + tag,
        "size": size,
        "family": shown.family,
        "parameter_size": shown.parameter_size,
        "quantization": shown.quantization,
        "context_length": shown.context_length,
        "capabilities": list(shown.capabilities),
        "chat_template": not is_base_model(shown),
        "parameters": shown.parameters,
        "cloud": shown.remote_host,
        "loaded": running
        and {"size": running.size, "vram": running.vram, "context": running.context},
    }


def _local_facts(settings: Settings, rest: str) -> dict[str, Any]:
    """Of a file by its path, or of one of the library."""
    if not is_library_name(rest):
        return _file_facts(expanded(rest).absolute())
    entry = LocalLibrary(settings.MODELS_DIR).get(rest)
    origin = entry.manifest
    return _file_facts(entry.path) | {
        "size": entry.size,
        "source": origin.source,
        "commit": origin.commit,
        "licence": origin.licence,
        "sha256": [part.sha256 for part in origin.parts],
        "last_use": entry.used_at.isoformat(timespec="seconds"),
    }


def _file_facts(path: Path) -> dict[str, Any]:
    header = read_header(path)
    return {
        "file": str(path),
        "size": size_of(path),
        "family": header.architecture,
        "quantization": header.quantization,
        "context_length": header.context_length,
        "chat_template": header.has_chat_template,
    }


def starter_facts() -> dict[str, Any]:
    """What is known of the model that comes along."""
    files = sorted({DIRECTORY / file for file in WEIGHTS.values()})
    headers = [gguf.read_header(file) for file in files]
    return {
        "size": sum(file.stat().st_size for file in files),
        "family": headers[0].architecture,
        "quantization": headers[0].quantization,
        "context_length": min(each.context_length or 0 for each in headers) or None,
        "roles": sorted(WEIGHTS),
    }
