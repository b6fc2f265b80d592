"""Which tests are examples of a text: what they give and expect stands there, one beside the other,
with a word between that says that one comes of the other. Bounds of rules are no values. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pipeline.sandbox.testcase import Case, Raises
from pipeline.testcases.examples.example_search import MAX_PROMPT, find_examples
from pipeline.testcases.examples.input_output_examples import speaks_of_input
from pipeline.testcases.examples.pair_examples import OTHER_REQUESTS
from pipeline.testcases.examples.stated_examples import ARROW
from pipeline.testcases.literals import (
    calls_of,
    literal_at,
    literal_end,
    matching,
    read_arguments,
)

_NAMES = r"[Nn]one|null|[Tt]rue|[Ff]alse"
_STARTS = re.compile(rf"(?<![\w.'\"\\])(?=[\"'\[({{\d]|-\d|(?:{_NAMES})\b)|(?<=\w)\(")
_PAIR = re.compile(rf"\w[ \t]*(?:{ARROW})[ \t]*\w")  # not what a head says that it returns
# "abc -> 3", "1h30m -> 5400"; a number such as `0xff` or `1e5` is no word.
_WORD_GIVES = re.compile(
    rf"(?:^|[\n,;:.])[ \t]*(?!0[xXoObB]|\d+[eE]\d)((?=\w*[^\W\d_])\w+)[ \t]*(?:{ARROW})"
)
# "MCMXCIV is 1994": a word in capitals that is no word of the sentence.
_CAPITALS_GIVE = re.compile(
    r"(?:^|[\n,;:.])[ \t]*([A-Z]{2,}\d*)[ \t]+(?:is|are|gives|becomes|=)[ \t]"
)
# "'Foo Bar' becomes foo-bar", "MCM is 1900": words that say what comes, behind a value or capitals.
_JOINT = re.compile(
    rf"(?:['\"\]}}\d]|\b[A-Z]{{2,9}}\d?)[`*]{{0,3}}[ \t]{{1,5}}(?:{ARROW}|(?:is|gives?|becomes?"
    r"|ergibt|wird|donne|devient|da|es)\b)[ \t]{1,5}[^\s|]"
)
_YES_OR_NO = re.compile(r"(?:is|has|are|can|check)(?=[_A-Z])")
# They stand in most texts, or say what kind a value is.
_TYPES = ("int", "float", "str", "bool", "list", "dict", "set", "tuple", "bytes", "object")
_NOT_WORDS = frozenset((*"aAI", *_TYPES))
_ANSWERS = frozenset(("True", "False", "None"))  # more often than what is given
_LEAST = 2  # what goes in, and what comes out
_MOST = 10
# A bound, a number of a version or of a list: nothing is given there.
_BOUND_BEFORE = re.compile(
    r"(?:\b(?:over|under|above|below|than|least|most|to|until|till|between|every|by|multiples? of"
    r"|exceeds?|version|python|django|unter|über|ab|bis|als|mindestens|höchstens|zwischen|jede[rsn]?"
    r"|durch|vielfachen? von|moins de|plus de|partir de|jusqu['’]à|entre|sous|tou(?:te)?s les|que"
    r"|menos de|más de|hasta|desde|cada|par|por|m[uú]ltip(?:le|lo)s? de"
    r"|(?:de|desde) -?\d{1,9} [àa])|[^-=][<>]=?)[ \t]{1,3}$",
    re.IGNORECASE,
)
_BOUND_BEHIND = re.compile(
    r"(?:\s\w+)?\s(?:(?:or|and) (?:more|less|up|above|below|over|under)"
    r"|(?:oder|und|et|ou|y|o) (?:mehr|weniger|darüber|darunter|plus|moins|más|menos))\b"
    r"|\s(?:bis|à|a|hasta)\s\d"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*$")
# What says that a value comes of the one before it, or of the one behind it.
_GIVES = re.compile(
    rf"{ARROW}|[=:|]|['’]s\b|\b(?:is|are|has|as|so|gives?|makes?|returns?|yields?|becomes?|turns?"
    r"|comes?|prints?|produces?|should|must|outcome|result|answer|end|equals"
    r"|soll(?:en|te)?|muss|ergibt|ergeben|gibt|geben|ist|sind|wird|werden|liefert|macht|kommt"
    r"|doit|devrait|donnent?|renvoie|retourne|vaut|est|sont|font|fait|devient|obtient"
    r"|debe|dan?|devuelve|retorna|es|son|resulta|queda)\b"
)
_NOT = re.compile(
    r"\b(?:not|never)\s*$|\b(?:nicht|nie|kein\w?|pas|jamais|nunca|no (?:es|da|debe|devuelve))\b"
)
# Not what begins the next example: "bei 4 kommt 2, bei 9 …".
_FOR = re.compile(
    r"\b(?:for|of|in|when|if|given)\b"
    r"|(?<![,;.:] )(?<!\bund )(?<!\bet )(?<!\by )\b(?:für|bei|aus|von|pour|du|de|para|del)\b"
)
_WITH = re.compile(r"\b(?:mit|wenn|falls|avec|quand|con|cuando|si)\b")  # "120 es lo que da con 5"
_REPORT = re.compile(
    r"\b(?:why|rather than|I (?:get|got)|mistake|ought|off by|never|except|statt|sondern"
    r"|korrigier\w*|au lieu|faux|corrig\w*|en lugar|deber[ií]a|arregl\w*|invece|ma non)\b"
    r"|должн|исправ|应该|修复",
    re.IGNORECASE,
)
# Where a text begins or ends that begins with a number: "1024 -> 1.0 KB", "1 KB -> 1024".
_RESULT_BEFORE = re.compile(rf"(?:{ARROW}|=|\b(?:is|gives|returns|becomes|be))[ \t`*]{{1,5}}$")
_ARROW_BEHIND = re.compile(rf"[ \t`*]{{0,5}}(?:{ARROW})")
_Place = tuple[int, int, str]  # where a value begins and ends, and the value; "" for a bound


def may_have_examples(text: str) -> bool:
    """Whether no rule reads an example there, and values stand there of which one could be made.
    Reports of what goes wrong state what shall not be."""
    if find_examples(text).cases or speaks_of_input(text):
        return False
    text = text[:MAX_PROMPT]
    if OTHER_REQUESTS.search(text) or _REPORT.search(text):
        return False
    return bool(_PAIR.search(text)) or len(_values(text)) >= _LEAST


def begun_call(text: str, function: str, parameters: int | None) -> str:
    """How an example of the function begins: with the first call of it that the text has, else with
    the first word before an arrow, else with the first value there, and what follows in a call with
    so many arguments (None: nobody knows). A model that goes on from there leaves no quotation mark
    out and forgets no bracket, as small ones do."""
    for named in calls_of(function, text[:MAX_PROMPT]):
        end = matching(text, named.end() - 1)
        if end and [*_given(text[named.end() : end - 1])]:
            return f"{text[named.start() : end]} =="
    read = text[:MAX_PROMPT]
    word = _WORD_GIVES.search(read) or _CAPITALS_GIVE.search(read)
    value = repr(word[1]) if word and parameters == 1 else first_value(text, function)
    if not value or parameters is None:
        return f"{function}({value}"
    return f"{function}({value}) ==" if parameters == 1 else f"{function}({value},"


def first_value(text: str, function: str) -> str:
    """What a first example is given, as it stands there: behind the function's name if an example
    does. "" where nobody can tell: words may be among the values, or a call has some."""
    read = text[:MAX_PROMPT]
    places = () if _PAIR.search(read) else _values(text)
    named = next((each.start() for each in calls_of(function, read)), -1)
    behind = [place for place in places if place[0] > named]
    rest = behind if len(behind) >= _LEAST else places
    first = next((start for start, _, key in rest if key not in _ANSWERS), None)
    if first is None or (text[first] == "(" and text[first - 1 : first].isidentifier()):
        return ""
    return text[first : literal_end(text, first)]


def most_examples(text: str, function: str) -> int:
    """How many examples the values that stand there make at most: each has two of them, one where
    the answers are yes and no; or one for each time that words say what comes of a value."""
    pairs, joints = (len(each.findall(text[:MAX_PROMPT])) for each in (_PAIR, _JOINT))
    values = len(_values(text))
    of_values = values if _YES_OR_NO.match(function) else values // _LEAST
    return max(1, min(_MOST, max(pairs + of_values, joints)))


def grounded(cases: Sequence[Case], text: str) -> tuple[Case, ...]:
    """Those of them, each once, that are examples of the text: nothing else stands between their
    values. Where yes and no are said in other words alone ("2 is prime, 4 is not"), both have to
    be among the answers."""
    found, told = {}, {}
    for case in cases:
        given = case.arguments.values
        if not given or isinstance(case.expected, Raises):
            continue
        if _gives(text, given, case.expected):
            found[case.subject] = case
        elif isinstance(case.expected, bool) and not _are_answers(given) and _spans(text, given):
            told[case.subject] = case
    said = {key for _, _, key in _places(text)} & {"True", "False"}
    if len({case.expected for case in told.values()}) == 2 and not said:
        found |= told
    return tuple(found.values())


def _are_answers(given: Sequence[Any]) -> bool:
    return all(_key(value) in _ANSWERS for value in given)


def _gives(text: str, given: Sequence[Any], expected: Any) -> bool:
    """Whether the text says that it comes of what is given, before it or behind it."""
    for joints in _spans(text, [*given, expected]):
        joint = joints[-1]
        if _GIVES.search(joint) and not _turns_around(joint):
            return True
    return any(_FOR.search(joints[0]) for joints in _spans(text, [expected, *given]))


def _turns_around(joint: str) -> bool:
    """Whether the words deny it, or say that the value before them comes of the one behind."""
    return any(each.search(joint) for each in (_FOR, _NOT, _WITH))


def _spans(text: str, values: Sequence[Any]) -> list[list[str]]:
    """Where they stand in this order with no other value in between: what stands between them."""
    wanted = [_key(value) for value in values]
    words = set[_Place]().union(*(_words(text, each) for each in values))
    numbered = sorted(each for each in words if text[each[0]].isdigit())  # "1.0 KB" has its 1.0
    others = (each for each in _places(text) if not _at(numbered, each[0]))
    places = sorted(words.union(others))
    found = [places[at : at + len(wanted)] for at in range(len(places) - len(wanted) + 1)]
    return [
        [text[one[1] : other[0]] for one, other in pairwise(span)] or [""]
        for span in found
        if [key for _, _, key in span] == wanted
    ]


def _at(places: Sequence[_Place], start: int) -> _Place | None:
    """The one of them, in their order, within which it stands."""
    n = bisect_right(places, start, key=lambda place: place[0])
    return places[n - 1] if n and start < places[n - 1][1] else None


def _words(text: str, value: Any) -> set[_Place]:
    """Where a text stands without quotation marks, and within no other value; it may begin with a
    number."""
    if not isinstance(value, str) or not value.strip() or value in _NOT_WORDS:
        return set()
    said = re.finditer(rf"(?<![\w'\"]){re.escape(value)}(?![\w'\"])", text[:MAX_PROMPT])
    places = _places(text)
    return {
        (each.start(), each.end(), _key(value))
        for each in said
        if not (place := _at(places, each.start())) or _is_number_of(text, each, place)
    }


def _is_number_of(text: str, said: re.Match[str], place: _Place) -> bool:
    """Whether the value there is what the text begins with, as in "1.0 KB", which is a result or
    stands before an arrow; "under 2 kg" has a bound, "4 items cost 9" a number."""
    start, end, key = place
    if said.start() != start or said.end() <= end or not key or not text[start].isdigit():
        return False
    before = text[max(0, start - 20) : start]
    return bool(_RESULT_BEFORE.search(before) or _ARROW_BEHIND.match(text, said.end()))


def _values(text: str) -> list[_Place]:
    return [place for place in _places(text) if place[2]]


@lru_cache(maxsize=4)
def _places(text: str) -> tuple[_Place, ...]:
    """The values that stand there by themselves, not within another one. Of a call only where it is
    given nothing else: a head has defaults."""
    found, done = list[_Place](), 0
    for start in _STARTS.finditer(text[:MAX_PROMPT]):
        at = start.start()
        if at < done:
            continue
        if text[at] == "(" and at and (text[at - 1].isalnum() or text[at - 1] == "_"):
            done = matching(text, at) or at + 1
            given = enumerate(_given(text[at + 1 : done - 1]))
            found += [(at + number, done, _key(value)) for number, value in given]
        elif (value := literal_at(text, at)) and not text[value[1] : value[1] + 1].isalpha():
            done = value[1]
            found.append((at, done, "" if _is_bound(text, at, done) else _key(value[0])))
    return tuple(found)


def _is_bound(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 30) : start]
    if text[end : end + 2] in (". ", ") ") and _LIST_NUMBER.search(before):
        return True
    return bool(_BOUND_BEFORE.search(before) or _BOUND_BEHIND.match(text, end))


def _given(call: str) -> Iterator[Any]:
    with suppress(ValueError):
        arguments = read_arguments(call)
        yield from () if arguments.kwargs else arguments.args


def _key(value: Any) -> str:
    """The same for 2 and 2.0, which texts do not tell apart, and for sets and keys in any order."""
    match value:
        case float() if value.is_integer():
            return repr(int(value))
        case list() | tuple():
            return f"{type(value).__name__}({', '.join(map(_key, value))})"
        case set() | frozenset():
            return f"set({', '.join(sorted(map(_key, value)))})"
        case dict():
            return f"dict({', '.join(sorted(f'{_key(k)}: {_key(value[k])}' for k in value))})"
    return repr(value)
