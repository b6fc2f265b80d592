"""The flow of `///files`: a plan, every file by itself, then checked together."""

from collections.abc import Mapping, Sequence

from laios.git_patch import write_patch
from pipeline.analysis.evidence import Finding
from pipeline.errors import ContextTooLong, ModelError, ModelFailed
from pipeline.projects.construction import Construction
from pipeline.projects.fault import fault_lines, serious
from pipeline.projects.inspection import Inspected, Inspection
from pipeline.projects.project import Project
from pipeline.projects.project_journal import ProjectJournal
from pipeline.projects.project_json import write_json
from pipeline.projects.project_markdown import write_markdown
from pipeline.projects.project_planner import plan_project
from pipeline.projects.registration import JSON, MARKDOWN
from pipeline.projects.revision import drawn_anew, revised
from pipeline.projects.second_drafts import differences
from pipeline.review.escalation import is_own_judge, reviews_in_vain
from pipeline.review.judge import judge_draft, rated_lower
from pipeline.review.verdict import Verdict
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.task import Result, Task

_KINDS = ("syntax", "import", "test", "example")  # those that a record has as well


async def code_files(run: Run, task: Task) -> Result:
    plan, level = await plan_project(run, task)
    journal = ProjectJournal(run, plan, level)
    writer = Construction(run, task, plan)
    inspection = Inspection(run, task.prompt, journal)
    draft = await _written(run, writer, inspection, journal)
    small = is_small(run.model_name("coder"))
    if small:
        draft = await drawn_anew(run, writer, inspection, draft)
    else:
        draft = await revised(writer, inspection, draft)
    open_calls = await differences(run, task, writer, draft) if small else {}
    run.keep(coder_output=_shown(draft, task.format))
    run.add_evidence(_evidence("coder", draft))
    whole = _whole(run, draft.project)
    judged = _is_to_be_judged(run, draft)
    verdict = await judge_draft(run, task, whole, draft.facts, in_words=True) if judged else None
    reason = _escalation(run, draft, verdict, len(open_calls))
    final = draft
    if reason:
        run.keep(escalated=True, escalation_reason=reason)
        final = await _reviewed(run, task, writer, inspection, draft, verdict)
    if final is draft:
        run.keep(final_source="coder")
    artefact = journal.artefact(final.project, final.faults, final.tests)
    if open_calls and final is draft:
        artefact["differences"] = [row for rows in open_calls.values() for row in rows]
    return Result(_shown(final, task.format), None, task.format, artefact)


async def _written(
    run: Run, writer: Construction, inspection: Inspection, journal: ProjectJournal
) -> Inspected:
    """Every file once. Raises what a backend raised where none could be had."""
    begun = run.elapsed_ms
    project = await writer.write()
    journal.write_ms = run.elapsed_ms - begun
    if not any(text.strip() for text in project.texts.values()):
        if writer.first_error:
            raise writer.first_error
        why = "; ".join(dict.fromkeys(project.failed.values())) or "every file is empty"
        raise ModelFailed(f"No file of the project could be written: {why}.")
    return await inspection.look("written", project)


# --- judge and reviewer ------------------------------------------------------------------------


def _is_to_be_judged(run: Run, seen: Inspected) -> bool:
    """Facts need no opinion; nor, where the settings say so, does what nothing would follow for."""
    return not seen.broken and (run.settings.JUDGE_WHEN == "always" or not is_own_judge(run))


def _escalation(run: Run, seen: Inspected, verdict: Verdict | None, differing: int) -> str | None:
    """Facts escalate whatever the judge says. `differing`: files that were written in several ways
    that do not the same."""
    missing, found = len(seen.project.failed), serious(seen.faults)
    kinds = ", ".join(dict.fromkeys(fault.kind for fault in found))
    total = len(seen.project.manifest.files)
    reasons = [
        f"evidence: {missing} of {total} files are missing" if missing else None,
        f"evidence: {len(found)} faults ({kinds})" if found else None,
        f"undecided: {_fail(seen.skipped)} with every draft" if seen.skipped else None,
        f"undecided: drafts of {differing} files differ" if differing else None,
        verdict.escalation(run.settings) if verdict else None,
    ]
    return "; ".join(filter(None, reasons)) or None


