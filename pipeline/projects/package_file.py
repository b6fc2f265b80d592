"""The `__init__.py` of a package, written by a rule: what its modules have, imported. Pure."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from pipeline.projects.manifest import PlannedFile
from pipeline.projects.plan_completion import PACKAGE
from pipeline.projects.python_module import PythonModule, read_python


def package_text(plan: PlannedFile, texts: Mapping[str, str]) -> str | None:
    """Imports of the names that the plan has it export or, of a file that is for nothing else, of
    the functions and classes of the modules that it uses. None where more may be wanted: a module
    is elsewhere or does not parse, or a name is in none of them or in two."""
    folder, beside = PurePosixPath(plan.path).parent, plan.depends_on
    if any(PurePosixPath(path).parent != folder for path in beside):
        return None
    if not plan.exports and plan.description != PACKAGE:
        return None
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
    for name in module.definitions:
        if not name.startswith("_") and name != "main":
            yield name
