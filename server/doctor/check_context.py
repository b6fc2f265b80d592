"""What the checks share: the settings, the models behind them, and what Ollama has."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from config import LOOPBACK_HOSTS, Settings
from pipeline.errors import LaiosError
from pipeline.model_residence import LoadedModel
from pipeline.models.auto import Installed
from pipeline.models.ollama_host import OllamaHost
from pipeline.models.ollama_library import full_tag, loaded, version
from pipeline.models.registry import Registry
from pipeline.roles import ROLES

OLLAMA = "ollama/"


@dataclass
class CheckContext:
    """`names` are the roles' models with `auto` resolved. `version` is Ollama's, None if it does
    not answer, and then `error` says why."""

    settings: Settings
    models: Registry
    host: OllamaHost
    names: dict[str, str] = field(default_factory=dict)
    version: str | None = None
    error: str = ""
    installed: list[Installed] = field(default_factory=list)
    loaded: list[LoadedModel] = field(default_factory=list)

    @classmethod
    async def open(cls, settings: Settings) -> "CheckContext":
        """Asks the backends. The caller closes it."""
        context = cls(
            settings, Registry(settings), OllamaHost(settings.OLLAMA_HOST, settings.OLLAMA_TOKEN)
        )
        try:
            context.version = await version(context.host)
            context.installed = await context.host.list_models()
            context.loaded = await loaded(context.host)
        except LaiosError as error:
            context.version, context.error = None, error.message
        await context.models.resolve(settings)
        context.names = {role: context.models.name_for(role, settings) for role in ROLES}
        return context

    async def close(self) -> None:
        await self.models.close()
        await self.host.close()

    @property
    def distinct(self) -> dict[str, list[str]]:
        """The roles of each model."""
        found: dict[str, list[str]] = {}
        for role, name in self.names.items():
            found.setdefault(name, []).append(role)
        return found

    @property
    def ollama_is_here(self) -> bool:
        """Whether Ollama runs on this machine."""
        return urlsplit(self.settings.OLLAMA_HOST).hostname in LOOPBACK_HOSTS

    def find(self, name: str) -> Installed | None:
        """The installed model behind `ollama/<tag>`."""
        tag = full_tag(name.removeprefix(OLLAMA))
        return next((each for each in self.installed if each.name == tag), None)

    def find_loaded(self, name: str) -> LoadedModel | None:
        tag = full_tag(name.removeprefix(OLLAMA))
        return next((each for each in self.loaded if each.name == tag), None)
