"""Runs in a process of its own, with our Python: reads a package's source, and imports nothing.

Its argument is the descriptor FD of its report. On stdin stands `{"files", "broken", "todo"}`: the
files of all of the source's modules, those that break us, and the modules to tell about. The lines
on FD are those of retrieval/sources/worker_process.py; an item is `{"part", "entry"}`."""

import logging
from contextlib import suppress
from pathlib import Path

import griffe

from retrieval.sources.workers.class_attributes import Classes
from retrieval.sources.workers.package_entries import Package
from retrieval.sources.workers.worker_report import Report, work_of

MAX_FILE = 5_000_000  # bytes

_DYNAMIC = ("globals()[", "globals().", "sys.modules[", "exec(")


def main() -> None:
    work, report = work_of()
    logging.disable(logging.CRITICAL)
    loader = griffe.GriffeLoader(extensions=griffe.load_extensions(Classes()))
    modules: dict[str, griffe.Module] = {}
    for name, files in work["files"].items():
        if name not in work["broken"]:
            report.tell(at=name)
            try:
                _load(name, [Path(file) for file in files], loader, modules)
            except Exception as error:
                report.failed(name, error)
    _finish(loader, report)
    package = Package(modules)
    for name in work["todo"]:
        if name in modules:
            report.tell(at=name)
            for entry in package.entries(name):
                report.tell(part=name, entry=entry)
            report.tell(ended=name)
        else:
            report.failed(name, FileNotFoundError("it has no Python file"))
    report.close()


def _load(
    name: str, files: list[Path], loader: griffe.GriffeLoader, modules: dict[str, griffe.Module]
) -> None:
    """Reads a module's source and stub, and hangs it below its parent."""
    above, _, short = name.rpartition(".")
    parent = _parent(above, files[0].parent, loader, modules) if above else None
    found: griffe.Module | None = None
    for file in (file for file in files if file.suffix in (".py", ".pyi")):
        module = _visited(short, file, parent, loader)
        found = griffe.merge_stubs(found, module) if found else module
    if found is None:
        return  # an extension module without a stub
    holder = loader.modules_collection if parent is None else parent
    holder.set_member(short, found)
    modules[name] = found


def _visited(
    name: str, file: Path, parent: griffe.Module | None, loader: griffe.GriffeLoader
) -> griffe.Module:
    if file.stat().st_size > MAX_FILE:
        raise ValueError(f"the file is larger than {MAX_FILE // 1_000_000} MB")
    code = file.read_text("utf-8-sig", errors="replace")
    module = griffe.visit(
        name,
        filepath=file,
        code=code,
        parent=parent,
        extensions=loader.extensions,
        lines_collection=loader.lines_collection,
        modules_collection=loader.modules_collection,
    )
    module.extra["laios"]["is_dynamic"] = any(word in code for word in _DYNAMIC)
    return module


def _parent(
    name: str, directory: Path, loader: griffe.GriffeLoader, modules: dict[str, griffe.Module]
) -> griffe.Module:
    """The module above; an empty one where it has no file (a namespace) or could not be read."""
    if name in modules:
        return modules[name]
    above, _, short = name.rpartition(".")
    parent = _parent(above, directory.parent, loader, modules) if above else None
    module = griffe.Module(
        short,
        filepath=[directory],
        parent=parent,
        modules_collection=loader.modules_collection,
        lines_collection=loader.lines_collection,
    )
    holder = loader.modules_collection if parent is None else parent
    holder.set_member(short, module)
    modules[name] = module
    return module


def _finish(loader: griffe.GriffeLoader, report: Report) -> None:
    """`__all__`, star imports, dataclasses, and what imported names stand for."""
    for top in list(loader.modules_collection.members.values()):
        report.tell(at=top.path)
        # What fails with one odd module leaves the others as good as before.
        with suppress(Exception):
            loader.expand_exports(top)
        with suppress(Exception):
            loader.expand_wildcards(top, external=False)
        with suppress(Exception):
            loader.extensions.call("on_package", pkg=top, loader=loader)
    loader.resolve_aliases(implicit=True, external=False)
