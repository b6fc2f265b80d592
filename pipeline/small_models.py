"""Which models are known to be no judges, no reviewers and no planners, by the number of parameters
that their names say.

Measured (docs/studies.md): Qwen2.5-Coder of 0.5 and of 1.5 billion parameters accepted each of 104
drafts, a third of them wrong, gave 26 of 27 of its own drafts back unchanged when it reviewed them,
and wrote worse code with its own plan than without. Nothing larger was measured."""

import re

_LARGEST_B = 1.5  # billions of parameters
# One digit of millions is how long a context it takes (`Qwen2.5-14B-Instruct-1M`).
_SIZE = re.compile(r"(?<![\w.])(?:(\d+(?:\.\d+)?)b|(\d{2,}(?:\.\d+)?)m)(?![a-z0-9])", re.IGNORECASE)
NO_JUDGE = (
    "is too small to judge: models of its size accept nearly every draft. What decides are the "
    "request's examples and drafts that agree."
)


def is_small(name: str) -> bool:
    """By the last size in the name; one without a size is given the benefit of the doubt. Of a path
    the file is the name, and where that is a model's, its folder."""
    *folders, last = name.split("/")
    shown = "-".join([*folders[-1:], last]) if last.endswith(".gguf") else last
    sizes = _SIZE.findall(re.sub(r"[-_:]", " ", shown))
    if not sizes:
        return False
    billions, millions = sizes[-1]
    return (float(billions) if billions else float(millions) / 1000) <= _LARGEST_B
