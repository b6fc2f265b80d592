"""What is on the disk when one goes on: data, and a file in the place of another."""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO


def sync(descriptor: int) -> None:
    """Return once the file's data is on the medium, as far as the system can tell."""
    if sys.platform == "darwin":  # there fsync leaves the data in the drive's cache
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(descriptor)


@contextmanager
def replaced_file(path: Path, suffix: str = "") -> Iterator[IO[bytes]]:
    """A new file, for its owner alone, that comes to stand at `path` once it is on the disk: who
    reads there sees the old one or the new one. Where the block fails, nothing is left of it.
    Raises OSError."""
    with NamedTemporaryFile(dir=path.parent, prefix=".laios-", suffix=suffix, delete=False) as file:
        new = Path(file.name)
        try:
            yield file
            file.flush()
            sync(file.fileno())
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
