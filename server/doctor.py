"""Looks at everything that laios stands on. Works without a daemon, with the settings in force."""

from collections.abc import AsyncIterator, Callable, Iterator

from config import ConfigError, Settings, config_path, load_settings
from server.checks.documents import check_documents
from server.checks.files import check_files
from server.checks.finding import Finding
from server.config_file import DEFAULT, sources

Told = tuple[str, Finding]  # group, finding


async def examine(probe_s: float | None, doing: Callable[[str], None]) -> AsyncIterator[Told]:
    """Each finding with its group, as it is made, the quick ones first. `probe_s` bounds the
    probe of each model (None: no model is called); `doing` hears what takes its time now."""
    try:
        settings = load_settings()
    except ConfigError as error:
        for line in str(error).splitlines():
            yield "configuration", Finding("config", "problem", line, "laios config edit")
        return
    for finding in check_config(settings):
        yield "configuration", finding
    for finding in check_files(settings):
        yield "files", finding
    for finding in check_documents(settings):
        yield "files", finding
    from server.checks.port import check_port

    for finding in check_port(settings):
        yield "daemon", finding
    async for told in _examine_models(settings, probe_s, doing):
        yield told


async def _examine_models(
    settings: Settings, probe_s: float | None, doing: Callable[[str], None]
) -> AsyncIterator[Told]:
    from server.checks.memory import check_memory
    from server.checks.models import (
        check_backend,
        check_fallbacks,
        check_privacy,
        check_roles,
        check_windows,
    )
    from server.checks.probe import check_judges
    from server.checks.scene import Scene

    doing("asking the backends")
    scene = await Scene.open(settings)
    try:
        for finding in check_backend(scene):
            yield "models", finding
        async for finding in check_roles(scene):
            yield "models", finding
        async for finding in check_fallbacks(scene):
            yield "models", finding
        async for finding in check_windows(scene):
            yield "models", finding
        for finding in check_privacy(scene):
            yield "models", finding
        for finding in check_memory(scene):
            yield "memory", finding
        if probe_s is not None:
            async for finding in check_judges(scene, probe_s, doing):
                yield "verdicts", finding
    finally:
        await scene.close()


def check_config(settings: Settings) -> Iterator[Finding]:
    """The settings could be read; where they come from, and who else can read them."""
    path = config_path()
    origins = [origin for origin in sources(settings).values() if origin != DEFAULT]
    in_file = origins.count(str(path))
    facts = {"path": str(path), "from_file": in_file, "from_environment": len(origins) - in_file}
    file = f"{in_file} from {path}" if path.exists() else f"there is no {path}"
    seen = f"The settings are valid: {file}, {len(origins) - in_file} from the environment."
    yield Finding("config", "ok", seen, "", facts)
    readable = path.exists() and path.stat().st_mode & 0o077
    if readable and sources(settings)["API_TOKEN"] == str(path):
        seen = f"{path} holds API_TOKEN and can be read by others."
        yield Finding("config_private", "warning", seen, f"chmod 600 {path}")
