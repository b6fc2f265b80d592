"""What was changed, by the steps that asked for it → the result and the artefact of the record."""

from collections.abc import Iterable, Sequence
from typing import Any

from laios.types.generation import DocumentationChunk
from laios.types.refinement import (
    CodeModificationOutput,
    CodeRefinementResult,
    Modification,
)
from laios.types.schema import Citation, Confidence
from laios.types.validation import ValidationFix
from pipeline.analysis.similarity import words_of
from pipeline.analysis.statements import statements
from pipeline.analysis.unified_diff import unified
from pipeline.rag.final_review import Final
from pipeline.rag.modifier import ChangeSummary, Described
from pipeline.rag.preservation import Hunk, Preservation, hunks
from pipeline.rag.query_task import REFINE, QueryTask
from pipeline.rag.repair_rounds import RepairRounds
from pipeline.rag.retrieval_context import RetrievalContext


def modified(
    original: Preservation, after: str, summary: ChangeSummary | None, losses: Sequence[str]
) -> CodeModificationOutput:
    """The changes as the summary tells them, with their lines from the code itself."""
    described = summary.modifications if summary else _planned(original)
    lines = _by_step(original, after, described)
    changes = [
        Modification(
            **each.model_dump(),
            code_changed=_new_lines(hunk for hunk in own if hunk.old),
            code_added=_new_lines(hunk for hunk in own if not hunk.old),
        )
        for each, own in zip(described, lines, strict=True)
    ]
    said = "; ".join(each.modification for each in changes)
    return CodeModificationOutput(
        modifications=changes,
        updated_code=after,
        new_imports=_new_imports(original, after),
        preserved_structure=not losses,
        diff_summary=summary.diff_summary if summary else said,
    )


def _new_lines(hunks: Iterable[Hunk]) -> str:
    return "\n".join(line for hunk in hunks for line in hunk.new if line.strip())


def _planned(original: Preservation) -> list[Described]:
    return [
        Described(
            step_number=step.step_number,
            modification=step.description,
            explanation=step.description,
            variable_affected=(step.targets or [""])[0],
        )
        for step in original.plan.modification_steps
    ]


def _by_step(
    original: Preservation, after: str, described: Sequence[Described]
) -> list[list[Hunk]]:
    """Each hunk with the change that has most words in common with it; the first of equals."""
    steps = {step.step_number: step for step in original.plan.modification_steps}
    words = []
    for each in described:
        step = steps[each.step_number]
        said = [each.modification, each.variable_affected, step.description, *(step.targets or ())]
        words.append(words_of(" ".join(said)))
    own: list[list[Hunk]] = [[] for _ in described]
    for hunk in hunks(original.code, after):
        shared = [len(hunk.words & each) for each in words]
        best = max(range(len(shared)), key=lambda n: shared[n])
        if shared[best] or len(described) == 1:
            own[best].append(hunk)
    return own


def _new_imports(original: Preservation, after: str) -> list[str]:
    def imported(code: str) -> dict[str, None]:
        read = statements(original.language, code)
        found = read[0] if read else []
        return {each.text.strip(): None for each in found if each.kind == "import"}

    before = imported(original.code)
    return [line for line in imported(after) if line not in before]


def refined(
    task: QueryTask,
    change: CodeModificationOutput,
    citations: list[Citation],
    confidence: Confidence,
    fixes: Sequence[ValidationFix],
) -> CodeRefinementResult:
    told = [f"{n}. {each.explanation}" for n, each in enumerate(change.modifications, 1)]
    return CodeRefinementResult(
        response_type="answer",
        content_type="code_refinement",
        query=task.prompt,
        original_code=task.code,
        code=change.updated_code,
        explanation="\n".join([f"Modification Request: {task.prompt}", "", *told]),
        modifications=change.modifications,
        new_imports=change.new_imports,
        citations=citations,
        chunk_ids_used=[each.chunk_id for each in citations if each.chunk_id],
        confidence=confidence,
        diff=unified(task.code, change.updated_code),
        preserved_structure=change.preserved_structure,
        diff_summary=change.diff_summary,
        changes_made=list(fixes),
    )


def refinement_artefact(
    query: QueryTask,
    repair: RepairRounds,
    final: Final,
    original: Preservation,
    summary: ChangeSummary | None,
    chunks: list[DocumentationChunk],
) -> dict[str, Any]:
    """`chunks` are those that were offered, `summary` may cite them."""
    retrieval, checked = repair.retrieval, final.checked
    change = modified(original, checked.code, summary, checked.losses)
    citations = _citations(retrieval, chunks, summary)
    result = refined(query, change, citations, _confidence(final, summary), repair.changes)
    return {
        "type": REFINE,
        "result": result.to_dict(),
        "decomposition": original.plan.to_dict(),
        "modification": change.to_dict(),
        "documentation": retrieval.as_json(),
        "findings": [each.to_dict() for each in (*checked.errors, *checked.remarks)],
        "lost": list(checked.losses),
        "fixes": [each.as_json() for each in repair.fixes],
        "dropped_citations": retrieval.dropped,
        "trial": checked.trial,
        "notes": [*retrieval.warnings, *final.remarks],
    }


def _citations(
    retrieval: RetrievalContext, chunks: list[DocumentationChunk], summary: ChangeSummary | None
) -> list[Citation]:
    reasons = {each.number: each.reason for each in (summary.sources if summary else ())}
    return [
        retrieval.citation(number, reasons[number]) for number in retrieval.cite(reasons, chunks)
    ]


def _confidence(final: Final, summary: ChangeSummary | None) -> Confidence:
    """The model's own word, no higher than the facts allow."""
    if final.checked.errors or final.checked.losses:
        return "low"
    said: Confidence = summary.confidence if summary else "medium"
    return "medium" if said == "high" and final.checked.remarks else said
