"""Revise a project's files with what was found wrong with them, or draw them anew."""

import asyncio

from pipeline.projects.construction import Construction
from pipeline.projects.fault import fault_lines, serious
from pipeline.projects.inspection import Inspected, Inspection
from pipeline.projects.project import Project
from pipeline.projects.skipped_tests import fails_twice, most_hold, with_skipped
from pipeline.review.escalation import reviews_in_vain
from pipeline.run import Run

REVISIONS = 2  # rounds in which files get what was found wrong with them


async def revised(writer: Construction, inspection: Inspection, seen: Inspected) -> Inspected:
    """The project after at most two rounds; the best that there was, the earlier of equals. What a
    model did not put right when it was shown is drawn anew."""
    best, anew = seen, False
    for round in range(2, 2 + REVISIONS):
        faults = serious(best.faults) if anew else best.faults  # a remark is not worth a new file
        if not faults:
            break
        if anew:
            paths = fault_lines(faults, best.project.texts)
            project = await writer.draw(best.project, paths, round)
        else:
            project = await writer.revise(best.project, faults, round)
        tried = await _tried(inspection, project, best, round)
        best, anew = (tried, False) if tried else (best, True)
    return best


async def drawn_anew(
    run: Run, writer: Construction, inspection: Inspection, seen: Inspected
) -> Inspected:
    """The same for a small model, which repeats what it is shown: files with faults are drawn anew,
    as often as drafts are. Where tests alone fail, nobody knows what is wrong. If most hold, what
    they test is drawn, and a test that fails with two drafts of it is skipped; else the tests are
    drawn first, then what they test, and so on: a project whose tests hold is seldom wrong."""
    best = seen
    for round in range(2, 1 + run.settings.MAX_DRAFTS):
        faults = serious(best.faults)
        if not faults:
            break
        paths = tuple(fault_lines(faults, best.project.texts))
        if round % 2 == 0 and not most_hold(best) and all(each.kind == "test" for each in faults):
            paths = tuple(dict.fromkeys(fault.test for fault in faults))
        project = await writer.draw(best.project, paths, round)
        best = await _better(run, inspection, project, best, round)
    return best


async def _better(
    run: Run, inspection: Inspection, project: Project, best: Inspected, round: int
) -> Inspected:
    """The better one of the two drafts, without the tests that fail with both where no reviewer is
    to look at them."""
    if project.texts == best.project.texts:
        return best
    tried = await inspection.look(f"revised {round - 1}", project, best)
    better, worse = (tried, best) if _rank(tried) < _rank(best) else (best, tried)
    fails = await asyncio.to_thread(fails_twice, better, worse)
    if not fails or not reviews_in_vain(run):
        return better
    project = await asyncio.to_thread(with_skipped, better.project, fails)
    if project is better.project:
        return better
    skipped = await inspection.look("tests skipped", project, better)
    return better if serious(skipped.faults) else skipped


def _rank(seen: Inspected) -> tuple[int, ...]:
    """Smaller is better: its score, and of equals the one of which more tests hold."""
    return *seen.score, -seen.tests.passed if seen.tests else 0


async def _tried(
    inspection: Inspection, project: Project, best: Inspected, round: int
) -> Inspected | None:
    """What became of the project, where that is better."""
    if project.texts == best.project.texts:
        return None
    tried = await inspection.look(f"revised {round - 1}", project, best)
    return tried if tried.score < best.score else None
