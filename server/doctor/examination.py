"""Run all checks of `laios doctor`. Works without a daemon, with the settings in force."""

from collections.abc import AsyncIterator, Callable, Iterator

from config import SECRETS, ConfigError, Settings, config_path, load_settings
from server.doctor.check_result import CheckResult
from server.doctor.documentation import check_documents
from server.doctor.sandbox_venv import check_sandbox_venv
from server.doctor.storage import check_files
from server.runtime.async_closing import async_closing
from server.runtime.config_file import DEFAULT, sources

Told = tuple[str, CheckResult]  # group, finding


async def examine(probe_s: float | None, doing: Callable[[str], None]) -> AsyncIterator[Told]:
    """Each finding with its group, as it is made, the quick ones first. `probe_s` bounds the
    probe of each model (None: no model is called, or its file read through); `doing` hears what
    takes its time now."""
    try:
        settings = load_settings()
    except ConfigError as error:
        for line in str(error).splitlines():
            yield "configuration", CheckResult("config", "problem", line, "laios config edit")
        return
    for check in (check_config, check_security):
        for finding in check(settings):
            yield "configuration", finding
    for check in (check_files, check_documents, check_sandbox_venv):
        for finding in check(settings):
            yield "files", finding
    from server.doctor.port import check_port

    for finding in check_port(settings):
        yield "daemon", finding
    async for told in _examine_models(settings, probe_s, doing):
        yield told


async def _examine_models(
    settings: Settings, probe_s: float | None, doing: Callable[[str], None]
) -> AsyncIterator[Told]:
    from server.doctor.check_context import CheckContext
    from server.doctor.judge_probe import check_judges
    from server.doctor.model_checks import (
        check_backend,
        check_fallbacks,
        check_model_files,
        check_privacy,
        check_roles,
        check_windows,
    )
    from server.doctor.model_memory import check_memory

    doing("asking the backends")
    async with async_closing(CheckContext(settings)) as context:
        await context.ask_backends()
        for finding in check_backend(context):
            yield "models", finding
        for check in (check_roles, check_fallbacks, check_windows):
            async for finding in check(context):
                yield "models", finding
        for finding in check_privacy(context):
            yield "models", finding
        for finding in check_memory(context):
            yield "memory", finding
        if probe_s is not None:
            async for finding in check_model_files(context, doing):
                yield "model files", finding
            async for finding in check_judges(context, probe_s, doing):
                yield "verdicts", finding


def check_config(settings: Settings) -> Iterator[CheckResult]:
    """The settings could be read; where they come from, and who else can read them."""
    path = config_path()
    origins = [origin for origin in sources(settings).values() if origin != DEFAULT]
    in_file = origins.count(str(path))
    facts = {"path": str(path), "from_file": in_file, "from_environment": len(origins) - in_file}
    file = f"{in_file} from {path}" if path.exists() else f"no {path}"
    seen = f"The settings are valid: {file}, {len(origins) - in_file} from the environment."
    yield CheckResult("config", "ok", seen, "", facts)
    readable = path.exists() and path.stat().st_mode & 0o077
    held = [name for name in SECRETS if sources(settings)[name] == str(path)]
    if readable and held:
        seen = f"{path} contains {' and '.join(held)} and can be read by other users."
        yield CheckResult("config_private", "warning", seen, f"chmod 600 {path}")


def check_security(settings: Settings) -> Iterator[CheckResult]:
    """Who reads code for what an attacker can use, where that is asked for."""
    from pipeline.security.bandit_scan import NOT_INSTALLED, is_installed

    if settings.SECURITY_REVIEW == "on" and not is_installed():
        why, _, fix = NOT_INSTALLED.partition(": ")
        seen = f"SECURITY_REVIEW is on and {why}: only a model reads the code."
        yield CheckResult("security", "warning", seen, fix)
