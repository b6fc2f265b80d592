"""Unified diffs of two versions of a code. Pure."""

import difflib


def unified(before: str, after: str) -> str:
    """ "" where nothing is different. A last line without its end is marked, as diff does it."""
    lines: list[str] = []
    for row in difflib.unified_diff(_lines(before), _lines(after), "original", "modified"):
        lines.append(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(text: str) -> list[str]:
    """By line feeds alone: other separators may stand in a string."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
