"""The answers of a batch: the file that is asked for is the journal by which a batch goes on."""

import fcntl
import os
import re
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from history.record import decode, encode
from laios.durable_file import replaced_file, sync

BatchAnswer = Mapping[str, Any]
"""`{id, request, output, …}`, or with `error` in place of the output; `request` is the digest."""

# How an answer begins: with texts of any length in the place of the shortest.
_BEGIN = b'{"id":"","request":"0000000000000000","'
_BEGINS = re.compile(rb'\{"id":"(?:[^"\\]|\\.)*+","request":"[0-9a-f]{16}","')


class JournalError(Exception):
    """The file cannot be used for answers; the message says why and what to do."""


class AnswerJournal:
    """An open answers file, this process's alone. What `append` has returned for is on the disk.

    A last line that was cut off by a crash was never acknowledged: it is taken away when the file
    is opened. Raises JournalError, also for a file that holds anything else but answers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.answered: dict[str, tuple[str, str | None]] = {}
        """id → digest of the request, and the code of the error that is its answer, or None."""
        self._superseded = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            self._descriptor = os.open(path, flags, 0o600)
        except OSError as error:
            raise JournalError(f"{path} cannot be written: {error.strerror}.") from None
        try:
            if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
                raise JournalError(f"{path} is not a file.")
            self._lock()
            self._read()
        except BaseException:
            self.close()
            raise

    def append(self, answers: Sequence[BatchAnswer]) -> None:
        """Writes answers and syncs them, once for all. Raises JournalError; then none of them
        stands there."""
        data = b"".join(map(encode, answers))
        size = os.fstat(self._descriptor).st_size
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            sync(self._descriptor)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, size)
            raise JournalError(f"{self.path} cannot be written: {error.strerror}.") from None
        for answer in answers:
            self._note(answer)

    def tidy(self) -> None:
        """Leaves one answer for each id, the last one, where a request was asked once more. The
        file is replaced whole or not at all; a link to it stays one. Raises JournalError."""
        if not self._superseded:
            return
        try:
            with replaced_file(self.path.resolve()) as new, self.path.open("rb") as old:
                last = {_id(line): number for number, line in enumerate(old)}
                old.seek(0)
                for number, line in enumerate(old):
                    if last[_id(line)] == number:
                        new.write(line)
                os.fchmod(new.fileno(), os.fstat(self._descriptor).st_mode & 0o777)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be tidied: {error.strerror}.") from None
        self._superseded = 0

    def close(self) -> None:
        os.close(self._descriptor)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"Another laios batch is writing {self.path}.") from None
        ours, there = os.fstat(self._descriptor), self.path.stat()
        if (ours.st_dev, ours.st_ino) != (there.st_dev, there.st_ino):  # it was just tidied
            raise JournalError(f"{self.path} was replaced. Start the batch again.")

    def _read(self) -> None:
        whole = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if _is_torn(line):
                    break
                answer = read_answer(line)
                if answer is None:
                    raise JournalError(
                        f"{self.path} line {number} is not an answer of laios batch. To keep the "
                        "file as it is, name another one with -o."
                    )
                self._note(answer)
                whole += len(line)
        os.ftruncate(self._descriptor, whole)

    def _note(self, answer: BatchAnswer) -> None:
        self._superseded += answer["id"] in self.answered
        self.answered[answer["id"]] = (answer["request"], error_code(answer))


def _is_torn(line: bytes) -> bool:
    """Whether a line has no end, and goes on to be an answer with some of what one begins with."""
    return not line.endswith(b"\n") and any(
        _BEGINS.match(line + _BEGIN[at:]) for at in range(len(_BEGIN) + 1)
    )


def read_answer(line: bytes) -> BatchAnswer | None:
    """The answer of a whole line; None for anything else."""
    answer: Any = decode(line) if line.endswith(b"\n") else None
    if not answer or not isinstance(answer.get("request"), str):
        return None
    error = answer.get("error")
    is_error = isinstance(error, dict) and isinstance(error.get("code"), str)
    return answer if is_error or "output" in answer else None


def _id(line: bytes) -> str | None:
    answer = decode(line)  # orjson alone refuses half a surrogate pair, which a model may write
    return answer["id"] if answer else None


def error_code(answer: BatchAnswer) -> str | None:
    """None: the request was answered."""
    return answer["error"]["code"] if "error" in answer else None
