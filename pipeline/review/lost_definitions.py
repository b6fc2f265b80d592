"""What the last answer of a talk defines and a draft that adds to it does not: small models answer
with the new part alone, or with a class that lost a method. Pure."""

import re

from pipeline.analysis.definitions import public_names
from pipeline.exchange import Exchange
from pipeline.review.last_answer import answered_in

_MOST_READ = 2000  # characters of a request
# It asks for more than there is: all of that is to stay.
_ADDS = re.compile(
    r"\b(?:add|also|as well|both|extend|include|keep|besides|too(?=\W*$)|füge|ergänze|auch|ajoute"
    r"|aussi|añade|también|adicione|também|aggiungi|anche)\b",
    re.IGNORECASE,
)
# It wants something else, of which nobody knows what it needs.
_MAY_LOSE = re.compile(
    r"\b(?:remov|delet|drop|strip|without|get(?:ting)? rid|renam|replac|instead|split|simplif|merg"
    r"|refactor|rewrit|inline|convert|translat|shorter|one-?liner|call it|named?\b|tests?\b|only\b)"
    r"|\b(?:new|separate|another|second) (?:file|script|program|module)\b",
    re.IGNORECASE,
)


def lost_names(
    request: str, talk: tuple[Exchange, ...], code: str, language: str | None
) -> list[str]:
    """By name; none where the request may want them gone, or the last answer is in
    another language. A code in none is taken for one in that of the answer."""
    said = request[:_MOST_READ]
    if not talk or _MAY_LOSE.search(said):
        return []
    before = talk[-1].answer
    spoken = answered_in(talk[-1])
    if not spoken or language not in (None, spoken):
        return []
    had, has = public_names(spoken, before), public_names(spoken, code)
    part = had & has or _ADDS.search(said)  # else it may be another program
    return sorted(had - has) if part else []
