"""An answer's text, the documentation that its marks lead to, and how far that bears it out."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from laios.types.schema import Citation, Confidence
from pipeline.rag.answer_fields import Fields
from pipeline.rag.answerer import Brief
from pipeline.rag.citations import Cited, renumber, without_invented_links
from pipeline.rag.program_checks import Checked
from pipeline.rag.rendering import ALONE, NOTHING_FOUND
from pipeline.rag.retrieval_context import RetrievalContext
from pipeline.retriever import KnownFile

_ENDS_IN_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*\Z", re.MULTILINE)


async def cited_answer(
    retrieval: RetrievalContext, brief: Brief, files: Sequence[KnownFile], text: str
) -> Cited:
    """The answer with marks that lead to something, and addresses that stand somewhere."""
    addresses = "\n".join(each.download_url for each in files)
    known = "\n".join((retrieval.text, brief.task.material, addresses))
    text, made_up = await asyncio.to_thread(without_invented_links, text, known)
    if made_up:
        retrieval.notes.append(f"{made_up} addresses were left out: no document has them.")
    said = await asyncio.to_thread(renumber, text, {each.index for each in brief.chunks})
    retrieval.dropped += said.dropped
    return said


def with_citations(
    retrieval: RetrievalContext, brief: Brief, said: Cited, fields: Fields | None
) -> tuple[Cited, list[Citation]]:
    """The answer and the list that its marks lead to. One without any mark gets those that the
    model names besides at its end."""
    reasons = {each.number: each.reason for each in (fields.sources if fields else ())}
    if said.numbers:
        retrieval.dropped += sum(number not in said.numbers for number in reasons)
    else:
        numbers = retrieval.cite(reasons, brief.chunks)
        marks = "".join(f"[{n}]" for n, _ in enumerate(numbers, 1))
        between = "\n\n" if _ENDS_IN_FENCE.search(said.text) else " "
        said = replace(said, text=f"{said.text}{between}{marks}".rstrip(), numbers=numbers)
    if not brief.chunks:
        why = NOTHING_FOUND if retrieval.there else ALONE
        said = replace(said, text=f"{why}\n\n{said.text}")
    return said, [
        retrieval.citation(number, reasons.get(number, ""), n)
        for n, number in enumerate(said.numbers, 1)
    ]


def answer_confidence(
    brief: Brief, fields: Fields | None, citations: Sequence[Citation], program: Checked | None
) -> Confidence:
    """The model's own word, no higher than the facts allow."""
    if not brief.chunks or (program and program.errors):
        return "low"
    said: Confidence = fields.confidence if fields else "medium"
    return "medium" if said == "high" and not citations else said
