"""Build FinalResult from a plan's run, and the artefact of its record. Pure."""

from collections.abc import Sequence
from typing import Any

from laios.types.decomposition import DecompositionOutput
from laios.types.final_result import (
    ExplainedStep,
    Explanation,
    FinalCode,
    FinalResult,
    StepResult,
)
from pipeline.rag.assembly import Assembly
from pipeline.rag.final_review import Final
from pipeline.rag.query_task import CODE_TYPE
from pipeline.rag.repair_rounds import RepairRounds


def split(code: str, language: str) -> FinalCode:
    """A program into imports and body; it stays as it is as a whole."""
    part = Assembly(language).add(code)
    return FinalCode(imports="\n".join(part.imports), body=part.code, complete=code)


def _explanation(
    plan: DecompositionOutput, steps: Sequence[StepResult], code: FinalCode
) -> Explanation:
    lines = [plan.understanding, ""]
    for each in steps:
        marks = "".join(f"[{number}]" for number in each.citations)
        lines.append(f"{each.step_number}. {each.description} {marks}".rstrip())
        if each.understanding != each.description:
            lines.append(f"   {each.understanding}")
    return Explanation(
        overview=plan.understanding,
        imports=[line for line in code.imports.split("\n") if line.strip()],
        steps=[ExplainedStep.from_dict(each.to_dict()) for each in steps],
        formatted="\n".join(lines),
    )


def plan_artefact(
    query: str,
    plan: DecompositionOutput,
    steps: Sequence[StepResult],
    code: FinalCode,
    repair: RepairRounds,
    final: Final,
) -> dict[str, Any]:
    """`code` is what is returned, `steps` are its own."""
    retrieval = repair.retrieval
    result = FinalResult(
        query=query,
        understanding=plan.understanding,
        requires_visualization=plan.requires_visualization,
        libraries_needed=plan.libraries_needed,
        data_files=plan.data_files,
        steps=list(steps),
        final_code=code,
        changes_made=repair.changes,
        explanation=_explanation(plan, steps, code),
    )
    return {
        "type": CODE_TYPE,
        "result": result.to_dict(),
        "decomposition": plan.to_dict(),
        "documentation": retrieval.as_json(),
        "findings": [each.to_dict() for each in final.checked.errors],
        "fixes": [each.as_json() for each in repair.fixes],
        "dropped_citations": retrieval.dropped,
        "trial": final.checked.trial,
        "notes": [*retrieval.warnings, *final.remarks],
    }
