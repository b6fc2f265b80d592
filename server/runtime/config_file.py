"""config.toml: where each value in force comes from, what is wrong with a file, and writing to it
without losing its comments."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tomlkit
from pydantic import ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource

from config import (
    PREFIX,
    SECRETS,
    ConfigError,
    Settings,
    config_path,
    explain,
    hot_settings,
    read_config_file,
)
from laios.durable_file import replaced_file

DEFAULT = "default"
OLLAMA_VARIABLE = "OLLAMA_HOST"
MASK = "********"
HEAD = """\
# The settings of laios with their defaults. Remove the # from a line to change it.
# LAIOS_<NAME> in the environment overrides this file; `laios config check` finds mistakes.
"""
# What a setting without a default looks like.
EXAMPLES = {
    "API_TOKEN": "a long random text",
    "ALLOWED_HOSTS": ["laios.example:443"],
    "ALLOWED_ORIGINS": ["https://chat.example"],
    "MAX_CONCURRENT_RUNS": 2,
    "PROMPTS_DIR": "/home/you/laios-prompts",
    "SANDBOX_VENV": "/home/you/sandbox-venv",
    "OLLAMA_TOKEN": "what the proxy before it asks for",
    "CODER_KEEP_ALIVE": "30m",
    "JUDGE_KEEP_ALIVE": "-1m",
    "REVIEWER_KEEP_ALIVE": "5m",
}


class _FileSettings(Settings):
    """Settings from given values alone, whatever the environment says."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        *others: Any,
        **named: Any,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


def problems(path: Path) -> list[str]:
    """What is wrong with a config file, one line each; [] if it can be used (also when there is
    none)."""
    try:
        _FileSettings(**read_config_file(path))
    except ConfigError as error:
        return str(error).splitlines()
    except ValidationError as error:
        return [f"{path}: {explain(each)}" for each in error.errors()]
    return []


def variables() -> dict[str, str]:
    """The `LAIOS_<NAME>` variables of this process that are settings, by the setting's name."""
    return {name: str(value) for name, value in EnvSettingsSource(Settings)().items()}


def sources(settings: Settings) -> dict[str, str]:
    """Where each value in force comes from: a variable, the file, or `default`."""
    found = dict.fromkeys(Settings.model_fields, DEFAULT)
    usual = Settings.model_fields["OLLAMA_HOST"].default
    if usual != settings.OLLAMA_HOST:  # the plain variable, unless one of those below is nearer
        found["OLLAMA_HOST"] = OLLAMA_VARIABLE
    found |= dict.fromkeys(read_config_file(config_path()), str(config_path()))
    return found | {name: PREFIX + name for name in variables()}


def shown(name: str, settings: Settings) -> Any:
    """A setting's value as JSON has it, with secrets masked."""
    value = settings.model_dump(mode="json", include={name})[name]
    if name in SECRETS and value:
        return MASK
    if name == "OLLAMA_HOST" and "@" in urlsplit(value).netloc:
        user, _, host = urlsplit(value).netloc.rpartition("@")
        return value.replace(f"{user}@{host}", f"{MASK}@{host}", 1)
    return value


def template() -> str:
    """A config.toml in which every setting stands as a comment, with its default."""
    parts = [HEAD]
    for name, field in Settings.model_fields.items():
        when = "" if name in hot_settings() else " (needs a restart)"
        value = EXAMPLES.get(name, field.default)
        literal = tomlkit.item(_plain(value)).as_string()
        parts.append(f"# {field.description}{when}\n# {name.lower()} = {literal}\n")
    return "\n".join(parts)


def _plain(value: Any) -> Any:
    """A setting's value as TOML writes it."""
    if isinstance(value, tuple):
        return value[0] if len(value) == 1 else list(value)
    return str(value) if isinstance(value, Path) else value


def write_values(path: Path, values: Mapping[str, Any]) -> None:
    """Sets values, by upper-case name, in a config file that is otherwise left as it is.

    Raises ConfigError for a file that cannot be used, before or after; then nothing was changed.
    """
    if wrong := problems(path):
        raise ConfigError("\n".join(wrong))
    try:
        text = path.read_bytes().decode() if path.exists() else ""
        document = tomlkit.parse(text)
        spelled = {name.upper(): name for name in document}
        for name, value in values.items():
            document[spelled.get(name, name.lower())] = value
        write_private(path, tomlkit.dumps(document))
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from None
    except UnicodeEncodeError:  # of a word of the command line
        raise ConfigError(f"{path} was not changed: the new value is not UTF-8 text.") from None


def write_private(path: Path, text: str) -> None:
    """Puts a config file in place in one step; whoever reads sees the old one or the new one. A
    new file is for its owner alone, another keeps its mode; a link stays a link. Raises OSError,
    and ConfigError for a text that is no valid config file."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with replaced_file(path, ".toml") as file:
        file.write(text.encode())
        file.flush()
        if wrong := problems(Path(file.name)):
            raise ConfigError("\n".join(wrong).replace(file.name, str(path)))
        with suppress(FileNotFoundError):
            os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
