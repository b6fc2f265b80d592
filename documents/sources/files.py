"""Files of text → readings."""

import email
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from documents.chunk import Reading
from documents.sources.block import Block
from documents.sources.child import Task, tell_all
from documents.sources.ids import Ids
from documents.sources.pages import PageReading
from documents.sources.source import Part, Source

MAX_README = 5_000_000  # bytes

_COMMAND = (sys.executable, "-P", "-B", "-m", "documents.sources.inside.texts")


def read_files(source: Source, parts: Sequence[Part], ids: Ids) -> Iterator[Reading]:
    """A reading for each of the files, which are relative to the source's folder."""
    if source.folder is not None:
        folder = source.folder if source.folder.is_dir() else source.folder.parent
        yield from _readings(source, parts, ids, folder)


def read_readme(source: Source, part: Part, ids: Ids) -> Iterator[Reading]:
    """The description of a distribution, which is the body of its metadata."""
    assert source.readme
    try:
        with source.readme.open("rb") as file:
            message = email.message_from_bytes(file.read(MAX_README))
        body = message.get_payload(decode=True)
    except OSError as error:
        yield Reading(part.path, notes=[str(error)])
        return
    is_markdown = "markdown" in str(message.get("Description-Content-Type", ""))
    with tempfile.TemporaryDirectory(prefix="laios-docs-") as directory:
        (Path(directory) / part.path).write_bytes(body if isinstance(body, bytes) else b"")
        suffix = ".md" if is_markdown else ".rst"
        yield from _readings(source, [part], ids, Path(directory), suffix)


def _readings(
    source: Source, parts: Sequence[Part], ids: Ids, folder: Path, suffix: str = ""
) -> Iterator[Reading]:
    """`suffix`: the format of files whose names do not say it."""

    def work(todo: list[str], broken: set[str]) -> dict[str, Any]:
        return {"folder": str(folder), "suffix": suffix, "todo": todo}

    title = source.name if suffix else ""
    pages = {p.path: PageReading(p.path, p.label, source.name, ids, title) for p in parts}
    for told in tell_all(Task(_COMMAND, work), list(pages)):
        page = pages[told.part]
        if told.what == "item":
            try:
                page.add(Block.from_json(told.data.get("block")))
            except ValueError:
                page.reading.notes.append("something unreadable was told about it")
            continue
        page = pages.pop(told.part)
        if told.what == "left":
            yield Reading(told.part, notes=[told.why], left=True)
            continue
        reading = page.finish()
        reading.notes += [told.why] if told.what == "failed" else []
        yield reading
