"""Requests that tell what goes wrong: the results that they state are those that shall not be.
Pure."""

import re

_MOST_READ = 20_000
_REPORTS = re.compile(
    r"\b(?:(?:fix|debug|mend|repair) (?:it|my|that|the|these|this)|please (?:debug|fix|mend|repair)"
    r"|(?:a|the|this|has a|there['’]s a) bugs?|buggy|(?:is|are|was|seems) (?:broken|lost|wrong)"
    r"|(?:it|that|this)(?:['’]s| is) (?:incorrect|not (?:correct|right)|wrong)"
    r"|(?:it|that|this) fails|the opposite of what|(?<!without )loses|goes wrong"
    r"|comes (?:out )?wrong"
    r"|wrong (?:result|answer|value|output|order)|(?:does|do)(?: not|n['’]t) work"
    r"|how (?:can|do|to) (?:I |we )?(?:keep|avoid|prevent)|(?:ist|sind|kommt|wird) falsch|kaputt"
    r"|korrigier\w*|fausse?s?|corrige\w*|(?:da|va|está|funciona) mal|arr[eé]gl\w*)\b"
    r"|^\W*(?:nope|nah|no(?= ?,)|(?:debug|fix|bug)\s*:)|, fix it\b|有问题|修复|исправ|неправильн",
    re.IGNORECASE,
)
# What shall be stands there, too, or in code that is given.
_SAYS_WHAT_SHALL_BE = re.compile(
    r"\b(?:should(?! (?:do|work|behave|have)\b)|must|shall|expect\w*|instead|rather|ought"
    r"|so (?:that|it(?:['’]s|[ ](?:is|gives|returns|becomes))[ ](?=\d))"
    r"|wants?|wanted|(?:need|like)s?(?:ed)? (?:it )?to|such that|to (?:return|give|be|pass)"
    r"|examples?|sample input|(?:correct|right) (?:answer|one|result|value|is|would)"
    r"|soll(?:te)?|erwart\w*|statt|gern|richtig\w*|devrait|doit|attend\w*|veux|voudrais|deb(?:e|ería)|quier\w*|esper\w*"
    r"|en lugar|assert)\b|so [\w.]+\(|\be\.g\.|应该|例如|期望|должн|>>>|\"{3}|'{3}",
    re.IGNORECASE,
)
_WANTS_NEW_CODE = re.compile(
    r"(?:^|[.!?:,]\s+)(?:please\s+|(?:can|could) you\s+)?(?:write|create|implement|build|define"
    r"|make|complete|give me an?|schreib\w*|écris|escribe|crea|写)\b"
    r"|\bfunction (?:to|that|which|for)\b",
    re.IGNORECASE | re.MULTILINE,
)


def reports_a_bug(request: str) -> bool:
    """Whether it speaks of what goes wrong."""
    return bool(_REPORTS.search(request[:_MOST_READ]))


def says_what_shall_be(request: str) -> bool:
    """Whether it has a word of what shall come, or be written."""
    said = request[:_MOST_READ]
    return bool(_SAYS_WHAT_SHALL_BE.search(said) or _WANTS_NEW_CODE.search(said))


def tells_only_what_is_wrong(request: str) -> bool:
    """Whether it speaks of what goes wrong, and has no word of what shall be."""
    return reports_a_bug(request) and not says_what_shall_be(request)
