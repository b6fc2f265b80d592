"""Reading lines of a file that others append to, in both directions."""

import os
from collections.abc import Iterator
from pathlib import Path

from history.segment_files import open_plain

_BLOCK = 1 << 16


def lines_forwards(path: Path, start: int = 0, *, final: bool = False) -> Iterator[bytes]:
    """Lines with their newlines from `start` on. Raises OSError if the file cannot be opened.

    A last line without a newline is being written, or torn, and left out; in a final file, one
    that will not grow, it is given as well.
    """
    with open_plain(path, _BLOCK) as file:
        file.seek(start)
        for line in file:
            if final or line.endswith(b"\n"):
                yield line


def lines_backwards(path: Path, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Offset and text (without newline) of the complete lines before `end`, last first.

    `None` means the end of the file. Raises OSError if the file cannot be opened.
    """
    with open_plain(path, 0) as file:
        size = os.fstat(file.fileno()).st_size
        yield from _backwards(file.fileno(), size if end is None else min(end, size))


def _backwards(descriptor: int, end: int) -> Iterator[tuple[int, bytes]]:
    tail: list[bytes] | None = None  # pieces of the line that is being put together, last first
    while end > 0:
        start = max(0, end - _BLOCK)
        pieces = os.pread(descriptor, end - start, start).split(b"\n")
        offset = end = start
        offsets = []
        for piece in pieces:
            offsets.append(offset)
            offset += len(piece) + 1
        while len(pieces) > 1:
            piece, offset = pieces.pop(), offsets.pop()
            if tail is not None:
                yield offset, b"".join([piece, *reversed(tail)])
            tail = []
        if tail is not None:
            tail.append(pieces[0])
    if tail is not None:
        yield 0, b"".join(reversed(tail))
