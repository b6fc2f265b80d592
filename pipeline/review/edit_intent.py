"""What a request wants of the code that it goes on with. Pure."""

import re

_MOST_READ = 1000  # characters of the words; who says more wants more
_KEEPS = re.compile(
    r"\b(?:faster|speed (?:\w+ )?up|optimi[sz]e|(?:more|most) efficient(?:ly)?|refactor|simplify"
    r"|clean(?:er|ed)?(?: \w+)? ?(?:up|code|version)?|readable|pythonic|tidy|shorter|shorten"
    r"|renam\w+|(?:type )?hints?|annotations?|docstrings?|comments?|one-?liner"
    r"|(?:without|instead of|no|avoid) recursion|iterative(?:ly)?|memoi[sz]\w+|lru_cache"
    r"|comprehensions?|schneller|optimier\w*|vereinfach\w*|lesbarer|kürzer|plus rapide|simplifier?"
    r"|más rápid[oa]|optimiz\w+)\b|\bO\(",
    re.IGNORECASE,
)
# It wants something else besides, or code of another kind.
_ALSO = re.compile(
    r"\b(?:also|as well|too(?! (?:slow|long|ugly|messy|complicated|hard))"
    r"|even|should|must|needs? to|but|except|fix(?:es|ed)?|bugs?|wrong"
    r"|crash\w*|errors?|exceptions?|rais(?:e|es|ing)|returns?|returning|handl\w+|supports?|ignor\w+"
    r"|accepts?|reject\w*|skip\w*|allow\w*|valid\w+|checks?|limits?|defaults?|options?"
    r"|parameters?|arguments?|prints?|logs?|convert|translate|async|generators?|yield|class|tests?"
    r"|outputs?|results?|messages?|tables?|reports?|lines|sort\w*|order|case|descending|ascending"
    r"|count\w*|treat\w*|upper|lower|insensitive|inclusive|integer|negative|empty|none|null"
    r"|when|if|unless|only|new|from the|of the (?:text|file|string|lines?)|why|what|how|which"
    r"|explain|auch|aber|soll|aussi|mais|también|pero)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;:.!?\n]|\b(?:and|so|then|with|und|et|y)\b", re.IGNORECASE)
# A clause that wants nothing by itself.
_IDLE = re.compile(
    r"\W*(?:(?:please|thanks?|thank you|thx|great|nice|ok(?:ay)?|good|perfect|cool|hi|hello|danke"
    r"|bitte|merci|gracias|(?:can|could|would) you|for me|if possible|in python|now|a bit|it works"
    r"|(?:this|it|that|which|(?:the )?(?:function|code|program|method))(?: is|['’]s| looks| seems)?"
    r"(?: too| very| quite| so)?(?: slow| long| ugly| messy| complicated| hard to read)?"
    r"(?: (?:for|on|with|given) (?:(?:very|really) )?(?:large|big|long|huge|many)(?: \w+){1,2})?"
    r"|keep (?:the )?(?:same )?(?:behaviou?r|result|output)|nothing(?: else| more)?"
    r"|(?:do(?:n['’]t| not) )?change (?:nothing|anything)(?: else)?"
    r"|(?:a )?(?:set|dict|generator expression|loop|while loop|for loop|stack|cache|caching)"
    r")(?:\W+|$))*$",
    re.IGNORECASE,
)
_NO_RECURSION = re.compile(
    r"\b(?:without|instead of|no|avoid) recursion|\b(?:non-?recursive|iterative)", re.IGNORECASE
)
_POLITE = re.compile(r"\W*(?:can|could|would) you\b", re.IGNORECASE)
# Another function beside what there is, which is to stay as it is.
_BESIDE = re.compile(
    r"\badd (?:an?|another|the)(?: \w+){0,2} (?:function|helper)s?\b|\bkeep both\b"
    r"|\bnow (?:an?other\b|one (?:that|which|for)\b|(?:add|give|make|write) (?:an?other|one)\b)"
    r"|\b(?:und|jetzt|noch) eine (?:die|der|das|funktion)\b|\bune autre fonction\b"
    r"|\botra función\b",
    re.IGNORECASE,
)
_CHANGES_ALSO = re.compile(
    r"\b(?:and (?:use|change|fix|make|let|rename)|chang\w+|fix\w*|handl\w+|instead|replac\w+"
    r"|renam\w+|refactor\w*|should|so that|split|wrong)\b",
    re.IGNORECASE,
)

_RAISES = re.compile(r"\b(?:rais\w*|throw\w*|strict\w*|\w*errors?|\w*exceptions?)\b", re.IGNORECASE)
_OTHER_INPUT = re.compile(
    r"\b(?:instead|rather than|only|tak(?:e|es|ing)|accept\w*|expect\w*|assum\w+|pass(?:ed|es|ing)?"
    r"|receiv\w+|inputs?|arguments?|parameters?|convert\w*|dicts?|objects?|dataclass\w*|class|json"
    r"|files?|paths?|arrays?|dataframes?|numpy|pandas)\b",
    re.IGNORECASE,
)

_LOOKS_UP = re.compile(
    r"\blook\w*\b[^.\n]{0,40}\bup\b|\blookup|\btables?\b|\bmap(?:s|ping)?\b", re.I
)


def may_keep_results(prompt: str) -> bool:
    """As below, of a prompt in which code may stand, quickly."""
    return bool(_KEEPS.search(prompt))


def keeps_results(said: str) -> bool:
    """Whether the code is to do what it did, written in another way: all clauses say so, or ask for
    nothing."""
    if len(said) > _MOST_READ or _ALSO.search(said) or ("?" in said and not _POLITE.match(said)):
        return False
    clauses = [each for each in _CLAUSES.split(said) if each.strip() and not _IDLE.match(each)]
    return bool(clauses) and all(map(_KEEPS.search, clauses))


def wants_no_recursion(said: str) -> bool:
    return bool(_NO_RECURSION.search(said[:_MOST_READ]))


def wants_another(said: str) -> bool:
    """Whether a function is to be added, and what there is has to stay as it is."""
    said = said[: _MOST_READ + 1]
    is_short = len(said) <= _MOST_READ
    return is_short and bool(_BESIDE.search(said)) and not _CHANGES_ALSO.search(said)


def may_raise(said: str) -> bool:
    """Whether what gave a value may raise an exception from now on."""
    return bool(_RAISES.search(said[:_MOST_READ]))


def excused_crashes(said: str) -> set[str]:
    """The exceptions by which code may fall over what it could do: what was a right argument may be
    a wrong one from now on, or stand in no table."""
    said = said[:_MOST_READ]
    of_kind = {"AttributeError", "TypeError"} if _OTHER_INPUT.search(said) else set[str]()
    return of_kind | ({"IndexError", "KeyError"} if _LOOKS_UP.search(said) else set())
