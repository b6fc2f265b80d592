"""Check without a model whether a project's files fit together. Pure."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from pipeline.projects.dependencies import declared, is_tool
from pipeline.projects.ecmascript_checks import ScriptProject
from pipeline.projects.entry_points import start_faults
from pipeline.projects.fault import Fault
from pipeline.projects.file_content import syntax_error
from pipeline.projects.import_cycles import cycle_faults
from pipeline.projects.lint import lint_faults
from pipeline.projects.project import Project
from pipeline.projects.python_calls import call_faults
from pipeline.projects.python_project import PythonProject
from pipeline.projects.requested_names import unkept_names


def check(project: Project) -> list[Fault]:
    """What is wrong with the files that are there: syntax, imports and the names that they take,
    cycles, calls across files, names that the request has, programs that do nothing, packages that
    are declared and not used, a linter's word."""
    packages = declared(project.texts, project.manifest.dependencies)
    everything = _with_places(project)
    python, script = PythonProject(everything), ScriptProject(everything)
    used = python.used_packages(packages) | script.used_packages()
    return [
        *(
            Fault(path, "syntax", error)
            for path, text in project.texts.items()
            if (error := syntax_error(text, path))
        ),
        *_fit_faults(project, packages, python, script),
        *_unused_packages(project, packages - used),
    ]


def _fit_faults(
    project: Project, packages: set[str], python: PythonProject, script: ScriptProject
) -> Iterator[Fault]:
    promised = {file.path: file.promised for file in project.manifest.files}
    programs = [path for path in project.manifest.programs if path in python.modules]
    looks: list[Callable[[], Iterable[Fault]]] = [
        lambda: python.import_faults(packages, promised),
        lambda: script.import_faults(packages, promised),
        lambda: cycle_faults({**python.edges(), **script.edges()}),
        lambda: call_faults(python),
        script.call_faults,
        lambda: unkept_names(project.manifest, python.modules),
        lambda: start_faults(python.modules[path] for path in programs),
        *(partial(lint_faults, path, each.tree) for path, each in python.modules.items()),
    ]
    found = [fault for look in looks for fault in _as_far_as_it_goes(look)]
    yield from (fault for fault in dict.fromkeys(found) if fault.path in project.texts)


def _as_far_as_it_goes(look: Callable[[], Iterable[Fault]]) -> Iterator[Fault]:
    """Expressions can be nested deeper than can be looked into: of those nothing is said."""
    with suppress(RecursionError):
        yield from look()


def _with_places(project: Project) -> dict[str, str]:
    """The texts, with a text that nobody can read in the place of each file that is missing: an
    import of it is no fault of the one who imports."""
    missing = dict.fromkeys(project.failed, _UNREADABLE)
    return {**project.texts, **missing}


_UNREADABLE = "\0("


def _unused_packages(project: Project, packages: set[str]) -> Iterator[Fault]:
    """Of those that no file imports: one counts as used where the plan or a file that is no source
    names it as a command."""
    said = [
        text
        for path, text in project.texts.items()
        if project.manifest[path].file_type in ("config", "documentation") and not _declares(path)
    ]
    elsewhere = " ".join([project.manifest.setup_instructions, *said]).lower()
    cause = next(filter(_declares, project.texts), "")
    for package in sorted(packages):
        if not is_tool(package) and package not in elsewhere:
            detail = f"the declared dependency {package} is not used"
            yield Fault(cause, "dependency", detail, serious=False)


def _declares(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in ("pyproject.toml", "package.json") or name.startswith("requirements")
