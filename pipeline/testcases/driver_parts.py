"""What the drivers of all languages have in common. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.signatures.signature import Signature
from pipeline.testcases.call_slots import Slot

MARK = "\x02"
"""Printed between what the program prints itself and the result."""

Given = Mapping[int, Any]
"""A call's values, by the places of their parameters."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """One call of a function. `slots`: of its parameters."""

    signature: Signature
    slots: Sequence[Slot]
    given: Given


RESULT = re.compile("\x02(.*?)\x03", re.DOTALL)
"""What a call of a session gives."""

RAISED = "raised"
"""Given by one that refuses what it is called with."""


class NoDriver(ValueError):
    """A program has nothing that takes what the calls give."""


TRUTH = re.compile(
    r"(?:is|has|can|are)(?:_|[A-Z])\w*"
    r"|is(?:prime|palin|even|odd|valid|sorted|leap|empty|anagram|perfect|armstrong|balanced)\w*"
)
"""Functions whose numbers are true or false: any but 0 is the same."""


def quoted(text: str, quote: str = '"') -> str:
    """A text as C, C++ and Java write it; three digits, so that none that follows is read as one of
    them."""
    return quote + "".join(_escaped(each) for each in text) + quote


def _escaped(character: str) -> str:
    if character in "\"'\\?":  # ??= is another character in old C
        return "\\" + character if character != "?" else "?"
    if character.isprintable() or not character.isascii():
        return character
    return f"\\{ord(character):03o}"


def switch(bodies: Iterable[str], head: str = "switch (n)") -> str:
    """Of C's kin."""
    cases = "\n".join(f"case {n}: {{\n{body}\nbreak; }}" for n, body in enumerate(bodies))
    return f"{head} {{\n{cases}\n}}"
