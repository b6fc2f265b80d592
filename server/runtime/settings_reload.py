"""config.toml, watched: what is hot changes without a restart."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from watchfiles import awatch

from config import ConfigError, Settings, config_path, file_state, hot_settings, load_settings

log = logging.getLogger("laios.config")

DEBOUNCE_MS = 100
LOOK_MS = 5000  # so often it is looked whether something changed that nobody told of


async def watch_settings(
    settings: Settings, options: Mapping[str, Any], apply: Callable[[Settings], None]
) -> None:
    """Hands the new settings to `apply` each time that the file's hot ones change; never returns.

    `options` are the command line's, which stay above the file. A file that cannot be used is
    reported once and the last good settings stay; so does what needs a restart, with a line that
    says so.
    """
    complaint = None
    async for _ in _changes(config_path(), settings.config_state):
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


class _Seen(NamedTuple):
    """The file's state; and the directories that are watched for it, each with its device and
    inode."""

    file: tuple[int, ...] | None
    directories: dict[Path, tuple[int, ...]]


async def _changes(path: Path, known: tuple[int, ...] | None) -> AsyncIterator[None]:
    """Yields after each change of the file since it was `known`. Editors replace files, so its
    directory is watched; it is made if need be. Where it is a link, as those keep it who have their
    settings in a repository, so is the directory of what it leads to. A directory may be replaced
    as well, of which nothing tells: now and then it is looked at without a change."""
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        seen = _look(path)
        if seen.file != known:
            known = seen.file
            yield
        looks = awatch(
            *seen.directories,
            debounce=DEBOUNCE_MS,
            rust_timeout=LOOK_MS,
            yield_on_timeout=True,
            recursive=False,
        )
        with suppress(FileNotFoundError):  # a directory has gone since
            async with aclosing(looks):
                async for _ in looks:
                    if _look(path) != seen:
                        break


def _look(path: Path) -> _Seen:
    places = (path.parent, Path(os.path.realpath(path)).parent)
    directories = {place: state[:2] for place in places if (state := file_state(place))}
    return _Seen(file_state(path), directories)
