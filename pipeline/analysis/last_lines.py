"""What a program does by itself below its functions: with a small model mostly a trial of them.
Pure."""

import re

from pipeline.analysis.statements import Statement, statements

_EXPORTS = re.compile(r"export\b|module\.exports\b|exports\.")
_FUNCTION = re.compile(r"\bfunction\b|=>|\bclass\b")  # of JavaScript, where a constant may be one
_DECLARING = {"const", "let", "var"}
_SETS = re.compile(
    r"(?<![.\w])([^\W\d]\w*)(?:\.\w+|\[[^\]\n]{0,80}\]){0,4}\s{0,9}[-+*/|]?=(?![=>])"
)
_NAME = re.compile(r"[^\W\d]\w*")


def without_last_lines(language: str, code: str) -> str:
    """The program without what it does below its last function or class, but for the names there
    that these use; "" where that is nothing, where it sets more that they use (`A.prototype.b =`),
    or it is in a language without a grammar."""
    found = statements(language, code)
    units = found[0] if found else []
    last = max((n for n, each in enumerate(units) if _defines(language, each)), default=-1)
    above = "\n".join(each.text for each in units[: last + 1])
    used = set(_NAME.findall(above)) - _DECLARING
    below = units[last + 1 :]
    left = [each for each in below if _stays(each, used)]
    gone = "\n".join(each.text for each in below if each not in left)
    if not (above and gone) or used.intersection(_SETS.findall(gone)):
        return ""
    return "\n".join([above, *(each.text for each in left), ""])


def _defines(language: str, statement: Statement) -> bool:
    if statement.kind == "definition":
        return language == "python" or bool(_FUNCTION.search(statement.text))
    return bool(_EXPORTS.match(statement.text) and _FUNCTION.search(statement.text))


def _stays(statement: Statement, used: set[str]) -> bool:
    if not statement.binds:
        return statement.kind == "import" or bool(_EXPORTS.match(statement.text))
    return not used.isdisjoint(_NAME.findall(statement.text.partition("=")[0]))
