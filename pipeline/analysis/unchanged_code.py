"""Code that a draft took over from its request as it stood there, where that was to be changed.
Pure."""

import re
from itertools import dropwhile
from textwrap import dedent

_MOST_READ = 20_000  # characters of a request
# A change of code that the request has, in words.
_CHANGES = re.compile(
    r"\b(?:fix|mend|repair|debug|correct|refactor|rewrite|simplify|optimi[sz]e|improve|change|modify"
    r"|extend|replace|rename|convert|translate|faster|slow|wrong|broken|bugs?|buggy|errors?"
    r"|exception|traceback|fails?|crash(?:es)?|(?:does not|doesn't|not) work(?:ing)?"
    r"|make (?:it|this|the)|add|remove|handle|support|ignore|instead|also)\b",
    re.IGNORECASE,
)
_TAKES_OUT = re.compile(
    r"\b(?:remov|delet|dropp?|extract|stripp?|without|get(?:ting)? rid of|tak(?:e|ing) out)", re.I
)


def changes_code(request: str) -> bool:
    """Whether it wants a change of code."""
    return bool(_CHANGES.search(request[:_MOST_READ]))


def takes_out(request: str) -> bool:
    """Whether a part of something is to go."""
    return bool(_TAKES_OUT.search(request[:_MOST_READ]))


def stands_in(code: str, request: str) -> bool:
    """Whatever its blanks, and the comments that a draft puts before it. Where something is to be
    taken out of the request's code, a part of it is no such draft, and where that was indented
    otherwise, no draft is."""
    lines = code.strip().splitlines()
    own = [*dropwhile(lambda line: line.lstrip().startswith(("#", "//")), lines)]
    if len(own) < 2:
        return False
    before, known, behind = " ".join(request.split()).partition(" ".join(" ".join(own).split()))
    if not known or _is_indented_anew(own, request):
        return False
    is_part = behind.strip(" `") or not before.rstrip().endswith((":", ".", "`", "python"))
    return not (is_part and takes_out(request))


def _is_indented_anew(own: list[str], request: str) -> bool:
    """Whether the request has the same lines, further in or out."""
    own, lines = ([each for each in some if each.strip()] for some in (own, request.splitlines()))
    bare, bare_lines = ([each.strip() for each in some] for some in (own, lines))
    text = "\n".join(["", *bare_lines, ""])
    start = text.find("\n".join(["", *bare, ""]))
    first = text.count("\n", 0, start) if start >= 0 else len(lines)
    same = lines[first : first + len(own)]
    return bool(same) and dedent("\n".join(same)) != dedent("\n".join(own))
