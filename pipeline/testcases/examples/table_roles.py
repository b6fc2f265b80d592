"""Which of the tables and arrays that a request shows are given, and which are to come of them: by
the sentence before each, and the one behind it. What comes today, wrongly, is neither. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.testcases.examples.printed_tables import Printed
from pipeline.testcases.literals import calls_of

Role = Literal["given", "wanted", "neither"]

_IS_RESULT = re.compile(
    r"\b(?:should|want\w*|needs?|i'd like|like to (?:get|have|see)|(?:just|only) this|expect\w*"
    r"|desired|results?|outputs?|becomes?|gives?|get|returns?|returned|turned? into|into|converted"
    r"|after(?:wards)?|transformed|produces?|yields?|then"
    r"|that it looks? like|to this|target|final\w*|solution|soll|sollen|ergibt|ergebnis"
    r"|gewünscht\w*|wird|werden|lösung|also so|aussehen|daraus|nachher|möchte|hätte|erwarte\w*"
    r"|(?:he)?rauskommen|résultat|attendu\w*|voudrais|souhait\w+|resultado|quiero|esperad[oa]|seria|resultaat)\b|(?<!\w)[-=]>|→|^\W*to\W*$"
    r"|结果|应该|输出|期望|вот так|результат|должн",
    re.IGNORECASE,
)
# What comes today. Code that is not the function's call gives that, too.
_IS_WRONG = re.compile(
    r"\b(?:but (?:i|it) (?:get|gives?|got)|instead (?:i|it)|(?:get|gives?) (?:this )?instead|wrong"
    r"|incorrect|what (?:i|it) (?:now )?(?:gets?|gives?|prints?)|current(?:ly)?|actual\w*"
    r"|at the moment|my (?:code|attempt)|so far|not what|right now|prints? now|falsch|stattdessen"
    r"|you (?:return|give|print)|your (?:query|code|version)|already (?!set)|tussenstap"
    r"|intermediate|derzeit|actuellement|obtengo)\b|\w\.\w+\(|\w\[['\"]",
    re.IGNORECASE,
)
_IS_GIVEN = re.compile(
    r"\b(?:merg|join|combin|compar|match|multipl)\w*\b[^.\n]{0,60}\b(?:with|to|by|against)\b[^.\n]{0,40}$",
    re.IGNORECASE,
)
# A table about tables.
_IS_ABOUT = re.compile(r"\b(?:mapping|legend|schema|legende|zuordnung)\b", re.IGNORECASE)
# What is given is more than what is shown, or what is shown is none of it.
_IS_PART = re.compile(
    r"\.head\(|\bfirst (?:few |couple of |\d+ )?(?:rows|lines|entries)\b(?! of (?:each|every))"
    r"|\bexcerpt|\b(?:part|extract|snippet|beginning|sample|subset) of (?:my|the|a|our)\b"
    r"|\b(?:and so on|etc|made[- ]up|invented|only about the format|auszug|usw)\b",
    re.IGNORECASE,
)
_QUERY = re.compile(
    r"^(?:[\w ]{0,30}[=#>]{1,3})?[ \t]*select\b(?! +\*)", re.IGNORECASE | re.MULTILINE
)
_SO_NOT = re.compile(
    r"^\W*but\b(?! (?:i|it) (?:gets?|gives?|got))|\b(?:(?:is|'s) ?n[o']t (?:right|correct|what)"
    r"|wrong|incorrect|no sense|not what|stimmt nicht|falsch)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"^>>> *(.*)\s*\Z", re.MULTILINE)
_GOES_ON = re.compile(r"\s{0,20}(?:\.\.\.|…)")
# Fences, rules, and how a client was asked for a whole table, with its prompt: no words.
_FENCES = re.compile(
    r"^[ \t]*(?:```.*|~~~.*|[-+|=\u2500-\u257f ]{4,}"
    r"|(?:[\w ]{0,30}[=#>]{1,3})?[ \t]*(?i:select) +\*.*)$",
    re.MULTILINE,
)
_GIVES = re.compile(r"\W*(?:\w+ )?(?:gets?|gives?|prints?|returns?|shows?|yields?)(?: me)?\W*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-zß-ÿ]|`)|\n\s*\n")
_MOST_BETWEEN = 500  # characters that say what a table is


@dataclass(frozen=True, slots=True)
class Result:
    """What is to come, what is given for it, and the text before it, since the last result."""

    wanted: Printed
    given: tuple[Printed, ...]
    said: str


def results_in(
    request: str, shown: Sequence[Printed], function: str = "", *, is_given: bool = False
) -> Iterator[Result]:
    """In their order; several may be of the same tables. `function`: its name, where one is asked
    for. `is_given`: there is something that is not among those shown."""
    given: tuple[Printed, ...] = ()
    since, is_over = 0, False
    for role, table in roles_in(request, shown, function, is_given=is_given):
        if role == "given":
            given, is_over = (table,) if is_over else (*given, table), False
        elif role == "wanted":
            if table.is_plain and not _GOES_ON.match(request, table.end):
                yield Result(table, given, request[since : table.begin])
            since, is_over = table.end, True


def roles_in(
    request: str, shown: Sequence[Printed], function: str = "", *, is_given: bool = False
) -> Iterator[tuple[Role, Printed]]:
    """Of each table. Nothing is to come of a part of one."""
    is_part = bool(_IS_PART.search(request))
    for n, table in enumerate(shown):
        begin = shown[n - 1].end if n else 0
        said = _last_said(request[max(begin, table.begin - _MOST_BETWEEN) : table.begin])
        end = shown[n + 1].begin if n + 1 < len(shown) else len(request)
        role: Role = "given"
        if _IS_ABOUT.search(said) or (is_given and not table.is_whole):
            role = "neither"  # it only says of what form something is
        elif is_given:
            role = _role(said, request, table, end, function)
        is_given = is_given or role == "given"
        yield "neither" if is_part and role == "wanted" else role, table


def _role(said: str, request: str, table: Printed, end: int, function: str) -> Role:
    """Of a table where something is given already. `end`: where what is said behind it ends."""
    asked = _ASKED.search(said)
    called = bool(function) and any(calls_of(function, asked[1] if asked else said))
    if asked and not called and _is_computed(asked[1], request):
        return "neither"  # what something else gives
    if _is_wrong(said, request[table.end : end], called=called):
        return "neither"
    is_result = _IS_RESULT.search(f"{said} {table.label}") and not _IS_GIVEN.search(said)
    return "wanted" if called or is_result else "given"


def _is_computed(expression: str, request: str) -> bool:
    """Of a session: whether it is no name of something that only stands there."""
    if not expression.isidentifier():
        return True
    return bool(re.search(rf"^>>>.*\b{expression}\b[\w, ]*=", request, re.MULTILINE))


def _last_said(text: str) -> str:
    """The sentence or line that leads to a table."""
    *before, last = ["", *filter(str.strip, _SENTENCE.split(_FENCES.sub("\n", text)))]
    return f"{before[-1]}\n{last}" if before and _GIVES.fullmatch(last) else last


def _is_wrong(before: str, behind: str, *, called: bool) -> bool:
    """Whether a table is what comes today."""
    if _SO_NOT.search(next(filter(str.strip, _SENTENCE.split(_FENCES.sub("\n", behind))), "")):
        return True
    return not called and bool(_IS_WRONG.search(before) or _QUERY.search(before))