async def _reviewed(
    run: Run,
    task: Task,
    writer: Construction,
    inspection: Inspection,
    draft: Inspected,
    verdict: Verdict | None,
) -> Inspected:
    """The project with the files concerned reviewed, or the draft where that is no better. A small
    model is not asked to review its own files, but for one that is missing."""
    if reviews_in_vain(run) and not draft.project.failed:
        reviewer = run.model_name("reviewer")
        run.keep(final_reason=f"unreviewed: {reviewer} is a small model and wrote it itself")
        return draft
    complaints = _concerned(draft, verdict)
    if reviews_in_vain(run):
        complaints = {path: complaints[path] for path in draft.project.failed}
    whole = f"{_whole(run, draft.project)}\nWhat is known of it:\n{draft.facts}"
    try:
        project = await writer.review(draft.project, complaints, whole)
    except (ModelError, ContextTooLong) as error:
        run.keep(final_reason=f"unreviewed: reviewer failed ({error.code})")
        return draft
    review = await inspection.look("reviewed", project, draft)
    run.keep(reviewer_output=_shown(review, task.format))
    run.add_evidence(_evidence("reviewer", review))
    kept = await _why_keep_draft(run, task, draft, verdict, review)
    run.keep(final_source="coder" if kept else "reviewer", final_reason=kept)
    return draft if kept else review


def _fail(tests: int) -> str:
    return "1 test fails" if tests == 1 else f"{tests} tests fail"


def _concerned(draft: Inspected, verdict: Verdict | None) -> Mapping[str, str]:
    """What the reviewer is told of each file: those with faults, those that are missing, those
    that the judge names; where it names none and there is no fault, all that are no documents."""
    said = (verdict.judgement_summary or "") if verdict else ""
    texts = draft.project.texts
    lines = fault_lines(serious(draft.faults), texts)
    for path, why in draft.project.failed.items():
        lines[path] = [f"- It could not be written before: {why}"]
    named = [path for path in texts if path in said or f"`{path.rpartition('/')[2]}`" in said]
    if not lines and not named:
        plan = draft.project.manifest
        named = [p for p in texts if texts[p] and plan[p].file_type in ("source", "test")]
    for path in named or lines:
        lines.setdefault(path, [])
        lines[path] += [f"- A judge of the whole project says: {said}"] if said else []
    return {path: "\n".join(each) for path, each in lines.items()}


async def _why_keep_draft(
    run: Run, task: Task, draft: Inspected, verdict: Verdict | None, review: Inspected
) -> str | None:
    """The reason why the draft is better than its review, or None."""
    if review.project.texts == draft.project.texts:
        return "the review changed nothing"
    if review.score > draft.score:
        return f"the review has more faults: {len(review.faults)} instead of {len(draft.faults)}"
    if review.broken or not run.settings.JUDGE_REVIEW:
        return None
    return await rated_lower(run, task, _whole(run, review.project), verdict, review.facts)


# --- texts -------------------------------------------------------------------------------------


def _shown(seen: Inspected, format: str) -> str:
    """The project in the form that was asked for; it says which files are missing, and what it
    needs."""
    project = seen.project
    if format == JSON:
        return write_json(project, passed=seen.passed)
    plan = project.manifest
    if format == MARKDOWN:
        named = [f"`{path}`: {why}" for path, why in project.failed.items()]
        setup = plan.setup_instructions
        return write_markdown(plan.project_id, project.texts, setup, named, plan.dependencies)
    remarks = [f"Project {plan.project_id}: {len(project.texts)} of {len(plan.files)} files"]
    remarks += [f"MISSING {path}: {why}" for path, why in project.failed.items()]
    if plan.dependencies:
        remarks.append(f"Dependencies: {', '.join(plan.dependencies)}")
    steps = plan.setup_instructions.splitlines()
    remarks += ["Setup:", *(f"  {line}" for line in steps)] if steps else []
    return write_patch(project.texts, remarks)


def _whole(run: Run, project: Project) -> str:
    """The project as the judge sees it: in full, as far as the window allows."""
    room = 2 * run.settings.MAX_CONTEXT_TOKENS  # characters: a good half of the window
    texts: dict[str, str] = {}
    for path, text in project.texts.items():
        texts[path] = text if len(text) <= room else f"{text[: max(room, 400)]}\n… (cut here)\n"
        room = max(0, room - len(text))
    missing = [f"{path}: {why}" for path, why in project.failed.items()]
    return write_markdown(project.manifest.project_id, texts, "", missing)


def _evidence(stage: str, seen: Inspected) -> Sequence[Finding]:
    """Faults by the record's kinds."""
    found = [Finding(stage, "empty", f"{path} is missing") for path in seen.project.failed]
    for fault in serious(seen.faults):
        kind = fault.kind if fault.kind in _KINDS else "consistency"
        found.append(Finding(stage, kind, str(fault)))
    return found
