"""An answer's text with its citations: the documentation that its marks lead to, how far that
supports it, and the whole as it is shown to a caller who asked by a prompt."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from laios.types.answers import DataFile
from laios.types.schema import Citation, Confidence
from pipeline.analysis.fences import fences
from pipeline.rag.answer_fields import Fields
from pipeline.rag.answerer import Brief
from pipeline.rag.citations import Cited, renumber, without_invented_links
from pipeline.rag.program_checks import Checked
from pipeline.rag.retrieval_context import RetrievalContext

ALONE = (
    "There is no documentation here to go by (`laios docs add` indexes some): this answer is from "
    "the model alone."
)
NOTHING_FOUND = (
    "The indexed documentation has nothing on this: this answer is from the model alone."
)
_OPENING = re.compile(r"[ \t>]*(?:`{3,}|~{3,})")


async def cited_answer(
    retrieval: RetrievalContext, brief: Brief, files: Sequence[DataFile], text: str
) -> Cited:
    """The answer with marks that lead to something, and addresses that stand somewhere."""
    addresses = "\n".join(each.download_url for each in files)
    known = "\n".join((retrieval.text, brief.task.material, addresses))
    text, made_up = await asyncio.to_thread(without_invented_links, text, known)
    if made_up:
        retrieval.warnings.append(f"{made_up} addresses were left out: no document has them.")
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
        said = replace(said, text=_with_marks(said.text, marks), numbers=numbers)
    if not brief.chunks:
        why = NOTHING_FOUND if retrieval.there else ALONE
        said = replace(said, text=f"{why}\n\n{said.text}")
    return said, [
        retrieval.citation(number, reasons.get(number, ""), n)
        for n, number in enumerate(said.numbers, 1)
    ]


def _with_marks(text: str, marks: str) -> str:
    """At its end, and not as part of a code block that it ends in; one that is open is closed."""
    if not marks:
        return text
    *_, last = [None, *fences(f"{text}\n\n{marks}")]
    if last is None or last.end < len(text):
        return f"{text} {marks}"
    opening = _OPENING.match(text, last.start)
    if last.end > len(text) and opening:
        text = f"{text}\n{opening[0]}"
    return f"{text}\n\n{marks}"


def answer_confidence(
    brief: Brief, fields: Fields | None, citations: Sequence[Citation], program: Checked | None
) -> Confidence:
    """The model's own word, unless the facts speak against it: an answer that cites nothing may be
    the model's alone."""
    if not (brief.chunks and citations) or (program and program.errors):
        return "low"
    return fields.confidence if fields else "medium"


def with_sources(
    text: str, block: str, files: Iterable[DataFile], citations: Sequence[Citation]
) -> str:
    """The answer, its code as a block, the known data files, and what the marks lead to."""
    parts = [text, block]
    parts.append("\n".join(map(_file, files)))
    if citations:
        rows = [f"[{each.number}] {each.title or each.chunk_id}" for each in citations]
        parts.append("\n".join(["Sources:", *rows]))
    return "\n\n".join(part for part in parts if part)


def _file(file: DataFile) -> str:
    facts = ", ".join(filter(None, (file.file_type, file.file_size)))
    said = [f"- {file.filename}", f"({facts})" if facts else "", file.description]
    line = " ".join(filter(None, said))
    return f"{line}\n  {file.download_url}" if file.download_url else line
