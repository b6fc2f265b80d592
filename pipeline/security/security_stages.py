"""The security reviewer in the default flow: of the draft after the verdict, of the review after
that (SECURITY_REVIEW)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import UNCHECKED, Finding
from pipeline.review.stages import after_review, after_verdict
from pipeline.review.verdict import Verdict
from pipeline.run import Run
from pipeline.run_record import own_words
from pipeline.security.bandit_scan import NOT_INSTALLED, Scan, is_installed, scan
from pipeline.security.security_reviewer import ROLE, Opinion, run_security_reviewer
from pipeline.security.weakness import KIND, Weakness
from pipeline.small_models import is_small
from pipeline.task import Task


def is_on(run: Run) -> bool:
    """`auto` is for those who have installed bandit: a model is asked only where that finds
    something."""
    setting = run.settings.SECURITY_REVIEW
    return setting == "on" or (setting == "auto" and is_installed())


own_words(f"{KIND}(?=: )")


@after_verdict("security", on=is_on)
async def review_draft_security(
    run: Run, task: Task, draft: Draft, verdict: Verdict | None
) -> Sequence[Finding]:
    """A draft that no model could read is held back by all that bandit has found."""
    found = await _look(run, task, draft, "coder")
    return [each.finding("coder", draft) for each in found]


@after_review("security", on=is_on)
async def review_review_security(
    run: Run, task: Task, draft: Draft, review: Draft, told: str
) -> Draft:
    """A review with fewer weaknesses than its draft, or one that nobody could read, is not put
    behind it for that; the record says what is known."""
    if not review.runs:
        return review
    found = await _look(run, task, review, "reviewer")
    findings = tuple(each.finding("reviewer", draft) for each in found)
    known = [each for each in draft.findings if each.kind == KIND]
    if len(findings) < len(known):
        run.add_evidence(findings)
        return review
    return replace(review, findings=(*review.findings, *findings))


async def _look(run: Run, task: Task, draft: Draft, source: DraftSource) -> Sequence[Weakness]:
    """What can be used in a text. Where the model cannot be had, all that bandit has found counts,
    and the record says that nobody has looked; that is nothing against the text."""
    scanned = await scan(run, draft.text) if draft.language == "python" else Scan()
    unknown = scanned.problem and scanned.problem != NOT_INSTALLED
    if run.settings.SECURITY_REVIEW != "on" and not scanned.found and not unknown:
        return ()
    asked = await run_security_reviewer(run, task, draft, scanned.found, source)
    everything = Opinion(frozenset(range(len(scanned.found))), ())
    opinion = _heard(run, asked.value) if asked.value else everything
    _keep(run, scanned, opinion, source)
    real = [each for n, each in enumerate(scanned.found) if n in opinion.real]
    if asked.value is None:
        why = asked.fault.message if asked.fault else asked.error
        run.add_evidence([Finding(source, UNCHECKED, f"security not reviewed: {why}")])
    return [*real, *opinion.more]


def _heard(run: Run, opinion: Opinion) -> Opinion:
    """Without what a small model adds unasked, as it invents: only on what bandit has found is it
    asked with `auto`."""
    if run.settings.SECURITY_REVIEW != "on" and is_small(run.model_name(ROLE)):
        return replace(opinion, more=())
    return opinion


def _keep(run: Run, scanned: Scan, opinion: Opinion, source: DraftSource) -> None:
    """The record's artefact has what was found in both texts, and what of it counts."""
    known = dict(run.facts.artefact or {})
    rows = [_row(each, source, n in opinion.real) for n, each in enumerate(scanned.found)]
    rows += [_row(each, source, True) for each in opinion.more]
    known["security"] = [*known.get("security", ()), *rows]
    if scanned.problem:
        known["security_note"] = scanned.problem
    run.keep(artefact=known)


def _row(weakness: Weakness, source: DraftSource, counts: bool) -> dict[str, Any]:
    return {
        "text": "draft" if source == "coder" else "review",
        "line": weakness.line or None,
        "found_by": weakness.rule,
        "detail": weakness.detail,
        "counts": counts,
    }
