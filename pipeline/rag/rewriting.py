"""The changed code from the wish alone: what `///refine` is for a small model, which its own plan
misleads. Qwen2.5-Coder 1.5B changed 18 of 20 programs rightly so in one answer, and 14 of 20 with
its plan (docs/quality.md)."""

import asyncio
from dataclasses import replace
from functools import partial

from laios.types.refinement import ModificationDecompositionOutput, ModificationStep
from pipeline.analysis.draft import Draft, Source
from pipeline.model import Message
from pipeline.rag.modifier import note_turn
from pipeline.rag.preservation import Preservation, names_stay
from pipeline.rag.program_checks import findings_of_losses
from pipeline.rag.query_task import QueryTask
from pipeline.review.conversation import write_conversation
from pipeline.review.draft_evidence import examine
from pipeline.review.drafting import draft_until_evidence
from pipeline.run import Run


def as_plan(query: QueryTask) -> ModificationDecompositionOutput:
    """The wish in the form of a plan."""
    step = ModificationStep(step_number=1, description=query.prompt, requires_retrieval=False)
    return ModificationDecompositionOutput(
        understanding=query.prompt,
        modification_steps=[step],
        preserved_elements=["functions and classes"] if names_stay(query.prompt) else [],
    )


async def rewrite(run: Run, asked: QueryTask, original: Preservation) -> Draft:
    """As the default mode drafts. Code that came back unchanged, or without a name that was to
    stay, is drawn again like code that fails an example. Raises what the backend raised."""
    return await draft_until_evidence(run, asked, partial(_examine, run, asked, original))


async def _examine(
    run: Run, asked: QueryTask, original: Preservation, draft: Draft, source: Source
) -> Draft:
    examined = await examine(run, asked, draft, source)
    losses = await asyncio.to_thread(original.losses, draft.text)
    lost = findings_of_losses(source, losses, texts=not run.request.no_log)
    return replace(examined, findings=(*examined.findings, *lost))


def write_note_prompt(task: QueryTask, code: str, diff: str) -> list[Message]:
    """A later turn of the talk in which `code`, the changed code, was written."""
    return write_conversation(task, code, note_turn(diff))
