"""What the finders give."""

from dataclasses import dataclass, field
from typing import Any

from pipeline.testing.literals import Arguments


@dataclass(frozen=True, slots=True)
class Example:
    """An example as it stands in the prompt. `function`: "" where the form names none.
    `labelled`: the keywords are the prompt's own labels and need not be the code's."""

    arguments: Arguments
    expected: Any
    function: str = ""
    stdin: str | None = None
    labelled: bool = False


@dataclass(slots=True)
class Found:
    """What one form's finder found; `notes` on what looked like an example and was none."""

    examples: list[Example] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
