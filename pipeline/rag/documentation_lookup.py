"""What is looked up in the documentation for a change or a question, within the room for it."""

import asyncio

from laios.types.generation import DocumentationChunk
from laios.types.refinement import ModificationDecompositionOutput
from pipeline.rag.library_symbols import library_symbols
from pipeline.rag.query_task import QueryTask
from pipeline.rag.retrieval_context import RetrievalContext


async def look_up_changes(
    retrieval: RetrievalContext, query: QueryTask, plan: ModificationDecompositionOutput
) -> list[DocumentationChunk]:
    """Documentation for the steps that need some, each with its share."""
    steps = [step for step in plan.get_steps() if step.requires_retrieval]
    if not steps:
        return []
    share = await retrieval.room("coder", query.material) // len(steps)
    found: dict[int, DocumentationChunk] = {}
    for step in steps:
        label = f"step {step.step_number} of {len(plan.modification_steps)}"
        words = " ".join([step.description, *(step.targets or ())])
        for chunk in await retrieval.offer(words, label, budget=share):
            found.setdefault(chunk.index, chunk)
    return list(found.values())


def search_words(query: QueryTask) -> str:
    """What documentation is looked up by: the question, and what the code uses."""
    names = [name.rpartition(".")[2] for name in library_symbols(query.code)]
    files = [file.name for file in query.data_files]
    return " ".join([query.prompt, *files, *names])


async def look_up_question(
    retrieval: RetrievalContext, query: QueryTask, kind: str, sketch: str = ""
) -> list[DocumentationChunk]:
    """What bears on the question, as much of it as the window leaves room for."""
    room = await retrieval.room("explainer", query.material)
    words = await asyncio.to_thread(search_words, query)
    return await retrieval.offer(words, kind, budget=room, sketch=sketch)
