"""Imports between a project's own files that were forgotten, put in. Pure.

Only where there is one thing that the name can mean: nothing in the file defines it, and one other
file has a function, class or constant of that name.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from pipeline.analysis.missing_imports import with_import_lines
from pipeline.analysis.undefined_names import undefined_names
from pipeline.projects.python_module import PythonModule, dotted_names, packages_of, read_python


def own_imports(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """The import lines that files lack, by their paths."""
    modules = {
        path: module
        for path, text in texts.items()
        if path.endswith(".py") and (module := read_python(text, path))
    }
    packages = packages_of(modules)
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path, module in modules.items():
        for name in module.names - {each.local for each in module.imports}:
            homes[name].append(path)
    found: dict[str, list[str]] = {}
    for path in modules:
        own = set(dotted_names(path, packages))
        later = {path} | {home for home, module in modules.items() if _uses(module, own)}
        for name in undefined_names(texts[path]):
            if len(homes[name]) == 1 and homes[name][0] not in later:
                line = f"from {_module_name(homes[name][0], path, packages)} import {name}"
                found.setdefault(path, []).append(line)
    return found


def with_own_imports(
    texts: Mapping[str, str], lines: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """The files that lack these lines, with them."""
    return {path: with_import_lines(texts[path], sorted(lines[path])) for path in lines}


def _uses(module: PythonModule, names: set[str]) -> bool:
    """Whether it imports the file of these names: two that import each other may fail."""
    return any(
        each.level or each.module in names or f"{each.module}.{each.name}" in names
        for each in module.imports
    )


def _module_name(home: str, importer: str, packages: set[str]) -> str:
    """As files beside each other name themselves, else from the project's root."""
    names = dotted_names(home, packages)
    beside = PurePosixPath(home).parent == PurePosixPath(importer).parent
    return names[-1] if beside else names[0]
