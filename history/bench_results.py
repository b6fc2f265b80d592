"""Results of `laios bench` on the disk: one JSON object a line, appended as each is had, so that a
measurement that was stopped goes on where it was."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from history.record import PASSING
from history.segment_files import open_plain

ResultRow = Mapping[str, Any]
KEY = ("revision", "problem", "arm", "models", "settings", "seed")
_LONGEST = 1 << 20  # bytes of a line
_MOST = 1e12  # of anything that is counted


class ResultFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[ResultRow]:
        """Every row that says what it is of; a torn line is none. Raises OSError."""
        yield from (row for row in self._objects() if all(name in row for name in KEY))

    def results(self) -> Iterator[ResultRow]:
        """Every row that has all that a measurement says, as it says it: what somebody else wrote
        into the file adds up to nothing. A run for which no model was there is none either: it says
        nothing of the mode, and is measured again. Raises OSError."""
        whole = (row for row in self if all(fits(row.get(name)) for name, fits in _FACTS))
        yield from (row for row in whole if row["error"] not in PASSING)

    def _objects(self) -> Iterator[ResultRow]:
        if not self.path.exists():
            return
        with open_plain(self.path) as file:
            for line in iter(lambda: file.readline(_LONGEST), b""):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(row, dict):
                    yield row

    def is_another(self) -> bool:
        """Whether there are whole lines and none is a result: a file of something else, such as the
        problems. Raises OSError."""
        if not self.path.exists():
            return False
        with open_plain(self.path) as file:
            has_line = file.readline(_LONGEST).endswith(b"\n")
        return has_line and next(iter(self), None) is None

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


_LONGEST_NAME = 1000  # characters: a page says them many times
_MOST_ROLES = 20


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_NAME


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


def _is_number(value: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= value <= _MOST  # type: ignore[operator]


def _is_number_or_none(value: object) -> bool:
    return value is None or _is_number(value)


def _are_models(value: object) -> bool:
    return (
        isinstance(value, dict) and len(value) <= _MOST_ROLES and all(map(_is_text, value.values()))
    )


def _is_error(value: object) -> bool:
    return value is None or isinstance(value, str)


_FACTS: tuple[tuple[str, Callable[[object], bool]], ...] = (
    *((name, _is_text) for name in ("revision", "problem", "arm")),
    ("models", _are_models),
    ("error", _is_error),
    *((name, _is_truth) for name in ("passed", "draft_passed", "escalated")),
    *((name, _is_number_or_none) for name in ("confidence", "conflict")),
    *((name, _is_number) for name in ("calls", "prompt_tokens", "cached_tokens")),
    *((name, _is_number) for name in ("output_tokens", "seconds")),
)
"""What every measured row has, and how it looks."""
