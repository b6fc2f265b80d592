"""What ran the models of a measurement, and how their weights are quantised: said beside a result,
no part of what it is told by."""

from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

from config import Settings
from pipeline.errors import LaiosError
from pipeline.models.gguf import NotGguf
from pipeline.models.registry import Registry
from server.inventory.model_inventory import describe

_ENGINE_PACKAGE = "xllamacpp"  # of the embedded engine
_DESCRIBED = ("ollama", "local")  # backends that know their models' files


async def engine_facts(
    settings: Settings, models: Registry, names: Iterable[str]
) -> dict[str, str]:
    """`engine` and `quantization` of these models, each once; "" where nobody says it."""
    each = dict.fromkeys(names)
    engines = [await _engine(models, name) for name in each]
    quantizations = [await _quantization(settings, name) for name in each]
    return {"engine": _once(engines), "quantization": _once(quantizations)}


def _once(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(filter(None, words)))


async def _engine(models: Registry, name: str) -> str:
    """The backend, with the version of what computes there as far as it is known."""
    backend = _backend(name)
    number = None
    if backend == "ollama":
        number = await models.ollama_version()
    elif backend == "local":
        with suppress(PackageNotFoundError):
            number = f"({_ENGINE_PACKAGE} {version(_ENGINE_PACKAGE)})"
    return f"{backend} {number}" if number else backend


async def _quantization(settings: Settings, name: str) -> str:
    found = None
    if _backend(name) in _DESCRIBED:
        with suppress(LaiosError, OSError, NotGguf):
            found = (await describe(settings, name)).get("quantization")
    return str(found or "")


def _backend(name: str) -> str:
    return name.partition("/")[0].partition("@")[0]
