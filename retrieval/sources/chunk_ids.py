"""Stable ids of chunks."""

from collections import Counter

from retrieval.sources.chunk import ContentType

_WHAT: dict[ContentType, str] = {"CODE": "code", "API_DOC": "api", "CONCEPT": "concept"}


class Ids:
    """`vtkActor_api_0`, `vtkActor_api_1`, `start_code_0`: counted for each label, and so unique."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def new(self, label: str, kind: ContentType) -> str:
        number = self._counts[label, kind]
        self._counts[label, kind] += 1
        return f"{label}_{_WHAT[kind]}_{number}"
