"""The checked program before the judge, and before the reviewer where that asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.rag.program_checks import Checked, draft_of
from pipeline.rag.query_task import QueryTask
from pipeline.rag.repair_rounds import RepairRounds
from pipeline.review.escalation import accept, complaint, review_draft
from pipeline.review.judge import judge_draft
from pipeline.run import Run
from pipeline.tokens import estimate

REFERENCE_TOKENS = 600  # of what was cited, for judge and reviewer
OTHER_TOKENS = 2048  # of their own words, and of what was found


@dataclass(frozen=True, slots=True)
class Final:
    """What is returned, with what is known of it; `repair_remarks` say what was done to it."""

    checked: Checked
    repair_remarks: list[str]

    @property
    def remarks(self) -> list[str]:
        """What else has to be known, as sentences."""
        trial = self.checked.trial
        unseen = [f"The code was {trial}."] if trial.startswith("not run") else []
        return [*self.repair_remarks, *unseen]


async def conclude(
    run: Run,
    task: QueryTask,
    repair: RepairRounds,
    checked: Checked,
    more: Sequence[Finding] = (),
) -> Final:
    """The judge's word with the findings as facts, and a review where that, or a finding, asks for
    it; the review is checked as well."""
    retrieval, checks = repair.retrieval, repair.checks
    reviewed: list[Checked] = []

    async def examine(draft: Draft, source: DraftSource) -> Draft:
        looked = await checks.look(draft.text)
        reviewed.append(looked)
        if draft.fault:
            return draft
        return draft_of("reviewer", looked, checks.language)

    draft = draft_of("coder", checked, checks.language, more)
    run.keep(coder_output=draft.text)
    run.add_evidence(draft.findings)
    left = await run.room("judge") - estimate(task.material + draft.text) - OTHER_TOKENS
    reference = retrieval.cited(min(REFERENCE_TOKENS, left))
    shown = replace(task, language=checks.language, reference=reference)
    verdict = None if draft.fault else await judge_draft(run, shown, draft.text, draft.facts)
    reason = draft.fault or (verdict and verdict.escalation(run.settings))
    if not reason:
        accept(run, draft)
        return Final(checked, repair.remarks)
    run.keep(escalated=True, escalation_reason=reason)
    told = complaint(verdict, reason, checked.facts)
    await review_draft(run, shown, draft, verdict, told, examine)
    if run.facts.final_source != "reviewer":
        return Final(checked, repair.remarks)
    return Final(reviewed[-1], [*repair.remarks, "The reviewer has changed the code since."])
