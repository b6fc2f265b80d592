"""A plan in steps, each written with documentation before its writer's eyes, then put together,
checked and put right (seed 003)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.draft import Draft
from pipeline.evidence import Finding, named_language
from pipeline.flows.reviewed import accept, judge_draft, review_draft
from pipeline.modes import mode
from pipeline.queries.checks import Checked, Checks, draft_of
from pipeline.queries.decomposition import DecompositionOutput
from pipeline.queries.needs import needs_general_models
from pipeline.queries.repair import Repair
from pipeline.queries.shelf import DOCUMENTATION_TOKENS, Shelf
from pipeline.queries.summary import final_result
from pipeline.queries.task import CODE_TYPE, QueryTask, kinds_of, mode_of, query_of
from pipeline.queries.writing import Writing
from pipeline.run import Run
from pipeline.stages.classifier import classify
from pipeline.stages.planner import decompose
from pipeline.task import Result, Task
from pipeline.testing.attempt import Source
from pipeline.tokens import estimate

REFERENCE_TOKENS = 1500  # of what was cited, for judge and reviewer
OTHER_TOKENS = 2048  # of their own words, and of what was found


@mode(
    "code_planned",
    words=("plan",),
    help="A plan, each step written with documentation, put together and checked.",
    timeout_factor=5.0,
    roles=("intake", "planner", "coder", "explainer", "reviewer", "judge"),
)
@needs_general_models
async def code_planned(run: Run, task: Task) -> Result:
    """A query that wants no program is answered as its kind says."""
    query = query_of(task)
    run.plan_window(query, DOCUMENTATION_TOKENS)
    kind = query.type or await classify(run, query, kinds_of(task), CODE_TYPE)
    if mode_of(kind) is not mode_of(CODE_TYPE):
        return await mode_of(kind).flow(run, replace(query, type=kind))
    shelf = await Shelf.of(run)
    plan = await decompose(run, query)
    run.note(artefact={"type": CODE_TYPE, "decomposition": plan.to_dict()})
    language = query.language or named_language(query.prompt) or "python"
    writing = Writing(run, query, plan, shelf, language)
    await writing.write()
    assembled = writing.assembly.final
    checks = Checks(run, shelf, language)
    repair = Repair(run, shelf, checks, query.prompt)
    checked = await repair.put_right(await checks.look(assembled.complete))
    final = await conclude(run, query, repair, checked, writing.missing)
    result = final_result(
        query.prompt, plan, writing.results, final.checked.code, assembled, language
    )
    artefact = _artefact(result.to_dict(), plan, repair, final)
    return Result(final.checked.code, language, artefact=artefact)


@dataclass(frozen=True, slots=True)
class Final:
    """What is returned, with what is known of it; `notes` say what was done to it."""

    checked: Checked
    notes: list[str]

    @property
    def remarks(self) -> list[str]:
        """What else has to be known, as sentences."""
        trial = self.checked.trial
        unseen = [f"The code was {trial}."] if trial.startswith("not run") else []
        return [*self.notes, *unseen]


async def conclude(
    run: Run,
    task: QueryTask,
    repair: Repair,
    checked: Checked,
    more: Sequence[Finding] = (),
) -> Final:
    """The judge's word with the findings as facts, and a review where that, or a finding, asks for
    it; the review is checked as well."""
    shelf, checks = repair.shelf, repair.checks
    texts = not run.request.no_log
    reviewed: list[Checked] = []

    async def examine(draft: Draft, source: Source) -> tuple[Draft, str]:
        looked = await checks.look(draft.text)
        reviewed.append(looked)
        if draft.fault:
            return draft, ""
        examined = draft_of("reviewer", looked, checks.language, texts=texts)
        run.add_evidence(examined.findings)
        return examined, looked.facts

    draft = draft_of("coder", checked, checks.language, texts=texts, more=more)
    run.note(coder_output=draft.text)
    run.add_evidence(draft.findings)
    left = await run.room("judge") - estimate(task.material + draft.text) - OTHER_TOKENS
    reference = shelf.cited(min(REFERENCE_TOKENS, left))
    shown = replace(task, language=checks.language, reference=reference)
    verdict = None if draft.fault else await judge_draft(run, shown, draft, checked.facts)
    reason = draft.fault or (verdict and verdict.escalation(run.settings))
    if not reason:
        accept(run, draft)
        return Final(checked, repair.notes)
    run.note(escalated=True, escalation_reason=reason)
    # The reviewer is told all of it, also where the record keeps no words.
    told = f"{reason}\n{checked.facts}".strip()
    await review_draft(run, shown, draft, verdict, told, examine)
    if run.notes.final_source != "reviewer":
        return Final(checked, repair.notes)
    return Final(reviewed[-1], [*repair.notes, "The reviewer has changed the code since."])


def _artefact(
    result: dict[str, Any], plan: DecompositionOutput, repair: Repair, final: Final
) -> dict[str, Any]:
    shelf = repair.shelf
    return {
        "type": CODE_TYPE,
        "result": result,
        "decomposition": plan.to_dict(),
        "documentation": shelf.as_json(),
        "findings": [each.to_dict() for each in final.checked.errors],
        "fixes": [each.as_json() for each in repair.fixes],
        "dropped_citations": shelf.dropped,
        "trial": final.checked.trial,
        "notes": [*shelf.notes, *final.remarks],
    }
