"""Requests that tell what goes wrong: the results that they state are those that shall not be.
Pure."""

import re

_MOST_READ = 20_000
_REPORTS = re.compile(
    r"\b(?:fix(?:es)?|debug|mend|repair|bugs?|buggy|broken|opposite|los(?:es|t|ing)"
    r"|(?:is|are|goes|comes) wrong|wrong (?:result|answer|value|output|order)"
    r"|(?:does|do)(?: not|n['’]t) work|how (?:can|do|to) (?:I |we )?(?:keep|avoid|prevent)"
    r"|falsch\w*|kaputt|fehler\w*|korrigier\w*|fausse?s?|corrig\w*|mal\b(?! \d)|incorrect[oa]?"
    r"|arr[eé]gl\w*)\b|有问题|修复|错误|исправ|неправильн",
    re.IGNORECASE,
)
# What shall be stands there, too.
_SAYS_WHAT_SHALL_BE = re.compile(
    r"\b(?:should(?! (?:do|work|behave|have)\b)|must|shall|expect\w*|instead|rather|ought|so that"
    r"|wants?|wanted|(?:need|like)s?(?:ed)? (?:it )?to|such that|to (?:return|give|be|pass)"
    r"|examples?|(?:correct|right) (?:answer|one|result|value|is|would)|e\.g\.|soll(?:te)?"
    r"|erwart\w*|statt|gern|richtig\w*|devrait|doit|attend\w*|veux|voudrais|deb(?:e|ería)|quier\w*"
    r"|esper\w*|en lugar|assert)\b|应该|例如|期望|должн|>>>",
    re.IGNORECASE,
)
_WANTS_NEW_CODE = re.compile(
    r"(?:^|[.!?:,]\s+)(?:please\s+|(?:can|could) you\s+)?(?:write|create|implement|build|define"
    r"|complete|schreib\w*|écris|escribe|crea|写)\b",
    re.IGNORECASE | re.MULTILINE,
)


def reports_a_bug(request: str) -> bool:
    """Whether it speaks of what goes wrong."""
    return bool(_REPORTS.search(request[:_MOST_READ]))


def tells_only_what_is_wrong(request: str) -> bool:
    """Whether it does that, and has no word of what shall be."""
    said = request[:_MOST_READ]
    wants = _SAYS_WHAT_SHALL_BE.search(said) or _WANTS_NEW_CODE.search(said)
    return reports_a_bug(said) and not wants
