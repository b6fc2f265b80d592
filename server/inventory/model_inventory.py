"""The models that there are: which one plays which role, what is installed, what is loaded."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config import Settings
from pipeline.errors import LaiosError, ModelNotFound
from pipeline.models.auto import Installed
from pipeline.models.ollama_host import OllamaHost
from pipeline.models.ollama_library import Loaded, Shown, full_tag, loaded, show
from pipeline.models.registry import Registry
from pipeline.models.starter import DIRECTORY, STARTER, WEIGHTS
from pipeline.roles import ROLES, model_names

OLLAMA = "ollama/"
QUESTIONS = 8  # at a time


@dataclass(frozen=True, slots=True)
class Inventory:
    """`roles` are (setting, model) by role. `error` says why Ollama has not answered; `lengths`
    are trained windows in tokens, by tag."""

    roles: Mapping[str, tuple[str, str]]
    installed: list[Installed]
    loaded: Mapping[str, Loaded]
    lengths: Mapping[str, int | None]
    error: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """The models that can be had without a download, as JSON values."""
        rows = [self._row(model) for model in sorted(self.installed, key=lambda each: each.name)]
        return [*rows, self._starter()]

    def _row(self, model: Installed) -> dict[str, Any]:
        running = self.loaded.get(model.name)
        return {
            "name": OLLAMA + model.name,
            "size": model.size,
            "family": model.family,
            "parameters": model.parameters,
            "context_length": self.lengths.get(model.name),
            "capabilities": sorted(model.capabilities),
            "cloud": model.remote,
            "loaded": running and {"size": running.size, "vram": running.vram},
            "roles": self._played(OLLAMA + model.name),
        }

    def _starter(self) -> dict[str, Any]:
        facts = starter_facts()
        return {
            "name": STARTER,
            "size": facts["size"],
            "family": facts["family"],
            "parameters": None,
            "context_length": facts["context_length"],
            "capabilities": [],
            "cloud": False,
            "loaded": None,
            "roles": self._played(STARTER),
        }

    def _played(self, name: str) -> list[str]:
        same = {name, name.removesuffix(":latest")}
        return [role for role, (_, model) in self.roles.items() if model in same]


async def take_inventory(settings: Settings) -> Inventory:
    """Asks Ollama; without it there is the starter, and `error` says why no more."""
    host, models = OllamaHost(settings.OLLAMA_HOST), Registry(settings)
    installed: list[Installed] = []
    running: dict[str, Loaded] = {}
    lengths: dict[str, int | None] = {}
    error = ""
    try:
        await models.resolve(settings)
        roles = {
            role: (",".join(model_names(role, settings)), models.name_for(role, settings))
            for role in ROLES
        }
        try:
            installed = await host.list_models()
            running = {each.name: each for each in await loaded(host)}
            lengths = await _lengths(host, installed)
        except LaiosError as caught:
            error = caught.message
    finally:
        await models.close()
        await host.close()
    return Inventory(roles, installed, running, lengths, error)


async def _lengths(host: OllamaHost, installed: list[Installed]) -> dict[str, int | None]:
    few = asyncio.Semaphore(QUESTIONS)

    async def ask(tag: str) -> int | None:
        async with few:
            try:
                return (await show(host, tag)).context_length
            except LaiosError:  # it may be gone by now
                return None

    names = [model.name for model in installed]
    return dict(zip(names, await asyncio.gather(*map(ask, names)), strict=True))


async def describe(settings: Settings, name: str) -> dict[str, Any]:
    """One model in detail, as JSON values; a name without a provider is Ollama's. Raises
    ModelNotFound, ModelUnreachable or ModelFailed."""
    if name == STARTER:
        return {"name": name} | starter_facts()
    if name.startswith("local/"):
        return {"name": name} | _local_facts(name)
    if name.startswith(OLLAMA) or "/" not in name:
        return await _ollama_facts(settings, name.removeprefix(OLLAMA))
    models = Registry(settings)
    chosen = settings.model_copy(update={"CODER_MODEL_NAME": (name,)})
    try:
        facts = await models.for_role("coder", chosen).facts()
    finally:
        await models.close()
    return {"name": name, "context_length": facts.context_length}


async def _ollama_facts(settings: Settings, tag: str) -> dict[str, Any]:
    host = OllamaHost(settings.OLLAMA_HOST)
    try:
        shown: Shown = await show(host, tag)
        installed = await host.list_models()
        running = next((each for each in await loaded(host) if each.name == full_tag(tag)), None)
    finally:
        await host.close()
    size = next((each.size for each in installed if each.name == full_tag(tag)), None)
    return {
        "name": OLLAMA + tag,
        "size": size,
        "family": shown.family,
        "parameter_size": shown.parameter_size,
        "quantization": shown.quantization,
        "context_length": shown.context_length,
        "capabilities": list(shown.capabilities),
        "parameters": shown.parameters,
        "cloud": shown.remote_host,
        "loaded": running
        and {"size": running.size, "vram": running.vram, "context": running.context},
    }


def _local_facts(name: str) -> dict[str, Any]:
    from pipeline.models import gguf

    path = Path(name.removeprefix("local/")).expanduser().absolute()
    try:
        header = gguf.read_header(path)
        size = path.stat().st_size
    except OSError as error:
        raise ModelNotFound(f"No model file at {path}: {(error.strerror or '').lower()}.") from None
    except gguf.NotGguf as error:
        raise ModelNotFound(f"{path} is no GGUF model: {error}.") from None
    return {
        "file": str(path),
        "size": size,
        "family": header.architecture,
        "context_length": header.context_length,
    }


def starter_facts() -> dict[str, Any]:
    """What is known of the model that comes along."""
    from pipeline.models import gguf

    files = sorted({DIRECTORY / file for file in WEIGHTS.values()})
    headers = [gguf.read_header(file) for file in files]
    return {
        "size": sum(file.stat().st_size for file in files),
        "family": headers[0].architecture,
        "context_length": min(each.context_length or 0 for each in headers) or None,
        "roles": sorted(WEIGHTS),
    }
