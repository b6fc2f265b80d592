"""The table of backends: which class answers to which provider in `provider/name`."""

import asyncio
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from config import Settings, expanded, ollama_url
from pipeline.errors import LaiosError, ModelNotFound
from pipeline.model import Model
from pipeline.models.adapter import split_adapters
from pipeline.models.auto import Installed, installed_in
from pipeline.models.auto_model import OLLAMA
from pipeline.models.library_model import LibraryModel
from pipeline.models.local import PROVIDER, Engine, LocalModel
from pipeline.models.local_library import LocalLibrary, is_library_name
from pipeline.models.starter import STARTER, StarterModel

if TYPE_CHECKING:
    from pipeline.models.ollama_embedder import Embedder
    from pipeline.models.ollama_host import OllamaHost

LISTENS_S = 2.0  # for a connection to Ollama; as long as its small questions have


class Backends:
    """What the models of one backend share: Ollama's connection pool, the engine's process. Made
    at first need, so that a process pays for what it uses."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[str, OllamaHost] = {}
        self._has_client = False

    async def load(self, names: Iterable[str]) -> None:
        """Has what these models need imported beside the event loop."""
        if any(name.startswith("ollama") for name in names):
            await self.load_ollama()

    async def load_ollama(self) -> None:
        """Ollama's HTTP client takes a tenth of a second and 10 MB."""
        if not self._has_client:
            await asyncio.to_thread(import_module, "pipeline.models.ollama")
            self._has_client = True

    @cached_property
    def ollama(self) -> "OllamaHost":
        return self.ollama_at(self._settings.OLLAMA_HOST)

    def ollama_at(self, address: str) -> "OllamaHost":
        """The Ollama server at an address; one pool of connections each."""
        from pipeline.models.ollama_host import OllamaHost

        url = ollama_url(address)
        if url not in self._hosts:
            own = url == self._settings.OLLAMA_HOST
            self._hosts[url] = OllamaHost(url, self._settings.OLLAMA_TOKEN if own else None)
        return self._hosts[url]

    @cached_property
    def embedder(self) -> "Embedder":
        from pipeline.models.ollama_embedder import Embedder

        return Embedder(self.ollama)

    @cached_property
    def library(self) -> LocalLibrary:
        return LocalLibrary(self._settings.MODELS_DIR)

    @cached_property
    def engine(self) -> Engine:
        return Engine(self._settings.ENGINE_IDLE_S, self._settings.MAX_CONCURRENT_RUNS or 1)

    async def installed(self, now: str) -> list[Installed]:
        """The models of Ollama and the library, as `provider/<tag>`. Where Ollama does not answer,
        those of the library; none where `now`, the model in use, is Ollama's: it keeps its place.
        Where nobody listens at Ollama's address, its client is not loaded: most daemons without
        Ollama never need it."""
        listed = None
        if self._has_client or await _listens(self._settings.OLLAMA_HOST):
            await self.load_ollama()
            with suppress(LaiosError):
                listed = await self.ollama.list_models()
        if listed is None and now.startswith(OLLAMA):
            return []
        kept = await asyncio.to_thread(installed_in, self.library)
        return [replace(each, name=f"{PROVIDER}{each.name}") for each in kept] + [
            replace(each, name=f"{OLLAMA}{each.name}") for each in listed or ()
        ]

    async def close(self) -> None:
        for host in self._hosts.values():
            await host.close()
        if engine := self.__dict__.get("engine"):
            await engine.close()
        if litellm := sys.modules.get("pipeline.models.litellm"):
            await litellm.close_connections()


async def _listens(url: str) -> bool:
    """Whether anything takes connections here, at any of the host's addresses: of two families one
    may lead nowhere."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    look_up = asyncio.get_running_loop().getaddrinfo
    try:
        async with asyncio.timeout(LISTENS_S):
            found = await look_up(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError):
        return False
    hosts = {place[0] for *_, place in found}
    return any(await asyncio.gather(*(_takes_connections(str(host), port) for host in hosts)))


async def _takes_connections(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(LISTENS_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def _ollama(backends: Backends, name: str, settings: Settings) -> Model:
    from pipeline.models.ollama import OllamaModel

    address = name.partition("/")[0].partition("@")[2]
    try:
        host = backends.ollama_at(address) if address else backends.ollama
    except ValueError as error:
        raise ModelNotFound(f"{name}: {error}.") from None
    return OllamaModel(name, host, allow_cloud=settings.ALLOW_CLOUD_MODELS)


def _local(backends: Backends, name: str, settings: Settings) -> Model:
    if name == STARTER:
        return StarterModel(backends.engine)
    base, adapters = split_adapters(name.removeprefix(PROVIDER))
    if is_library_name(base):
        return LibraryModel(name, backends.engine, backends.library)
    return LocalModel(name, backends.engine, expanded(base), adapters)


def _scripted(backends: Backends, name: str, settings: Settings) -> Model:
    from pipeline.models.scripted import ScriptedModel

    return ScriptedModel(name)


def _litellm(backends: Backends, name: str, settings: Settings) -> Model:
    from pipeline.models.litellm import LiteLLMModel

    return LiteLLMModel(name)


PROVIDERS: dict[str, Callable[[Backends, str, Settings], Model]] = {
    "ollama": _ollama,
    "local": _local,
    "scripted": _scripted,
    "*": _litellm,  # everything else
}
