"""Assign a model to a role: check the name and that the model is there, and write the setting."""

from pathlib import Path
from typing import Any

from config import PREFIX, Settings
from pipeline.errors import LaiosError, ModelNotFound, RoleNotPlayed
from pipeline.models.adapter import split_adapters
from pipeline.models.local import PROVIDER
from pipeline.models.local_library import is_library_name
from pipeline.models.ollama_host import is_cloud
from pipeline.models.registry import Registry
from pipeline.roles import AUTO, ROLES, setting_of
from server.runtime.async_closing import async_closing
from server.runtime.config_file import variables


class RoleAssignment:
    """A model for a role, or for `all`; several, comma-separated, to fall back on."""

    def __init__(self, role: str, name: str) -> None:
        self.roles = ROLES if role == "all" else (role,)
        names = (part.strip() for part in name.split(",") if part.strip())
        self.names = tuple(map(_from_anywhere, names))

    def values(self) -> dict[str, Any]:
        """The settings that say so."""
        value = self.names[0] if len(self.names) == 1 else list(self.names)
        return {setting_of(role): value for role in self.roles}

    async def check(self, settings: Settings) -> list[str]:
        """What speaks against it now, but may change: [] when nothing does. Raises ModelNotFound
        for a name that cannot be meant, a model that cannot play the role and a cloud model that
        is not allowed."""
        async with async_closing(Registry(settings)) as models:
            return [
                complaint
                for name in self.names
                if name != AUTO
                for complaint in await self._check(name, settings, models)
            ]

    async def _check(self, name: str, settings: Settings, models: Registry) -> list[str]:
        provider = name.partition("/")[0].partition("@")[0]
        if is_cloud(name) and provider == "ollama" and not settings.ALLOW_CLOUD_MODELS:
            raise ModelNotFound(
                f"{name} would send your prompts to Ollama's cloud. Choose a local model, or set "
                "ALLOW_CLOUD_MODELS to allow that."
            )
        try:
            for role in self.roles:
                model = models.playing(role, name, settings)
            await model.facts()
        except RoleNotPlayed:
            raise
        except LaiosError as error:
            if "/" not in name.strip("/"):
                raise
            return [error.message]
        return []


def _from_anywhere(name: str) -> str:
    """A model that is named by its file's path, or its adapters' paths, so that a daemon which is
    started in another directory finds them."""
    if not name.startswith(PROVIDER):
        return name
    base, adapters = split_adapters(name.removeprefix(PROVIDER))
    base = base if is_library_name(base) else _absolute(base)
    beside = (each if "/" not in each else _absolute(each) for each in adapters)
    return PROVIDER + "+".join((base, *beside))


def _absolute(path: str) -> str:
    return path if path.startswith("~") else str(Path(path).absolute())


def overridden(values: dict[str, Any]) -> list[str]:
    """A line for each setting that the environment gives as well, and otherwise."""
    given = variables()
    return [
        f"{PREFIX}{name}={given[name]} in the environment overrides config.toml."
        for name, value in values.items()
        if name in given and given[name] != value
    ]
