"""config.toml, watched: what is hot changes without a restart."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

from watchfiles import awatch

from config import ConfigError, Settings, config_path, hot_settings, load_settings

log = logging.getLogger("laios.config")

DEBOUNCE_MS = 100


async def watch_settings(
    settings: Settings, options: Mapping[str, Any], apply: Callable[[Settings], None]
) -> None:
    """Hands the new settings to `apply` each time that the file's hot ones change; never returns.

    `options` are the command line's, which stay above the file. A file that cannot be used is
    reported once and the last good settings stay; so does what needs a restart, with a line that
    says so.
    """
    complaint = None
    async for _ in _changes(config_path()):
        try:
            fresh = await asyncio.to_thread(load_settings, **options)
        except ConfigError as error:
            if str(error) != complaint:
                complaint = str(error)
                log.error("config.toml was not taken over", extra={"problem": complaint})
            continue
        complaint = None
        changed = [
            name
            for name in Settings.model_fields
            if getattr(fresh, name) != getattr(settings, name) and name not in _SET_AT_START
        ]
        hot = {name: getattr(fresh, name) for name in changed if name in hot_settings()}
        cold = [name for name in changed if name not in hot]
        if hot:
            settings = settings.model_copy(update=hot)
            apply(settings)
            log.info("settings changed", extra={"settings": " ".join(hot)})
        if cold:
            log.warning("settings need a restart", extra={"settings": " ".join(cold)})


_SET_AT_START = {"PORT"}  # 0 became the port that was free


async def _changes(path: Path) -> AsyncIterator[None]:
    """Yields after each change of the file. Editors replace files, so its directory is watched; it
    is made if need be, because there is nothing else to watch. Where it is a link, as those keep it
    who have their settings in a repository, so is the directory of what it leads to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        places = _places(path)
        directories = {place.parent for place in places}
        async for changes in awatch(*directories, debounce=DEBOUNCE_MS, recursive=False):
            if any(Path(changed) in places for _, changed in changes):
                yield
            if _places(path) != places:
                break


def _places(path: Path) -> set[Path]:
    """Where the file stands, and where it leads to, as changes are told of them."""
    directory = Path(os.path.realpath(path.parent))
    return {directory / path.name, Path(os.path.realpath(path))}
