"""Modules of packages → readings: static by griffe, or by introspection where they are compiled."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from documents.chunk import Reading
from documents.sources.api import ModuleReading
from documents.sources.child import Task, Told, tell_all
from documents.sources.entry import Entry, clean
from documents.sources.ids import Ids
from documents.sources.modules import Module, modules, public_modules
from documents.sources.signatures import completed
from documents.sources.source import Source

_INTROSPECT = Path(__file__).with_name("inside") / "introspect.py"


def read_modules(source: Source, names: Sequence[str], ids: Ids) -> Iterator[Reading]:
    """A reading for each of the modules. What cannot be imported is read statically, as long as it
    is Python."""
    if not names:
        return
    found = {module.name: module for each in source.packages for module in modules(each)}
    if source.kind != "compiled":
        yield from _readings(source, names, ids, _static(found))
        return
    failed: dict[str, Told] = {}
    with tempfile.TemporaryDirectory(prefix="laios-docs-") as directory:
        task = _introspection(source, list(found.values()), Path(directory))
        yield from _readings(source, names, ids, task, failed)
    python = [name for name in failed if name in found and found[name].is_python]
    for reading in _readings(source, python, ids, _static(found)):
        reading.notes.insert(0, f"not imported, read from its text: {failed.pop(reading.path).why}")
        yield reading
    for name, told in failed.items():
        yield Reading(name, notes=[told.why], left=told.what == "left")


def _readings(
    source: Source,
    names: Sequence[str],
    ids: Ids,
    task: Task,
    failed: dict[str, Told] | None = None,
) -> Iterator[Reading]:
    """What children tell, as readings. Modules that failed before they said anything, or were left,
    go into `failed`, where that is given."""
    classes: dict[str, str] = {}
    begun: dict[str, ModuleReading] = {}
    wanted = set(names)
    for told in tell_all(task, names):
        if told.what == "item":
            if told.part not in begun:
                qualified = source.folder is not None
                begun[told.part] = ModuleReading(told.part, source.name, ids, qualified=qualified)
            entry = _entry(told, begun[told.part].reading, classes)
            if entry is not None and (entry.name == told.part or entry.name not in wanted):
                begun[told.part].add(entry)  # another module of the source tells of itself
        elif told.part in begun and told.what != "left":
            reading = begun.pop(told.part).finish()
            reading.notes += [told.why] if told.what == "failed" else []
            yield reading
        elif failed is not None and told.what != "ended":
            failed[told.part] = told
        else:
            notes = [told.why] if told.why else []
            yield Reading(told.part, notes=notes, left=told.what == "left")


def _entry(told: Told, reading: Reading, classes: dict[str, str]) -> Entry | None:
    """The entry that was told, of the module itself or of what is in it; names of classes are kept
    for those that follow."""
    try:
        if "classes" in told.data:
            pairs = dict(told.data["classes"]).items()
            classes.update((clean(short, 500), clean(name, 500)) for short, name in pairs)
            return None
        entry = Entry.from_json(told.data.get("entry"))
    except (ValueError, TypeError):
        reading.notes.append("something unreadable was told about it")
        return None
    if told.part not in (entry.name, entry.name.rpartition(".")[0]):
        return None
    completed(entry, classes)
    return entry


def _static(found: dict[str, Module]) -> Task:
    files = {name: [str(path) for path in module.files] for name, module in found.items()}

    def work(todo: list[str], broken: set[str]) -> dict[str, Any]:
        return {"files": files, "broken": sorted(broken), "todo": todo}

    return Task((sys.executable, "-P", "-B", "-m", "documents.sources.inside.static"), work)


def _introspection(source: Source, found: list[Module], directory: Path) -> Task:
    public = [module.name for module in public_modules(found)]
    roots = {str(package.root): None for package in source.packages if package.root}

    def work(todo: list[str], broken: set[str]) -> dict[str, Any]:
        return {
            "path": list(roots),
            "packages": [package.name for package in source.packages],
            "modules": [name for name in {*public, *todo} if name not in broken],
            "todo": todo,
        }

    command = (str(source.python), "-I", "-B", str(_INTROSPECT))
    return Task(command, work, directory, {"HOME": str(directory)})
