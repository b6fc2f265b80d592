"""Parsing text files in child processes."""

import email
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from laios.launcher import command
from retrieval.sources.block import Block
from retrieval.sources.chunk import Ids, ParsedPart
from retrieval.sources.page_chunks import PageParser
from retrieval.sources.source import Part, Source
from retrieval.sources.worker_process import WorkerJob, run_workers

MAX_README = 5_000_000  # bytes

_COMMAND = command("retrieval.sources.workers.text_reader")


def read_files(source: Source, parts: Sequence[Part], ids: Ids) -> Iterator[ParsedPart]:
    """A ParsedPart for each of the files, which are relative to the source's folder."""
    if source.folder is not None:
        folder = source.folder if source.folder.is_dir() else source.folder.parent
        yield from _parsed_parts(source, parts, ids, folder)


def read_readme(source: Source, part: Part, ids: Ids) -> Iterator[ParsedPart]:
    """The description of a distribution, which is the body of its metadata."""
    assert source.readme
    try:
        with source.readme.open("rb") as file:
            message = email.message_from_bytes(file.read(MAX_README))
        body = message.get_payload(decode=True)
    except OSError as error:
        yield ParsedPart(part.path, problems=[str(error)], left=True)
        return
    is_markdown = "markdown" in str(message.get("Description-Content-Type", ""))
    with tempfile.TemporaryDirectory(prefix="laios-docs-") as directory:
        (Path(directory) / part.path).write_bytes(body if isinstance(body, bytes) else b"")
        suffix = ".md" if is_markdown else ".rst"
        yield from _parsed_parts(source, [part], ids, Path(directory), suffix)


def _parsed_parts(
    source: Source, parts: Sequence[Part], ids: Ids, folder: Path, suffix: str = ""
) -> Iterator[ParsedPart]:
    """`suffix`: the format of files whose names do not say it."""

    def work(todo: list[str], broken: set[str]) -> dict[str, Any]:
        return {"folder": str(folder), "suffix": suffix, "todo": todo}

    title = source.name if suffix else ""
    pages = {p.path: PageParser(p.path, p.label, ids, title) for p in parts}
    for message in run_workers(WorkerJob(_COMMAND, work), list(pages)):
        page = pages[message.part]
        if message.what == "item":
            try:
                page.add(Block.from_json(message.data.get("block")))
            except ValueError:
                page.parsed.problems.append("something unreadable was told about it")
            continue
        page = pages.pop(message.part)
        if message.what == "left":
            yield ParsedPart(message.part, problems=[message.why], left=True)
            continue
        parsed = page.finish()
        parsed.problems += [message.why] if message.what == "failed" else []
        yield parsed
