"""A query's answer as text for whoever asked by a prompt. Pure."""

from collections.abc import Iterable, Sequence

from laios.types.answers import DataFile
from laios.types.schema import Citation
from pipeline.analysis.fences import fenced

ALONE = (
    "There is no documentation here to go by (`laios docs add` indexes some): this answer is from "
    "the model alone."
)
NOTHING_FOUND = (
    "The indexed documentation has nothing on this: this answer is from the model alone."
)


def with_sources(
    text: str, code: str, files: Iterable[DataFile], citations: Sequence[Citation]
) -> str:
    """The answer, its code, the data files that are known, and what the marks lead to."""
    parts = [text]
    if code.strip():
        parts.append(fenced(code.strip("\n"), "python"))
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
