"""Stable ids of chunks."""

from collections import Counter


class Ids:
    """`vtkActor_api_0`, `vtkActor_api_1`, `start_code_0`: counted for each label, and so unique."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def new(self, label: str, what: str) -> str:
        number = self._counts[label, what]
        self._counts[label, what] += 1
        return f"{label}_{what}_{number}"
