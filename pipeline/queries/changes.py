"""What was changed, by the steps that asked for it → the seed's objects. Pure."""

from collections.abc import Sequence

from pipeline.memory import words_of
from pipeline.queries.difference import unified
from pipeline.queries.original import Hunk, Original, hunks
from pipeline.queries.refinement import (
    CodeModificationOutput,
    CodeRefinementResult,
    Modification,
)
from pipeline.queries.schema import Citation, Confidence
from pipeline.queries.statements import statements
from pipeline.queries.task import QueryTask
from pipeline.stages.modifier import Described, Note


def modified(
    original: Original, after: str, note: Note | None, losses: Sequence[str]
) -> CodeModificationOutput:
    """The changes as the note tells them, with their lines from the code itself."""
    described = note.modifications if note else _planned(original)
    lines = _by_step(original, after, described)
    changes = [
        Modification(
            step_number=each.step_number,
            modification=each.modification,
            explanation=each.explanation,
            variable_affected=each.variable_affected,
            code_changed="\n".join(
                line for hunk in own if hunk.old for line in hunk.new if line.strip()
            ),
            code_added="\n".join(
                line for hunk in own if not hunk.old for line in hunk.new if line.strip()
            ),
        )
        for each, own in zip(described, lines, strict=True)
    ]
    said = "; ".join(each.modification for each in changes)
    return CodeModificationOutput(
        modifications=changes,
        updated_code=after,
        new_imports=_new_imports(original, after),
        preserved_structure=not losses,
        diff_summary=note.diff_summary if note else said,
    )


def _planned(original: Original) -> list[Described]:
    return [
        Described(
            step_number=step.step_number,
            modification=step.description,
            explanation=step.description,
            variable_affected=(step.targets or [""])[0],
        )
        for step in original.plan.modification_steps
    ]


def _by_step(original: Original, after: str, described: Sequence[Described]) -> list[list[Hunk]]:
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


def _new_imports(original: Original, after: str) -> list[str]:
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
    )
