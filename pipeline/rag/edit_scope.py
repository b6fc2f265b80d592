"""How far a repair goes beyond what it was asked to repair. Pure."""

import re
from collections.abc import Iterable, Sequence

from laios.types.validation import ValidationError
from pipeline.analysis.line_matcher import LineMatcher

NEAR = 2  # lines around an error that belong to it
MORE = 4  # lines that may come besides for an error
TOLERATED = 3  # lines; in longer programs a tenth
_BESIDE = re.compile(r"(?:#.*|(?:import|from|using|use)\b.*|(?:\w[\w ,]*)?\)?,?)")
_QUOTED = re.compile(r"'([A-Za-z_][\w.]*)'")


def lines_beyond(before: str, after: str, errors: Iterable[ValidationError]) -> int:
    """How many lines differ that have nothing to do with the errors. Imports and comments may
    always change, and so may lines with a name that an error names."""
    errors = list(errors)
    old, new = _lines(before), _lines(after)
    near = _near(old, errors)
    beyond = 0
    for tag, i, j, k, m in LineMatcher(old, new).get_opcodes():
        if tag == "equal" or _is_beside(old[i:j] + new[k:m]):
            continue
        lines = range(i + 1, j + 1)
        beyond += sum(n not in near for n in lines)
        at_an_error = near & {i, i + 1, *lines}
        beyond += max(0, (m - k) - (j - i) - (MORE * len(errors) if at_an_error else 0))
    return beyond


def _near(lines: Sequence[str], errors: Iterable[ValidationError]) -> set[int]:
    near: set[int] = set()
    for error in errors:
        near |= {*range(error.line - NEAR, error.line + NEAR + 1)}
        named = {word.rpartition(".")[2] for word in _QUOTED.findall(error.message)}
        near |= {n for n, line in enumerate(lines, 1) if named & set(re.findall(r"\w+", line))}
    return near


def is_too_far(before: str, beyond: int) -> bool:
    return beyond > max(TOLERATED, len(_lines(before)) // 10)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def _is_beside(lines: Sequence[str]) -> bool:
    bare = [line.strip() for line in lines if line.strip()]
    imports = not bare or re.match(r"(?:import|from|using|use)\b|#", bare[0])
    return bool(imports) and all(map(_BESIDE.fullmatch, bare))
