"""A source's parts → readings."""

from collections.abc import Iterator, Sequence

from documents.chunk import Progress, Reading
from documents.sources.files import read_files, read_readme
from documents.sources.ids import Ids
from documents.sources.packages import read_modules
from documents.sources.source import Part, Source


def read_parts(
    source: Source, parts: Sequence[Part], progress: Progress | None = None
) -> Iterator[Reading]:
    """One reading for each of the parts, which are some or all of what `list_parts` gave.

    What cannot be read is in `Reading.notes`. Blocks; children that run meanwhile end with the
    iterator.
    """
    for done, reading in enumerate(_readings(source, parts), start=1):
        if progress:
            progress(done, len(parts))
        yield reading


def _readings(source: Source, parts: Sequence[Part]) -> Iterator[Reading]:
    ids = Ids()
    yield from read_modules(source, [part.path for part in parts if part.kind == "module"], ids)
    for part in parts:
        if part.kind == "readme":
            yield from read_readme(source, part, ids)
    yield from read_files(source, [part for part in parts if part.kind == "file"], ids)
