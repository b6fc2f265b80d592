"""Reading the API of a package: statically by griffe, or by introspection where it is imported."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from laios.launcher import command
from retrieval.sources.api_entry import Entry, clean
from retrieval.sources.api_reader import ModuleParser
from retrieval.sources.chunk import Ids, ParsedPart
from retrieval.sources.docstring_signatures import completed
from retrieval.sources.package_modules import Module, modules, public_modules
from retrieval.sources.source import Source
from retrieval.sources.worker_process import WorkerJob, WorkerMessage, run_workers

NOT_IMPORTED = (
    "it is compiled and has no stub; `laios docs add NAME --import` imports an installed package, "
    "which runs its code"
)

_INTROSPECT = Path(__file__).with_name("workers") / "introspect.py"


def read_modules(source: Source, names: Sequence[str], ids: Ids) -> Iterator[ParsedPart]:
    """One ParsedPart for each module. What is not or cannot be imported is read statically, as long
    as it is Python."""
    if not names:
        return
    found = {module.name: module for each in source.packages for module in modules(each)}
    if source.kind != "imported":
        compiled = {name for name in names if name in found and not found[name].is_python}
        yield from (ParsedPart(name, problems=[NOT_IMPORTED]) for name in sorted(compiled))
        names = [name for name in names if name not in compiled]
        yield from _parsed_parts(source, names, ids, _static(found))
        return
    failed: dict[str, WorkerMessage] = {}
    with tempfile.TemporaryDirectory(prefix="laios-docs-") as directory:
        job = _introspection(source, list(found.values()), Path(directory))
        yield from _parsed_parts(source, names, ids, job, failed)
    python = [name for name in failed if name in found and found[name].is_python]
    for parsed in _parsed_parts(source, python, ids, _static(found)):
        why = failed.pop(parsed.path).why
        parsed.problems.insert(0, f"not imported, read from its text: {why}")
        yield parsed
    for name, message in failed.items():
        yield ParsedPart(name, problems=[message.why], left=message.what == "left")


def _parsed_parts(
    source: Source,
    names: Sequence[str],
    ids: Ids,
    job: WorkerJob,
    failed: dict[str, WorkerMessage] | None = None,
) -> Iterator[ParsedPart]:
    """What the child processes report, a ParsedPart for each module. Modules that failed before
    they said anything, or were left, go into `failed`, where that is given."""
    classes: dict[str, str] = {}
    begun: dict[str, ModuleParser] = {}
    wanted = set(names)
    for message in run_workers(job, names):
        if message.what == "item":
            if message.part not in begun:
                qualified = source.folder is not None
                begun[message.part] = ModuleParser(message.part, ids, qualified=qualified)
            entry = _entry(message, begun[message.part].parsed, classes)
            if entry is not None and (entry.name == message.part or entry.name not in wanted):
                begun[message.part].add(entry)  # another module of the source tells of itself
        elif message.part in begun and message.what != "left":
            parsed = begun.pop(message.part).finish()
            parsed.problems += [message.why] if message.what == "failed" else []
            yield parsed
        elif failed is not None and message.what != "ended":
            failed[message.part] = message
        else:
            problems = [message.why] if message.why else []
            yield ParsedPart(message.part, problems=problems, left=message.what == "left")


def _entry(message: WorkerMessage, parsed: ParsedPart, classes: dict[str, str]) -> Entry | None:
    """The entry that was told, of the module itself or of what is in it; names of classes are kept
    for those that follow."""
    try:
        if "classes" in message.data:
            pairs = dict(message.data["classes"]).items()
            classes.update((clean(short, 500), clean(name, 500)) for short, name in pairs)
            return None
        entry = Entry.from_json(message.data.get("entry"))
    except (ValueError, TypeError):
        parsed.problems.append("something unreadable was told about it")
        return None
    if message.part not in (entry.name, entry.name.rpartition(".")[0]):
        return None
    completed(entry, classes)
    return entry


def _static(found: dict[str, Module]) -> WorkerJob:
    files = {name: [str(path) for path in module.files] for name, module in found.items()}

    def work(todo: list[str], broken: set[str]) -> dict[str, Any]:
        return {"files": files, "broken": sorted(broken), "todo": todo}

    return WorkerJob(command("retrieval.sources.workers.static_reader"), work)


def _introspection(source: Source, found: list[Module], directory: Path) -> WorkerJob:
    public = [module.name for module in public_modules(found)]
    roots = {str(package.root): None for package in source.packages if package.root}

    def work(todo: list[str], broken: set[str]) -> dict[str, Any]:
        return {
            "path": list(roots),
            "packages": [package.name for package in source.packages],
            "modules": [name for name in {*public, *todo} if name not in broken],
            "todo": todo,
        }

    words = (str(source.python), "-I", "-B", str(_INTROSPECT))
    return WorkerJob(words, work, directory, {"HOME": str(directory)}, runs_foreign_code=True)
