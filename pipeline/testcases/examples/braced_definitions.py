"""What a text defines in a language with braces: its own code, of which its examples may say how it
is and not how it shall be. Pure."""

import re
from functools import lru_cache

_SIGNATURE = re.compile(
    r"\b(?:func|fn|function)\s{1,9}(?:\([^()\n]{0,80}\)\s{0,9})?(\w{1,99})\s{0,9}[(<\[]"
)
_BODY = r"{0}(?=[ \t]?[(<][^;{{}}\"]{{0,300}}\{{([^}}]{{0,300}}))"
# A type or a keyword before a name, and no word of a statement.
_BEFORE = re.compile(
    r"(?:^|\W)(?!(?:else|if|in|match|return|switch|while)\s)[\w<>]*[*&>\])\w][ \t*&]{1,9}$"
)
_NOTHING = re.compile(
    r"(?://[^\n]*|/\*.*?\*/|(?:todo|unimplemented)!\([^()]*\)|panic!?\([^()]*\)|\.\.\.|[\s;])*",
    re.DOTALL,
)


@lru_cache(maxsize=2)  # many calls of one text
def signatures_in(text: str) -> frozenset[str]:
    """The functions that it names with a keyword, with a body or without."""
    return frozenset(_SIGNATURE.findall(text))


@lru_cache(maxsize=8)
def defines(name: str, text: str) -> bool:
    """Whether it has a definition of this function that does something."""
    bodies = re.finditer(_BODY.format(re.escape(name)), text)
    return any(
        not _NOTHING.fullmatch(each[1])
        and _BEFORE.search(text, max(0, each.start() - 20), each.start())
        for each in bodies
    )
