"""The answers of a batch on a cluster: files of JSON lines below a directory or a bucket that every
node reaches."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from uuid import uuid4

from pyarrow import fs

from history import encode
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
        found = {}
        for answer in self._read(fs.FileSelector(self._base, recursive=True, allow_not_found=True)):
            found[answer["id"]] = (answer["request"], error_code(answer))
        return found

    def part(self, job: str, ids: Sequence[str]) -> "AnswerPart":
        """Where the answers to these requests go: the same place whoever asks for it."""
        key = hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16]
        return AnswerPart(self, f"{self._base}/{job}-{key}")

    def read_directory(self, directory: str) -> list[BatchAnswer]:
        return [*self._read(fs.FileSelector(directory, allow_not_found=True))]

    def write(self, directory: str, name: str, answers: Iterable[BatchAnswer]) -> None:
        """Raises OSError."""
        self._files.create_dir(directory)
        with self._files.open_output_stream(f"{directory}/{name}") as file:
            file.write(b"".join(map(encode, answers)))

    def _read(self, place: fs.FileSelector) -> Iterator[BatchAnswer]:
        """In the order of the paths, which is that of the jobs."""
        found = sorted(self._files.get_file_info(place), key=lambda each: each.path)
        paths = [each.path for each in found if each.path.endswith(ENDING)]
        with ThreadPoolExecutor(READ_AT_A_TIME) as pool:
            for answers in pool.map(self._answers, paths):
                yield from answers

    def _answers(self, path: str) -> list[BatchAnswer]:
        """A file whose writer was killed may end in the middle of a line, which does not count."""
        with self._files.open_input_stream(path) as file:
            lines = file.read().splitlines(keepends=True)
        return [*filter(None, map(read_answer, lines))]


class AnswerPart:
    """The answers to one piece of work. Another process may have begun it."""

    def __init__(self, parts: AnswerParts, directory: str) -> None:
        self._parts = parts
        self._directory = directory
        self._writer, self._numbers = uuid4().hex[:8], count(1)

    def answers(self) -> dict[str, BatchAnswer]:
        """Those that are there, by id."""
        return {answer["id"]: answer for answer in self._parts.read_directory(self._directory)}

    def append(self, answers: Sequence[BatchAnswer]) -> None:
        """Raises OSError."""
        name = f"{self._writer}-{next(self._numbers):06}{ENDING}"
        self._parts.write(self._directory, name, answers)
