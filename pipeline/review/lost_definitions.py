"""What the last answer of a talk defines and a draft that adds to it does not: small models answer
with the new part alone, or with a class that lost a method. Pure."""

import re

from pipeline.analysis.definitions import public_names
from pipeline.analysis.questions import wants_no_code
from pipeline.exchange import Exchange
from pipeline.review.last_answer import answered_in

_MOST_READ = 2000  # characters of a request
# It asks for more than there is, and nothing of its own: all of that is to stay.
_ADDS = re.compile(
    r"^\W*(?:(?:please|now|and|then|ok(?:ay)?|great|nice|thanks?|thank you|(?:can|could) you|und|et"
    r"|y|e|bitte)\W+)*(?:add|also|extend|include|keep|and|füge|ergänze|ajoute|aussi|añade|también"
    r"|adicione|também|aggiungi|anche)\b"
    r"|\bkeep (?:both|it|them|all of|the (?:old|other|existing|first))\b"
    r"|\b(?:as well|besides|too|hinzu)\W*$",
    re.IGNORECASE,
)
# It wants something of its own, or else, of which nobody knows what it needs.
_MAY_LOSE = re.compile(
    r"\b(?:remov|delet|drop|strip|without|get(?:ting)? rid|renam|replac|instead|split|simplif|merg"
    r"|refactor|rewrit|inline|convert|translat|shorter|one-?liner|call it|named?\b|tests?\b|only\b"
    r"|combin|into\b|(?:one|single) (?:function|class|method)|private|identifiers?|naming|lambda"
    r"|(?:snake|camel|pascal)[\W_]?case|(?:make|turn) it (?:an?|into)\b|writ(?:e|ing)\b|creat"
    r"|implement|schreib|écri|escrib|explain|examples?\b|usage|show me|how (?:do|can|would|to)\b"
    r"|files?\b|(?:do|does|is)(?:n['’]t| not) need|leave (?:\w+ )?out|ohne\b|entfern|lösch"
    r"|zusammen|inside\b|use\b)"
    r"|\b(?:new|separate|another|second) (?:script|program|module)\b",
    re.IGNORECASE,
)
# A name of another kind: `add = lambda a, b: …`, `from operator import add`.
_BINDS = r"\b{0}\s*(?::[^=\n]{{1,80}})?=(?!=)|\b(?:as|import)\b[^\n(]{{0,200}}\b{0}\b"


def lost_names(
    request: str, talk: tuple[Exchange, ...], code: str, language: str | None
) -> list[str]:
    """By name; none where the request may want them gone, or the last answer is in
    another language. A code in none is taken for one in that of the answer."""
    said = request[:_MOST_READ]
    if not talk or _MAY_LOSE.search(said) or wants_no_code(said):
        return []
    before = talk[-1].answer
    spoken = answered_in(talk[-1])
    if not spoken or language not in (None, spoken):
        return []
    had, has = public_names(spoken, before), public_names(spoken, code)
    is_part = had & has or _ADDS.search(said)  # else it may be another program
    lost = sorted(had - has) if is_part else []
    return [name for name in lost if not re.search(_BINDS.format(re.escape(name)), code)]
