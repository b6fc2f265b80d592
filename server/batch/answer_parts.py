"""The answers of a batch on a cluster: files of JSON lines below a directory or a bucket that every
node reaches."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from uuid import uuid4

from pyarrow import fs

from history.record import encode
from server.batch.answer_journal import BatchAnswer, JournalError, error_code, read_answer

# Each piece of work has a directory, `JOB-KEY`; in it is a file for each time of writing.
ENDING = ".jsonl"
READ_AT_A_TIME = 16  # of an object store each file takes a while, however small


def located(address: str) -> str:
    """A path or URI as other processes find it, which work in other directories."""
    return address if "://" in address else str(Path(address).absolute())


class AnswerParts:
    """What is written stands in files of its own, which nobody else writes and which never change:
    object stores cannot append. `address` is a path or a URI such as `s3://bucket/answers`. Raises
    JournalError."""

    def __init__(self, address: str) -> None:
        self.address = located(address)
        try:
            self._files, self._base = fs.FileSystem.from_uri(self.address)
        except (OSError, ValueError) as error:
            raise JournalError(f"{address} cannot be used for answers: {error}") from None

    def known(self) -> dict[str, tuple[str, str | None]]:
        """Of each answered id the request's digest and the code of its error; the newest job's
        answer counts."""
        place = fs.FileSelector(self._base, recursive=True, allow_not_found=True)
        found = _read(self._files, place)
        return {answer["id"]: (answer["request"], error_code(answer)) for answer in found}

    def part(self, job: str, ids: Sequence[str]) -> "AnswerPart":
        """Where the answers to these requests go: the same place whoever asks for it."""
        key = hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16]
        return AnswerPart(self._files, f"{self._base}/{job}-{key}")


class AnswerPart:
    """The answers to one piece of work. Another process may have begun it."""

    def __init__(self, files: fs.FileSystem, directory: str) -> None:
        self._files = files
        self._directory = directory
        self._writer, self._numbers = uuid4().hex[:8], count(1)

    def answers(self) -> dict[str, BatchAnswer]:
        """Those that are there, by id."""
        place = fs.FileSelector(self._directory, allow_not_found=True)
        return {answer["id"]: answer for answer in _read(self._files, place)}

    def append(self, answers: Sequence[BatchAnswer]) -> None:
        """Raises OSError."""
        name = f"{self._writer}-{next(self._numbers):06}{ENDING}"
        self._files.create_dir(self._directory)
        with self._files.open_output_stream(f"{self._directory}/{name}") as file:
            file.write(b"".join(map(encode, answers)))


def _read(files: fs.FileSystem, place: fs.FileSelector) -> Iterator[BatchAnswer]:
    """In the order of the paths, which is that of the jobs."""
    found = sorted(files.get_file_info(place), key=lambda each: each.path)
    paths = [each.path for each in found if each.path.endswith(ENDING)]
    with ThreadPoolExecutor(READ_AT_A_TIME) as pool:
        for answers in pool.map(partial(_answers, files), paths):
            yield from answers


def _answers(files: fs.FileSystem, path: str) -> list[BatchAnswer]:
    """A file whose writer was killed may end in the middle of a line, which does not count."""
    with files.open_input_stream(path) as file:
        lines = file.read().splitlines(keepends=True)
    return [*filter(None, map(read_answer, lines))]
