"""What a request says of files and a plan leaves out: a small planner forgets files that are named,
and which of them are programs. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from pipeline.analysis.file_types import type_of_path
from pipeline.projects.entry_points import is_program
from pipeline.projects.manifest import MAX_TEXT, Manifest, PlannedFile

MOST = 5  # files that are added
_ENDINGS = "py|js|mjs|ts|html|css|md"
_NAMED = re.compile(rf"(?<![\w./-])(?:[\w-]+/)*[\w-]+\.(?:{_ENDINGS})(?![\w/-]|\.\w)")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CLAUSE = re.compile(r"(?<=[.;])\s+|\n+")


def completed(plan: Manifest, request: str) -> Manifest:
    """The plan with the files that the request names and the plan has nowhere, the `__init__.py` of
    a package that it names, and which files are programs."""
    words = _FENCED.sub(" ", request)
    whole = replace(plan, files=(*plan.files, *_forgotten(plan, words)))
    said = f"{words}\n{plan.setup_instructions}"
    programs = (
        file.path
        for file in whole.files
        if file.file_type == "source" and is_program(file.path, said)
    )
    return replace(whole, programs=tuple(programs))


def _forgotten(plan: Manifest, request: str) -> list[PlannedFile]:
    there = {PurePosixPath(path).name for path in plan.paths}
    named = dict.fromkeys(_NAMED.findall(request))
    missing = [path for path in named if PurePosixPath(path).name not in there]
    packages = [path for path in _packages(plan, request) if path not in missing]
    return [_planned(path, plan, request) for path in [*missing, *packages][:MOST]]


def _packages(plan: Manifest, request: str) -> Iterator[str]:
    """The `__init__.py` of folders with modules, where the request speaks of them as packages."""
    if not re.search(r"\bpackage\b", request, re.IGNORECASE):
        return
    folders = {PurePosixPath(file.path).parent for file in plan.files if _is_module(file)}
    for folder in sorted(folders):
        path = str(folder / "__init__.py")
        named = folder.name and re.search(rf"\b{re.escape(folder.name)}\b", request)
        if named and path not in plan.paths:
            yield path


def _is_module(file: PlannedFile) -> bool:
    return file.file_type == "source" and file.path.endswith(".py")


def _planned(path: str, plan: Manifest, request: str) -> PlannedFile:
    """It may use every source of its language: nothing that was planned uses it."""
    name = PurePosixPath(path).name
    clauses = [clause for clause in _CLAUSE.split(request) if name in clause]
    about = " ".join(" ".join(clauses).split()) or "the package: what its modules have, imported"
    kind, ending = type_of_path(path), PurePosixPath(path).suffix
    uses = [each.path for each in plan.files if each.file_type == "source"]
    uses = [each for each in uses if each.endswith(ending)] if kind in ("source", "test") else []
    if name == "__init__.py":
        uses = [each for each in uses if PurePosixPath(each).parent == PurePosixPath(path).parent]
    number = f"{len(plan.files) + 1:03}"
    return PlannedFile(path, kind, about[:MAX_TEXT], f"SU-{number}", f"COMP-{number}", tuple(uses))
