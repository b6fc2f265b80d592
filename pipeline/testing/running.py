"""Evidence by running a draft: does it import, does it define what it should, do the request's
examples hold (EVIDENCE_RUN)."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

from pipeline.anchors import find_anchors
from pipeline.draft import Draft
from pipeline.evidence import Finding
from pipeline.run import Run
from pipeline.sandbox import SandboxUnavailable
from pipeline.task import Task
from pipeline.testing.attempt import Attempt, Return, Source
from pipeline.testing.literals import Arguments
from pipeline.testing.testcase import ANY_VALUE, Case, Suite
from pipeline.testing.trial import Trial, classes, require_sandbox

Examine = Callable[[Draft, Source], Awaitable[tuple[Draft, str]]]
"""Runs a stage's draft: gives it back with what was found, and the facts for a judge."""

# What a good program may raise where there are no packages, network, terminal and files.
_SURROUNDINGS = {"ImportError", "OSError", "EOFError", "SystemExit"}
_IMPORT = Case("import", Arguments(), ANY_VALUE, function="__dir__")  # gives the module's names


async def evidence_by_running(run: Run, task: Task) -> Examine:
    """How this run's Python drafts are examined: not at all, where EVIDENCE_RUN is off or there is
    no sandbox."""
    if not run.settings.EVIDENCE_RUN:
        return _unexamined
    try:
        await require_sandbox(run.settings)
    except SandboxUnavailable:
        return _unexamined
    trial = Trial(run, find_anchors(task.prompt))

    async def examine(draft: Draft, source: Source) -> tuple[Draft, str]:
        if draft.fault or draft.language != "python":
            return draft, ""
        suite = trial.suite
        cases = suite.cases if suite.program else (_IMPORT, *suite.cases)
        tried = await trial.attempt(Attempt(draft, source), label="evidence", cases=cases)
        back = tried.returns.get(_IMPORT.name)
        if back and _says_nothing(back):
            return draft, ""
        findings = [*_of_import(draft, source, suite, back), *tried.findings(suite)]
        run.add_evidence(findings)
        known = tried.facts(suite) if suite.cases else ""
        return replace(draft, findings=tuple(findings)), known

    return examine


async def _unexamined(draft: Draft, source: Source) -> tuple[Draft, str]:
    return draft, ""


def _says_nothing(back: Return) -> bool:
    """An import that never ends or misses what the sandbox does not have is no fault of a draft."""
    if back.came == "unusable":
        return bool(_SURROUNDINGS & set(classes(back.error.partition(":")[0])))
    return back.came != "returned"


def _of_import(draft: Draft, source: Source, suite: Suite, back: Return | None) -> list[Finding]:
    if back is None:
        return []
    if back.came == "unusable":
        return [Finding(source, "import", f"it does not import: {back.error}")]
    name = suite.function
    if name and not re.search(rf"\b{re.escape(name)}\b", draft.text):
        return [Finding(source, "import", f"it does not define {name}")]
    return []
