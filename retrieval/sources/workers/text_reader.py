"""Runs in a process of its own, with our Python: files of text → blocks.

Its argument is the descriptor FD of its report. On stdin stands `{"folder", "todo", "suffix"}`: a
directory, files relative to it, and the suffix by which to read them, "" for each one's own. The
lines on FD are those of retrieval/sources/worker_process.py; an item is `{"part", "block"}`
(retrieval/sources/block.py).
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

from retrieval.sources.block import Block
from retrieval.sources.folder_tree import HTML, MARKDOWN, REST, is_text
from retrieval.sources.workers.worker_report import work_of

MAX_FILE = 5_000_000  # bytes

Reader = Callable[[str], Iterable[Block]]


def main() -> None:
    work, report = work_of()
    for part in work["todo"]:
        report.tell(at=part)
        try:
            for block in _blocks(Path(work["folder"]) / part, work["suffix"]):
                report.tell(part=part, block=asdict(block))
            report.tell(ended=part)
        except Exception as error:
            report.failed(part, error)
    report.close()


def _blocks(path: Path, suffix: str) -> Iterable[Block]:
    with path.open("rb") as file:
        data = file.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise ValueError(f"the file is larger than {MAX_FILE // 1_000_000} MB")
    if not is_text(data):
        raise ValueError("it is no text in UTF-8")
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return _reader(suffix or path.suffix.lower())(text)


def _reader(suffix: str) -> Reader:
    """Each format's library is imported when a file needs it."""
    if suffix in MARKDOWN:
        from retrieval.sources.workers.markdown_blocks import markdown_blocks

        return markdown_blocks
    if suffix in REST or suffix == ".txt":
        from retrieval.sources.workers.rest_blocks import rest_blocks

        return rest_blocks
    if suffix in HTML:
        from retrieval.sources.workers.html_blocks import html_blocks

        return html_blocks
    if suffix == ".ipynb":
        from retrieval.sources.workers.notebook_blocks import notebook_blocks

        return notebook_blocks
    from retrieval.sources.workers.script_blocks import script_blocks

    return script_blocks
