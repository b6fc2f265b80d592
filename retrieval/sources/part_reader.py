"""Reading and parsing the parts of a source."""

from collections.abc import Iterator, Sequence

from retrieval.sources.chunk import Ids, ParsedPart, Progress
from retrieval.sources.packages import read_modules
from retrieval.sources.source import Part, Source
from retrieval.sources.text_files import read_files, read_readme


def read_parts(
    source: Source, parts: Sequence[Part], progress: Progress | None = None
) -> Iterator[ParsedPart]:
    """One ParsedPart for each of the parts, which are some or all of what `list_parts` gave.

    What cannot be read is in `ParsedPart.problems`. Blocks; children that run meanwhile end with
    the iterator.
    """
    for done, parsed in enumerate(_parsed_parts(source, parts), start=1):
        if progress:
            progress(done, len(parts))
        yield parsed


def _parsed_parts(source: Source, parts: Sequence[Part]) -> Iterator[ParsedPart]:
    ids = Ids()
    yield from read_modules(source, [part.path for part in parts if part.kind == "module"], ids)
    for part in parts:
        if part.kind == "readme":
            yield from read_readme(source, part, ids)
    yield from read_files(source, [part for part in parts if part.kind == "file"], ids)
