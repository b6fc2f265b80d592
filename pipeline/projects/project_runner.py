"""Running a project's own tests in the sandbox, where they need nothing that is not there."""

import asyncio
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pipeline import sandbox
from pipeline.projects.dependencies import is_standard
from pipeline.projects.ecmascript_checks import ScriptProject
from pipeline.projects.fault import Fault
from pipeline.projects.project import Project
from pipeline.projects.python_module import packages_of
from pipeline.projects.python_project import PythonProject
from pipeline.run import Run
from pipeline.sandbox import Limits, Outcome, SandboxUnavailable, modules_in
from pipeline.sandbox.test_files import ReportedTest, run_test_files
from pipeline.testcases.script_tests import NOT_HERE, raised
from pipeline.testcases.tap import read_tap

_SCRIPTS = (".js", ".mjs", ".cjs")
WALL_FACTOR = 3  # all tests of a project together, against one program
MOST_FAULTS = 10


@dataclass(frozen=True, slots=True)
class ProjectTests:
    """What came of the tests. Not `run`: `reason` says why not, or why some were not."""

    run: bool
    reason: str = ""
    passed: int = 0
    total: int = 0
    faults: tuple[Fault, ...] = ()

    def as_json(self) -> dict[str, Any]:
        value = asdict(self)
        del value["faults"]
        return value


async def run_tests(run: Run, project: Project, round: int) -> ProjectTests:
    """Runs the tests that are written in Python and JavaScript, as one step of the record. Never
    raises for what they do: a test that fails is a fault of the file that it is about."""
    python, scripts = _tests(project, (".py",)), _tests(project, _SCRIPTS)
    if not (python or scripts):
        return ProjectTests(False, "there are no tests in Python or JavaScript")
    venv = run.settings.SANDBOX_VENV
    lacks_python = await asyncio.to_thread(python_needs, project, venv) if python else ""
    lacks_scripts = await asyncio.to_thread(_scripts_need, project) if scripts else ""
    python, scripts = [] if lacks_python else python, [] if lacks_scripts else scripts
    reasons = "; ".join(filter(None, (lacks_python, lacks_scripts)))
    if not (python or scripts):
        return ProjectTests(False, reasons)
    with run.step("sandbox", "project tests", round) as step:
        try:
            rows = await _python_rows(run, project, python) if python else []
            for file in scripts:
                found, lacks = await _script_rows(run, project, file)
                rows += found
                reasons = "; ".join(filter(None, (reasons, lacks)))
        except SandboxUnavailable as error:
            step.note = "not run: there is no sandbox"
            return ProjectTests(False, error.message)
        if not rows and reasons:
            step.note = "not run: they need something that is not available here"
            return ProjectTests(False, reasons)
        report = await asyncio.to_thread(_report, project, rows, reasons)
        step.note = f"{report.passed} of {report.total} tests pass"
    return report


def _tests(project: Project, endings: tuple[str, ...]) -> list[str]:
    return [
        path
        for path in project.texts
        if project.manifest[path].file_type == "test"
        and path.endswith(endings)
        and not path.endswith(("/__init__.py", "conftest.py"))
    ]


# --- Python ------------------------------------------------------------------------------------


def python_needs(project: Project, venv: Path | None) -> str:
    """What the files in Python import that neither the sandbox nor its virtual environment has; ""
    for nothing. As much of pytest as tests use is there for them."""
    modules = PythonProject(project.texts)
    foreign = {
        name
        for path, module in modules.modules.items()
        for each in module.imports
        if each.early and not each.guarded and not each.level
        if not modules.is_ours(each.module) and not is_standard(each.module)
        if (name := each.module.partition(".")[0]) != "pytest" or not _is_of_tests(project, path)
    }
    return _missing(foreign - modules_in(venv) if foreign else foreign)


def _is_of_tests(project: Project, path: str) -> bool:
    is_test = project.manifest[path].file_type == "test"
    return is_test or PurePosixPath(path).name == "conftest.py"


def _missing(packages: set[str]) -> str:
    shown = ", ".join(sorted(packages))
    return f"they need {shown}, which the sandbox does not have" if packages else ""


