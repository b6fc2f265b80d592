"""An earlier request and the code that answered it."""

from dataclasses import dataclass

UNKNOWN = "(What was asked for is not known.)"
"""In the place of a request that a model needs and nobody has."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """`answer` is "" where there was none: it was stopped."""

    request: str
    answer: str

    def __str__(self) -> str:
        """As it stands in a prompt that shows earlier work as text."""
        return f"User request:\n{self.request}\n\nAssistant code:\n{self.answer}\n"
