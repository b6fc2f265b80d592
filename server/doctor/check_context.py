"""What the checks share: the settings, the models behind them, and what Ollama has."""

from config import Settings
from pipeline.errors import LaiosError
from pipeline.model_residence import LoadedModel
from pipeline.models.auto import Installed
from pipeline.models.auto_model import OLLAMA
from pipeline.models.ollama_host import OllamaHost
from pipeline.models.ollama_library import full_tag, loaded, version
from pipeline.models.registry import Registry
from pipeline.roles import ROLES


class CheckContext:
    """`names` are the roles' models with `auto` resolved. `version` is Ollama's, None if it does
    not answer, and then `error` says why."""

    def __init__(self, settings: Settings) -> None:
        """Knows nothing yet. The caller closes it."""
        self.settings = settings
        self.models = Registry(settings)
        self.host = OllamaHost(settings.OLLAMA_HOST, settings.OLLAMA_TOKEN)
        self.names: dict[str, str] = {}
        self.version: str | None = None
        self.error = ""
        self.installed: list[Installed] = []
        self.loaded: list[LoadedModel] = []

    async def ask_backends(self) -> None:
        try:
            self.version = await version(self.host)
            self.installed = await self.host.list_models()
            self.loaded = await loaded(self.host)
        except LaiosError as error:
            self.version, self.error = None, error.message
        await self.models.resolve(self.settings)
        self.names = {role: self.models.name_for(role, self.settings) for role in ROLES}

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

    def find(self, name: str) -> Installed | None:
        """The installed model behind `ollama/<tag>`."""
        tag = full_tag(name.removeprefix(OLLAMA))
        return next((each for each in self.installed if each.name == tag), None)

    def find_loaded(self, name: str) -> LoadedModel | None:
        tag = full_tag(name.removeprefix(OLLAMA))
        return next((each for each in self.loaded if each.name == tag), None)
