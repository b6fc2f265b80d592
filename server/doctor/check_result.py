"""The result of one check."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was seen and, unless it is ok, what helps. `check` is a stable name for programs, and
    `facts` holds what was measured, as JSON values. A warning is something that works and could
    be better; a problem is something that does not work."""

    check: str
    level: Level
    seen: str
    fix: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


def split_fix(message: str, otherwise: str) -> tuple[str, str]:
    """The error messages of laios say what is wrong and then what to do: the first sentence, and
    the others or else `otherwise`."""
    seen, _, fix = message.partition(". ")
    return (f"{seen}.", fix) if fix else (message, otherwise)
