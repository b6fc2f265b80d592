"""Whether code has the name that a request calls for: as it is spelt, or as another language does
it. Pure."""

import re

from pipeline.analysis.unchanged_code import takes_out
from pipeline.analysis.undefined_names import words_in

_GIVEN = r"^[ \t]*(?:async )?(?:def|function)[ \t]+{0}\b"
# What a definition in the request was called need not be called so afterwards.
_NAMES_ANEW = re.compile(
    r"\brenam|\bbetter names?\b|\bmerg(?:e|ing)\b|\bcombin|\binto one\b|\bsplit\b|\bmissing\b"
    r"|\bdecorator\b|\breplac(?:e|ing)\b"
    r"|\b(?:in)?to (?:an? )?(?:\w+ )?(?:class|lambda|methods?)\b",
    re.IGNORECASE,
)
_CONVERTS = re.compile(r"\b(?:convert|translate|port|transpile|migrate|rewrite)\b", re.IGNORECASE)


def has_name(code: str, name: str, request: str) -> bool:
    """As it is. What is converted may be spelt as its new language has it (`groupBy`, `group_by`);
    what stands below a wish to rename it, or to take it out, need not be there."""
    if re.search(rf"\b{re.escape(name)}\b", code):
        return True
    if given := re.search(_GIVEN.format(re.escape(name)), request, re.MULTILINE):
        asked = request[: given.start()]
        if _NAMES_ANEW.search(asked) or takes_out(asked):
            return True
    return bool(_CONVERTS.search(request)) and _folded(name) in map(_folded, words_in(code))


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
