"""Requests that ask for words: what a model says beside its code is then a part of its answer.
Pure."""

import re
from collections.abc import Iterator
from textwrap import wrap

from pipeline.analysis.fences import without_fences

_WIDTH, _MOST_LINES, _MOST_READ = 90, 60, 20_000
_ASKS = re.compile(
    r"\W*(?:(?:please|can you|could you)\s+)*(?:why|what(?:'s|\s+(?:is|are|does|do|did|happens))"
    r"|how\s+(?:does|is|are|come|do(?!\s+(?:i|you|we)\b))|explain|describe|compare"
    r"|which\s+(?:\w+\s+){0,4}?(?:is|are)|(?:is|are)\s+(?:it|this|that|these)"
    r"|(?:should|when\s+should)\s+(?:i|we|one|you)"
    r"|warum|wieso|was\s+(?:ist|sind|macht|bedeutet)|erkl[äa]re?|pourquoi|explique|por\s+qu[ée]"
    r"|qu[ée]\s+(?:es|hace)|explica|почему|что|объясни|为什么|解释|什么是)(?!\w)",
    re.IGNORECASE,
)
_MAKES = re.compile(
    r"\b(?:write|make|create|build|implement|fix|correct|mend|repair|rewrite|refactor|convert|add"
    r"|change|generate|give me|way to)\b"
    r"|(?<!\bthis )(?<!\bmy )\b(?:command|one-?liner|script|query|regex)\b",
    re.IGNORECASE,
)
# Code that stands in it, or is to be written.
_WANTS_CODE = re.compile(
    r"^[ \t]*(?:def|class|async def|import|from|for|while|function|const|let)\b.*[\w:;({]$"
    r"|^[ \t]*(?:\w+ ?=|print\()|(?<!\w)(?:write|fix|create|make|implement|add|convert|refactor"
    r"|rewrite|optimi[sz]e|build|generate|function|class|script|program)(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)
_QUESTION = re.compile(
    r"(?:^|[.!?,:;]\s+)(?:what|why|how|who|when|where|which|explain|describe|compare|tell"
    r"|(?:can|could) you (?:explain|describe|tell))\b|\?\s*(?:$|\n)",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"\W*(?:thanks?|thx|danke|merci|gracias|ok(?:ay)?|great|perfect|nice|cool)(?!\w)", re.IGNORECASE
)
_MARKUP = re.compile(r"^[#>\s]*(?:\*\s+)?")  # of a heading, a quotation, a list
_BOLD = re.compile(r"(?<![\w`(*])\*\*(?=[^\s*])([^*]+)(?<=\S)\*\*(?![\w*])")  # not `n**2`


def asks_for_words(request: str) -> bool:
    """Whether it is a question about something, and asks for no code."""
    said = request[:_MOST_READ].strip()
    first, last = said.partition("\n")[0], said.rpartition("\n")[2]  # code may stand between
    return bool(_ASKS.match(said)) and not _MAKES.search(f"{first}\n{last}")


def asks_for_code(request: str) -> bool:
    """Not where it asks a question, which comments may answer."""
    said = request[:_MOST_READ]
    return bool(_WANTS_CODE.search(said)) and not _QUESTION.search(said)


def wants_no_code(request: str) -> bool:
    """Whether what goes on with an answer wants no code: a question, thanks."""
    said = request[:_MOST_READ].strip()
    is_no_wish = said.endswith("?") or _THANKS.match(said)
    return asks_for_words(request) or bool(is_no_wish and not _MAKES.search(said))


def words_beside(reply: str) -> list[str]:
    """What a reply says beside its blocks, in lines of a width that is read easily; [] where it
    says nothing. What only leads to a block is left out."""
    return list(_lines(without_fences(reply)))[:_MOST_LINES]


def _lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        said = _BOLD.sub(r"\1", _MARKUP.sub("", line[: _WIDTH * _MOST_LINES])).strip()
        if said and not said.endswith(":"):
            yield from wrap(said, _WIDTH)
