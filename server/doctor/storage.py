"""Check whether the history and the cache can be written, and whether there is room."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from config import Settings, cache_dir
from pipeline.models.machine import free_bytes
from server.doctor.check_result import CheckResult, Level
from server.runtime.units import in_bytes

PROBE_BYTES = 4096
LITTLE_BYTES = 1_000_000_000
NEARLY_NONE_BYTES = 50_000_000


def check_files(settings: Settings) -> Iterator[CheckResult]:
    yield _writable("history", "The history", settings.HISTORY_DIR, "Set HISTORY_DIR elsewhere")
    yield from _private(settings.HISTORY_DIR)
    yield _room(settings.HISTORY_DIR)
    yield _writable("cache", "The search index", cache_dir(), "Set XDG_CACHE_HOME elsewhere")


def _writable(check: str, title: str, directory: Path, elsewhere: str) -> CheckResult:
    """Writes a file there and removes it. A directory that does not exist yet is not made: where
    it would come to stand is tried."""
    place, facts = directory, {"directory": str(directory), "exists": False}
    try:
        place = _nearest(directory)
        facts["exists"] = place == directory
        with tempfile.NamedTemporaryFile(dir=place, prefix=".laios-doctor-") as probe:
            probe.write(b"\0" * PROBE_BYTES)
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        seen = f"{title} cannot be written in {directory}: {(error.strerror or '').lower()}."
        return CheckResult(check, "problem", seen, f"{_remedy(error, place)} {elsewhere}.", facts)
    can_be = "can be written" if place == directory else "will be created"
    return CheckResult(check, "ok", f"{title} {can_be} in {directory}.", "", facts)


def _nearest(directory: Path) -> Path:
    """Raises OSError where it may not be looked at."""
    return next((path for path in (directory, *directory.parents) if path.exists()), directory)


def _remedy(error: OSError, place: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Free some space on that disk."
    if error.errno == errno.ENOTDIR:
        return f"{place} is a file where a directory is needed."
    return f"Give this user the right to write in {place}."


def _private(directory: Path) -> Iterator[CheckResult]:
    """The history holds prompts: it is for its owner alone."""
    mode = 0
    with suppress(OSError):  # nobody may look at it
        mode = directory.stat().st_mode & 0o777 if directory.is_dir() else 0
    if mode & 0o077:
        yield CheckResult(
            "history_private",
            "warning",
            f"Other users of this machine can open {directory} (mode {mode:o}).",
            f"chmod 700 {directory}",
            {"mode": f"{mode:o}"},
        )


def _room(directory: Path) -> CheckResult:
    free = free_bytes(directory)
    facts = {"free_bytes": free}
    seen = f"{in_bytes(free)} are free on the history's disk."
    fix = "Free some space, or keep less: laios history prune --before 90d, or HISTORY_MAX_FILES."
    if free >= LITTLE_BYTES:
        return CheckResult("disk", "ok", seen, "", facts)
    level: Level = "problem" if free < NEARLY_NONE_BYTES else "warning"
    return CheckResult("disk", level, seen, fix, facts)
