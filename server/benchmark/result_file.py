"""Results on the disk: one JSON object a line, appended as each is had, so that a measurement that
was stopped goes on where it was."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
KEY = ("revision", "problem", "arm", "models", "settings", "seed")


def revision(package: Path) -> str:
    """Twelve digits that change with any source file of the pipeline."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


class ResultFile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[Row]:
        """Every whole row; a torn one at the end is none."""
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8") as file:
            for line in file:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if isinstance(row, dict) and all(name in row for name in KEY):
                    yield row

    def append(self, row: Row) -> None:
        """Written and synced before it returns; a torn line before it is closed off."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        data = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        with self.path.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def key_of(row: Row) -> str:
    """What a result is of: the same key is not measured twice."""
    return json.dumps([row[name] for name in KEY], sort_keys=True)
