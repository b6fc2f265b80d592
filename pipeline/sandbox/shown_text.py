"""What a program prints as a request shows it, where another layout is as good. Pure."""

import json
from collections.abc import Iterable
from typing import Any, Literal

from pipeline.sandbox.value_comparison import same, without_blanks

How = Literal["as JSON", "in any order", "in any columns"]


class ShownText(str):
    """The text; in any order come its lines, in any columns their words."""

    __slots__ = ("how",)
    how: frozenset[How]

    def __new__(cls, text: str, how: Iterable[How] = ()) -> "ShownText":
        made = super().__new__(cls, text)
        made.how = frozenset(how)
        return made

    def is_shown_by(self, printed: str) -> bool:
        """Whether it is the same but for what may be otherwise."""
        if "as JSON" in self.how:
            wanted, came = as_json(self), as_json(printed)
            return came is not None and same(came, wanted)
        return self._settled(printed) == self._settled(self)

    def _settled(self, text: str) -> list[str]:
        lines = without_blanks(text).split("\n")
        if "in any columns" in self.how:
            lines = [" ".join(line.split()) for line in lines if line.strip()]
        return sorted(lines) if "in any order" in self.how else lines


def as_json(text: str) -> list[Any] | None:
    """The objects and lists that it is, all in one or one a line; None where it is anything
    else."""
    for parts in ([text], text.strip().split("\n")):
        try:
            values = [json.loads(each) for each in parts]
        except (ValueError, RecursionError):
            continue
        return values if all(isinstance(each, dict | list) for each in values) else None
    return None
