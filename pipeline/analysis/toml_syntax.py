"""Parse untrusted TOML. Pure."""

import tomllib
from typing import Any

MOST_DOTS = 200  # of a line: the time for a dotted key grows with the square of its parts


def read_toml(text: str) -> dict[str, Any] | None:
    """The table of a text; None for one that would take too long. Raises ValueError, and
    RecursionError for what is nested too deeply."""
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        return None
    return tomllib.loads(text)
