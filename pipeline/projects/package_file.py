"""The `__init__.py` of a package, written by a rule: what its modules have, imported. Pure."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from pipeline.projects.manifest import PlannedFile
from pipeline.projects.python_module import PythonModule, read_python


def package_text(plan: PlannedFile, texts: Mapping[str, str]) -> str | None:
    """Imports of the names that the plan has it export, else of the functions and classes of the
    modules beside it that it uses. None where that is not all that it is: a module does not parse,
    or a name is in none of them or in two."""
    folder = PurePosixPath(plan.path).parent
    beside = [path for path in plan.depends_on if PurePosixPath(path).parent == folder]
    modules = [read_python(texts.get(path, "\0"), path) for path in beside]
    homes: dict[str, str] = {}
    for module in modules:
        if module is None:
            return None
        for name in _offered(module):
            if homes.setdefault(name, module.path) != module.path:
                return None
    wanted = plan.promised or set(homes)
    if not wanted or wanted - set(homes):
        return None
    lines = []
    for path in beside:
        names = sorted(name for name in wanted if homes[name] == path)
        if names:
            lines.append(f"from .{PurePosixPath(path).stem} import {', '.join(names)}\n")
    return f"{''.join(lines)}\n__all__ = {sorted(wanted)!r}\n".replace("'", '"')


def _offered(module: PythonModule) -> Iterator[str]:
    for name in (*module.functions, *module.classes):
        if not name.startswith("_") and name != "main":
            yield name