async def _python_rows(run: Run, project: Project, tests: list[str]) -> list[ReportedTest]:
    places = {str(PurePosixPath(path).parent) for path in tests} | {"src"}
    beside = sorted(places - packages_of(project.texts) - {"."})
    rows, outcome = await run_test_files(project.texts, tests, _limits(run), directories=beside)
    return finished(rows, outcome, tests[0])


def finished(rows: Sequence[ReportedTest], outcome: Outcome, file: str) -> list[ReportedTest]:
    """The report, with what began and did not end as broken; so is `file` where the tests did not
    end well. The program may have written the report. Pure."""
    said = outcome.last_words or outcome.ended
    read = [_unfinished(said, row.file) if row.status == "unfinished" else row for row in rows]
    ended_well = outcome.exit == 0 or any(row.status == "broken" for row in read)
    return read if read and ended_well else [*read, _unfinished(said, file)]


def _limits(run: Run) -> Limits:
    limits = Limits.of(run.settings)
    return replace(limits, wall_s=limits.wall_s * WALL_FACTOR)


def _unfinished(said: str, file: str) -> ReportedTest:
    return ReportedTest("run", file, "broken", f"they did not finish: {said}")


# --- JavaScript --------------------------------------------------------------------------------


def _scripts_need(project: Project) -> str:
    return _missing(ScriptProject(project.texts).used_packages())


async def _script_rows(run: Run, project: Project, file: str) -> tuple[list[ReportedTest], str]:
    """And what the file needs that is not here, "" for nothing."""
    outcome = await sandbox.run(
        dict(project.texts), ["node", "--test-reporter=tap", file], _limits(run)
    )
    rows = read_tap(outcome.stdout, file)
    failed = any(row.status == "failed" for row in rows)
    ended_well = outcome.ended == "exited" and (outcome.exit == 0 or failed)
    missing = None if ended_well else NOT_HERE.search(outcome.stderr)
    if missing and not re.search(r"'[./]", missing[0]):  # no file of the project's
        return [], f"{file} could not be run here: {missing[0]}"
    text = project.texts[file]
    if ended_well and not rows and "assert" in text and "node:test" not in text:
        return [ReportedTest("run", file, "passed")], ""  # a plain script that ran to its end
    said = raised(outcome) or outcome.last_words or outcome.ended
    return (rows if ended_well else [*rows, _unfinished(said, file)]), ""


# --- what it comes to --------------------------------------------------------------------------


def _report(project: Project, rows: list[ReportedTest], reason: str) -> ProjectTests:
    sources = {path for path in project.texts if project.manifest[path].file_type != "test"}
    uses = PythonProject(project.texts).edges()
    counted = [row for row in rows if row.status != "skipped" or _is_from_source(row, sources)]
    faults = [_fault(row, project, sources, uses) for row in counted if row.status != "passed"]
    if not counted:
        said = (reason, *(row.error for row in rows[:1]))
        reason = "; ".join(filter(None, said)) or "no test was run"
    passed = len(counted) - len(faults)
    return ProjectTests(True, reason, passed, len(counted), tuple(faults[:MOST_FAULTS]))


def _is_from_source(row: ReportedTest, sources: Set[str]) -> bool:
    """Whether what was raised passed through a file that is no test: only tests skip themselves."""
    return any(name in sources for name, _ in row.frames)


def _fault(
    row: ReportedTest, project: Project, sources: Set[str], uses: Mapping[str, Set[str]]
) -> Fault:
    """A test that fails is a fault of the innermost file of the project, that is no test, on the
    way to what was raised; else of what the test imports, or uses by the plan; else of the test
    itself."""
    frames = [(name, line) for name, line in row.frames if name in sources]
    detail = f"the test {row.test} fails: {row.error}"
    if frames:
        return Fault(frames[-1][0], "test", detail, frames[-1][1], test=row.file, case=row.test)
    if row.status == "failed":
        planned = project.manifest[row.file].depends_on
        used = sources & uses.get(row.file, set()) or sources & set(planned)
        if used:
            first = min(used, key=project.manifest.paths.index)
            return Fault(first, "test", detail, test=row.file, case=row.test)
    line = next((line for name, line in reversed(row.frames) if name == row.file), None)
    return Fault(row.file, "test", detail, line, test=row.file, case=row.test)
