"""Compare a small model's second draft of the functions that the request names with the first.

What it misread, its own tests misread as well; drafts differ there (docs/studies/projects.md). As
for single programs: two drafts, and where they differ a third."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.analysis.draft import Draft
from pipeline.errors import ContextTooLong, ModelError, SandboxUnavailable
from pipeline.projects.construction import Construction
from pipeline.projects.fault import serious
from pipeline.projects.inspection import Inspected
from pipeline.projects.project import Project
from pipeline.projects.project_runner import python_needs
from pipeline.projects.python_project import PythonProject
from pipeline.review.agreement import Agreement, compare
from pipeline.review.call_writer import find_calls
from pipeline.review.draft_evidence import may_run
from pipeline.run import Run
from pipeline.sandbox import Case
from pipeline.task import Task
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.entry_point import function_of

_MOST_FILES, _MOST_FUNCTIONS = 3, 6
_DRAFTS = 3  # with the one that is there


async def differences(
    run: Run, task: Task, writer: Construction, seen: Inspected
) -> dict[str, list[dict[str, Any]]]:
    """By the file's path, calls of which not the same comes in most drafts, as a record has them;
    {} where the settings, a fault, the sandbox or the time that is left do not allow it."""
    settings = run.settings
    wanted = settings.COMPARE_DRAFTS == "auto" and settings.MAX_DRAFTS > 1
    if not wanted or serious(seen.faults) or seen.project.failed or not await may_run(run):
        return {}
    asked = await asyncio.to_thread(_functions, seen.project, settings.SANDBOX_VENV)
    found: dict[str, list[dict[str, Any]]] = {}
    for path, names in asked.items():
        try:
            rows = await _of_file(run, task, writer, seen.project, path, names)
        except (ModelError, ContextTooLong, SandboxUnavailable):
            break
        found |= {path: rows} if rows else {}
    return found


def _functions(project: Project, venv: Path | None) -> dict[str, list[str]]:
    """The functions that the request names, by the file that defines them, where it needs nothing
    that is not in it, and chance decides nothing."""
    if python_needs(project, venv):
        return {}
    uses, found = PythonProject(project.texts).edges(), dict[str, list[str]]()
    for file in project.manifest.files:
        text = project.texts.get(file.path, "")
        alone = not uses.get(file.path) and not depends_on_chance(text)
        names = [name.partition("(")[0] for name in file.requested]
        defined = [name for name in names if alone and function_of(text, name)]
        found |= {file.path: defined[:_MOST_FUNCTIONS]} if defined else {}
    return dict([*found.items()][:_MOST_FILES])


async def _of_file(
    run: Run, task: Task, writer: Construction, project: Project, path: str, names: Sequence[str]
) -> list[dict[str, Any]]:
    texts, rows = [project.texts[path]], list[dict[str, Any]]()
    calls: dict[str, tuple[Case, ...]] = {}
    # No more than as long again as the run has taken.
    while len(texts) < _DRAFTS and run.left_s * 1000 > run.elapsed_ms:
        round = run.settings.MAX_DRAFTS + len(texts)
        drawn = (await writer.draw(project, [path], round)).texts[path]
        if drawn == texts[0]:  # or there is no other one: the file stays as it is then
            break
        texts.append(drawn)
        for name in names:
            if name not in calls:
                calls[name] = await find_calls(run, task, [_draft(texts[0])], name)
        rows = await _differing(run, texts, calls)
        if not rows:
            break
    return rows


def _draft(text: str) -> Draft:
    return Draft(text, "python", ())


async def _differing(
    run: Run, texts: Sequence[str], calls: Mapping[str, Sequence[Case]]
) -> list[dict[str, Any]]:
    drafts = dict(enumerate(map(_draft, texts)))
    rows: list[dict[str, Any]] = []
    for name, of_function in calls.items():
        if of_function:
            rows += _against_most(await compare(run, drafts, of_function, name))
    return rows


def _against_most(agreement: Agreement) -> list[dict[str, Any]]:
    """What the drafts differ in, where the first one is not among most of them."""
    agrees = agreement.decides and 0 in agreement.largest
    return [] if agrees else agreement.seen_from(0)
