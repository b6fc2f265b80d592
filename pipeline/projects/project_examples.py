"""The request's examples, held against the files that define what they call."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from pipeline.projects.fault import Fault
from pipeline.projects.project import Project
from pipeline.projects.python_module import dotted_names, packages_of
from pipeline.projects.python_project import PythonProject
from pipeline.run import Run
from pipeline.sandbox import INTERPRETERS, Case, Limits, SandboxUnavailable, run_calls
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.suite import Suite


async def example_faults(run: Run, request: str, project: Project, round: int) -> list[Fault]:
    """Those of calls to a function in Python that one file alone defines."""
    suite = await asyncio.to_thread(find_examples, request)
    asked = await asyncio.to_thread(_asked, project, suite) if suite.cases else {}
    if not asked:
        return []
    found: list[Fault] = []
    with run.step("sandbox", "examples", round) as step:
        try:
            for path, cases in asked.items():
                found += await _faults(run, project, path, suite, cases)
        except SandboxUnavailable:
            step.note = "not run: there is no sandbox"
            return []
        total = sum(map(len, asked.values()))
        step.note = f"{total - len(found)} of {total} examples pass"
    return found


def _asked(project: Project, suite: Suite) -> dict[str, list[Case]]:
    """The examples by the file that defines what they call; those that name nothing call the only
    function that the request names. Empty where a file has the name of the one that makes the
    calls."""
    if INTERPRETERS["python"].file in project.texts:
        return {}
    requested = [name for file in project.manifest.files for name in file.requested]
    only = requested[0].partition("(")[0] if len(requested) == 1 else ""
    homes: dict[str, list[str]] = {}
    for path, module in PythonProject(project.texts).modules.items():
        importable = all(part.isidentifier() for part in path.removesuffix(".py").split("/"))
        if importable and project.manifest[path].file_type == "source":
            for name in module.functions:
                homes.setdefault(name, []).append(path)
    asked: dict[str, list[Case]] = {}
    for case in suite.cases:
        case = replace(case, function=case.function or suite.function or only)
        paths = homes.get(case.function, [])
        if len(paths) == 1 and case.stdin is None and not case.session:
            asked.setdefault(paths[0], []).append(case)
    return asked


async def _faults(
    run: Run, project: Project, path: str, suite: Suite, cases: Sequence[Case]
) -> list[Fault]:
    names = sorted({case.function for case in cases})
    program = _program(project.texts, path, names)
    limits, beside = Limits.of_calls(run.settings), project.texts
    results = await run_calls(program, cases, limits, beside=beside)
    wrong = [each for each in results if not each.passed and each.came != "unusable"]
    return [
        Fault(path, "example", f"the example {suite.described(each.case)} fails: {each.said}")
        for each in wrong
    ]


def _program(texts: Mapping[str, str], path: str, names: Sequence[str]) -> str:
    """Imports the names as the file's neighbours would: what is no package is on the path."""
    packages = packages_of(texts)
    folders = {str(PurePosixPath(name).parent) for name in texts} - packages
    module = dotted_names(path, packages)[-1]
    return f"import sys\nsys.path += {sorted(folders)!r}\nfrom {module} import {', '.join(names)}\n"
