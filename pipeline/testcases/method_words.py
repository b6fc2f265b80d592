"""What the names of methods, and a request's words, say of what may be called and with what. Pure.

Right programs may do anything where a request leaves something open: what it does not speak of is
not tried.
"""

import re

ROOM = re.compile(r"cap\w*|max\w*|limit|size|length|n")
"""Parameters that say how much an object has room for."""

PLACE = re.compile(
    r"i|j|r|c|x|y|k|n|at|from|to|idx|index|id|pos|position|row|rows|col|cols|column|columns"
)
"""Parameters that say where in an object something is."""

FILLS = re.compile(
    r"(?:\w+_)?(?:add|append|connect|deposit|enqueue|insert|offer|push|put|record|register|set|submit"
    r"|store|visit|write)",
    re.IGNORECASE,
)
"""Methods that put something in."""

OF_SOME = re.compile(
    r"(?:get)?(?:pop|top|peek|front|back|first|last|head|tail|dequeue|poll|min|max|minimum|maximum"
    r"|average|mean|median|current|next|previous|prev|remove|delete|take)(?:front|back|first|last)?"
)
"""Methods without arguments that give something only if there is something in it."""

REMOVES = re.compile(r"pop|dequeue|poll|remove|delete|take")
EMPTIES = re.compile(r"clear|reset|empty|removeall")

TELLS = re.compile(
    r"(?:get|is|has|to)(?:_|[A-Z])\w*|(?:\w*[_a-z])?(?:[sS]ize|[cC]ount|[lL]en|[lL]ength|[eE]mpty"
    r"|[fF]ull|[cC]apacity|[rR]ows|[cC]ols|[nN]ame|[oO]wner|[bB]alance)"
)
"""Methods that only tell something of an object."""

_DOES = re.compile(
    r"(?:add|append|clear|close|deposit|enqueue|fill|insert|open|push|put|remove|reset|reverse|set"
    r"|sort|update|withdraw)(?:[_A-Z]\w*)?",
    re.IGNORECASE,
)
_GIVES = r"[^.;\n]{0,80}(?:->|\u2192|\bbool|\berror\b|\bgives?\b|\breturn|\btrue\b|\bfalse\b)"
_TYPES = r"(?:bool|boolean|int|long|size_t|usize|i32|double|float|string|String|std::string)"
_NEGATIVE = re.compile(
    r"negativ|positiv|[<\u2264>\u2265]\s?=?\s?[01]\b|(?<![\w.])-\d|\bminus|\bat least|\bbelow"
    r"|overdr|signed|subtract|\bdiff",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\b(?:empty|leer\w*|vides?|throws?|raises?|errors?|exceptions?|none|null|nil|panics?|optional?"
    r"|underflow|fails?|nothing)\b|(?<![\w.])-1\b",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"\boperat", re.IGNORECASE)


def is_done(name: str, request: str) -> bool:
    """Whether a method changes something, and no word says that it gives something."""
    word = re.escape(name)
    return bool(_DOES.fullmatch(name)) and not re.search(
        rf"\b{word}\b{_GIVES}|\b{_TYPES}\s{{1,3}}{word}\b", request
    )


def speaks_of_negative(request: str) -> bool:
    """Numbers below nothing."""
    return bool(_NEGATIVE.search(request))


def speaks_of_nothing(request: str) -> bool:
    """What comes of an object that holds nothing."""
    return bool(_NOTHING.search(request))


def speaks_of_operators(request: str) -> bool:
    return bool(_OPERATOR.search(request))
