"""Results of `laios bench` on the disk: one JSON object a line, appended as each is had, so that a
measurement that was stopped goes on where it was."""

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, ValidationError

from history.record import PASSING
from history.segment_files import open_plain

ResultRow = Mapping[str, Any]
KEY = ("revision", "problem", "arm", "models", "settings", "seed")
_LONGEST = 1 << 20  # bytes of a line

_Name = Annotated[InstanceOf[str], Field(max_length=1000)]
"""A page says it many times. (A `str` with a length would have no lone surrogates.)"""
_Amount = Annotated[float, Field(ge=0, le=1e12)]


class _Measured(BaseModel):
    """What every measured row has, and how it looks."""

    model_config = ConfigDict(strict=True)

    revision: _Name
    problem: _Name
    arm: _Name
    models: Annotated[dict[str, _Name], Field(max_length=20)]
    error: str | None
    passed: bool
    draft_passed: bool
    escalated: bool
    confidence: _Amount | None
    conflict: _Amount | None
    calls: _Amount
    prompt_tokens: _Amount
    cached_tokens: _Amount
    output_tokens: _Amount
    seconds: _Amount


class ResultFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[ResultRow]:
        """Every row that says what it is of; a torn line is none. Raises OSError."""
        if not self.path.exists():
            return
        with self._read() as file:
            for line in iter(lambda: file.readline(_LONGEST), b""):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(row, dict) and all(name in row for name in KEY):
                    yield row

    def results(self) -> Iterator[ResultRow]:
        """Every row that has all that a measurement says, as it says it: what somebody else wrote
        into the file adds up to nothing. A run for which no model was there is none either: it says
        nothing of the mode, and is measured again. Raises OSError."""
        for row in self:
            with suppress(ValidationError):
                if _Measured.model_validate(row).error not in PASSING:
                    yield row

    def is_another(self) -> bool:
        """Whether there are whole lines and none is a result: a file of something else, such as the
        problems. Raises OSError."""
        if not self.path.exists():
            return False
        with self._read() as file:
            has_line = file.readline(_LONGEST).endswith(b"\n")
        return has_line and next(iter(self), None) is None

    def _read(self) -> BinaryIO:
        if self.path.is_dir():
            such = f"give a file, such as {self.path / 'results.jsonl'}"
            raise IsADirectoryError(errno.EISDIR, f"it is a directory; {such}", str(self.path))
        return open_plain(self.path)

    def create(self) -> None:
        """Empty, if it is not there. Raises OSError where `append` would."""
        self._open().close()

    def _open(self) -> BinaryIO:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.path.open("ab+")

    def append(self, row: ResultRow) -> None:
        """Written and synced before it returns; a torn line before it is closed off."""
        data = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        with self._open() as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def result_files(directory: Path) -> list[ResultFile]:
    """`results.jsonl`, and what else is called `results….jsonl` beside it: other machines'."""
    return [ResultFile(path) for path in sorted(directory.glob("results*.jsonl"))]


def key_of(row: ResultRow) -> str:
    """What a result is of: the same key is not measured twice."""
    return json.dumps([row[name] for name in KEY], sort_keys=True)
