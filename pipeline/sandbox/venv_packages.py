"""Which Python programs get the packages of the user's virtual environment: those that import what
neither the standard library nor a file beside them has. To find packages takes Python longer than
most programs run, so the others start without."""

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from pipeline.sandbox.limits import Limits

IMPORTS_S = 3  # seconds of processor time that large packages take beside the program's own
# Libraries of matrices start a thread for each core, and each takes memory of the program's.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_IMPORT = re.compile(
    r"^[ \t]{0,40}(?:from[ \t]{1,9}(\w{1,99})|import[ \t]{1,9}([\w., \t]{1,300}))", re.MULTILINE
)


def packages_in(program: str) -> set[str]:
    """The top-level modules that a Python program imports and the standard library has not."""
    named = ([taken] if taken else listed.split(",") for taken, listed in _IMPORT.findall(program))
    modules = (each.strip().partition(" ")[0].partition(".")[0] for row in named for each in row)
    return {module for module in modules if module} - sys.stdlib_module_names


def need_packages(files: Mapping[str, str | bytes]) -> bool:
    """Whether a Python program among the files imports what none of them is."""
    beside = {part for name in files for part in _modules(name)}
    programs = [text for name, text in files.items() if name.endswith(".py")]
    return any(packages_in(_as_text(each)) - beside for each in programs)


def with_packages(files: Mapping[str, str | bytes], limits: Limits) -> Limits:
    """The limits for these files: with more time where they need packages and there is a virtual
    environment, else without it."""
    if limits.venv is None or not need_packages(files):
        return replace(limits, venv=None)
    return replace(limits, cpu_s=limits.cpu_s + IMPORTS_S)


def modules_in(venv: Path | None) -> frozenset[str]:
    """The top-level modules of a virtual environment's packages; none where there is none."""
    found = venv.glob("lib/python*/site-packages/*") if venv else ()
    return frozenset(each.name.partition(".")[0] for each in found)


def _as_text(content: str | bytes) -> str:
    return content if isinstance(content, str) else content.decode("utf-8", "replace")


def _modules(name: str) -> set[str]:
    """What a file, or a folder that it lies in, is imported as."""
    path = PurePosixPath(name)
    return {path.stem, *path.parts[:-1]}
