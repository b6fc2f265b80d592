"""Which file waits for which others. Pure."""

from collections.abc import Mapping
from functools import cache

from pipeline.projects.entry_points import is_called_one
from pipeline.projects.manifest import Manifest, PlannedFile

_LAST = {"test": 1, "documentation": 2}


def waits_for(manifest: Manifest) -> dict[str, tuple[str, ...]]:
    """For each path those that are written before it, without any cycle: of the uses that would
    close one, the one that the plan names last is left out.

    Tests and documents that name nothing that they use are written after the sources.
    """
    graph: dict[str, tuple[str, ...]] = dict.fromkeys(manifest.paths, ())
    for file in manifest.files:
        for use in _uses(manifest, file):
            if not _reaches(graph, use, file.path):
                graph[file.path] = (*graph[file.path], use)
    return graph


def in_turn(manifest: Manifest) -> tuple[str, ...]:
    """The paths in an order in which each file comes after what it uses: modules before programs,
    then tests, then documents."""
    waits = waits_for(manifest)

    @cache
    def depth(path: str) -> int:
        return max((1 + depth(use) for use in waits[path]), default=0)

    def place(file: PlannedFile) -> tuple[int, bool, int]:
        last = _LAST.get(file.file_type, 0)
        program = file.path in manifest.programs or is_called_one(file.path)
        return last, program, depth(file.path)

    return tuple(file.path for file in sorted(manifest.files, key=place))


def _uses(manifest: Manifest, file: PlannedFile) -> tuple[str, ...]:
    if file.depends_on or file.file_type not in ("test", "documentation"):
        return file.depends_on
    return tuple(each.path for each in manifest.files if each.file_type == "source")


def _reaches(graph: Mapping[str, tuple[str, ...]], start: str, goal: str) -> bool:
    open_paths, seen = [start], {start}
    while open_paths:
        path = open_paths.pop()
        if path == goal:
            return True
        fresh = set(graph[path]) - seen
        seen |= fresh
        open_paths += fresh
    return False
