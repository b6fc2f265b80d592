"""Records to store, and an operating system that refuses on demand."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from history.reader import Reader
from history.record import Record, encode
from history.segment_files import path_of


def make_record(id: str = "run-000001", **values: Any) -> Record:
    """A finished run; `values` replace or add keys."""
    record: dict[str, Any] = {
        "id": id,
        "schema": 1,
        "ts": "2026-11-21T10:00:00Z",
        "session": None,
        "source": "native",
        "kind": "run",
        "mode": "code_reviewed",
        "original_prompt": f"prompt of {id}",
        "normalized_prompt": f"prompt of {id}",
        "coder_output": "pass",
        "reviewer_output": None,
        "final_output": "pass",
        "final_source": "coder",
        "final_reason": None,
        "escalated": False,
        "escalation_reason": None,
        "judge": None,
        "reviewer_judge": None,
        "evidence": [],
        "thresholds": {"confidence": 8, "conflict": 6},
        "context_ids": [],
        "steps": [],
        "artefact": None,
        "error": None,
        "duration_ms": 12.5,
    }
    return record | values  # type: ignore[return-value]


def run_id(number: int) -> str:
    return f"run-{number:06d}"


def write_file(directory: Path, number: int, *lines: Record | bytes) -> Path:
    """Write a history file by hand: records, and bytes as they are."""
    directory.mkdir(exist_ok=True)
    path = path_of(directory, number)
    path.write_bytes(b"".join(encode(x) if isinstance(x, dict) else x for x in lines))
    return path


def ids_in(directory: Path) -> list[str]:
    return [record["id"] for record in Reader(directory)]


class FaultyOs:
    """`os`, with functions that fail or do less: `faults["write"] = [OSError(…), 3, None]`.

    Each call takes the next fault: an error is raised, a number is the size of a short write,
    None lets the call through. `calls` has the names of all calls in order.
    """

    def __init__(self) -> None:
        self.faults: dict[str, list[OSError | int | None]] = {}
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        value = getattr(os, name)
        return self._wrapped(name, value) if callable(value) else value

    def _wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self.calls.append(name)
            queue = self.faults.get(name)
            fault = queue.pop(0) if queue else None
            if isinstance(fault, OSError):
                raise fault
            if fault is not None:
                descriptor, data = arguments
                return function(descriptor, data[:fault])
            return function(*arguments, **options)

        return call

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "FaultyOs":
        monkeypatch.setattr("history.segment.os", self)
        monkeypatch.setattr("laios.durable_file.os", self)
        monkeypatch.setattr("history.append_log.os", self)
        monkeypatch.setattr("history.segment_files.os", self)
        return self


def refusal(name: str) -> OSError:
    """An error by its symbol: `refusal("ENOSPC")`."""
    number = getattr(errno, name)
    return OSError(number, os.strerror(number))
