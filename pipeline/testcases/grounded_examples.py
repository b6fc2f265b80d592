"""Which tests are examples of a text: what they give and expect stands there, one beside the other.
So a model may read examples that no rule reads, and cannot make any up. Pure."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from pipeline.sandbox.testcase import Case, Raises
from pipeline.testcases.example_search import MAX_PROMPT, find_examples
from pipeline.testcases.input_output_examples import speaks_of_input
from pipeline.testcases.literals import literal_at, literal_end, matching, read_arguments
from pipeline.testcases.pair_examples import OTHER_REQUESTS
from pipeline.testcases.stated_examples import ARROW

_NAMES = r"[Nn]one|null|[Tt]rue|[Ff]alse"
_STARTS = re.compile(rf"(?<![\w.'\"\\])(?=[\"'\[({{\d]|-\d|(?:{_NAMES})\b)|(?<=\w)\(")
_PAIR = re.compile(rf"\w[ \t]*(?:{ARROW})[ \t]*\w")  # not what a head says that it returns
_WHY = re.compile(r"\bwhy\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"(?:is|has|are|can|check)(?=[_A-Z])")
_NOT_WORDS = frozenset("aAI")  # they stand in most texts
_ANSWERS = frozenset(("True", "False", "None"))  # more often than what is given
_LEAST = 2  # what goes in, and what comes out
_MOST = 6
_Place = tuple[int, str]  # where a value stands, and the value as text


def may_have_examples(text: str) -> bool:
    """Whether no rule reads an example there, and values stand there of which one could be made.
    Reports of what goes wrong state what shall not be."""
    if find_examples(text).cases or speaks_of_input(text):
        return False
    if OTHER_REQUESTS.search(text) or _WHY.search(text):
        return False
    return bool(_PAIR.search(text)) or len(_places(text)) >= _LEAST


def begun_call(text: str, function: str, parameters: int | None) -> str:
    """How an example of the function begins: with the first value that stands in the text, and what
    follows in a call with so many arguments (None: nobody knows). A model that goes on from there
    leaves no quotation mark out and forgets no bracket, as small ones do."""
    value = first_value(text, function)
    if not value or parameters is None:
        return f"{function}({value}"
    return f"{function}({value}) ==" if parameters == 1 else f"{function}({value},"


def first_value(text: str, function: str) -> str:
    """What a first example is given, as it stands there: behind the function's name if an example
    does. "" where nobody can tell: words may be among the values, or a call has some."""
    places = () if _PAIR.search(text) else _places(text)
    named = text.find(f"{function}(")
    behind = [place for place in places if place[0] > named]
    rest = behind if len(behind) >= _LEAST else places
    first = next((start for start, key in rest if key not in _ANSWERS), None)
    if first is None or (text[first] == "(" and text[first - 1 : first].isidentifier()):
        return ""
    return text[first : literal_end(text, first)]


def most_examples(text: str, function: str) -> int:
    """How many examples the values that stand there make at most: each has two of them, one where
    the answers are yes and no."""
    pairs = len(_PAIR.findall(text))
    values = len(_places(text))
    of_values = values if _YES_OR_NO.match(function) else values // _LEAST
    return max(1, min(_MOST, pairs + of_values))


def grounded(cases: Sequence[Case], text: str) -> tuple[Case, ...]:
    """Those of them, each once, that are examples of the text: nothing else stands between their
    values. Where yes and no are said in other words alone ("2 is prime, 4 is not"), both have to
    be among the answers."""
    found, told = {}, {}
    for case in cases:
        given = [*case.arguments.args, *(value for _, value in case.arguments.kwargs)]
        if not given or isinstance(case.expected, Raises):
            continue
        if _stand_in(text, [*given, case.expected]) or _stand_in(text, [case.expected, *given]):
            found[case.subject] = case
        elif isinstance(case.expected, bool) and not _are_answers(given) and _stand_in(text, given):
            told[case.subject] = case
    said = {key for _, key in _places(text)} & {"True", "False"}
    if len({case.expected for case in told.values()}) == 2 and not said:
        found |= told
    return tuple(found.values())


def _are_answers(given: Sequence[Any]) -> bool:
    return all(_key(value) in _ANSWERS for value in given)


def _stand_in(text: str, values: Sequence[Any]) -> bool:
    """Whether they stand there in this order, with no other value in between."""
    wanted = [_key(value) for value in values]
    places = set(_places(text)).union(*(_words(text, each) for each in values))
    keys = [key for _, key in sorted(places)]
    return any(keys[at : at + len(wanted)] == wanted for at in range(len(keys)))


def _words(text: str, value: Any) -> set[_Place]:
    """Where a text stands without quotation marks."""
    if not isinstance(value, str) or not value.strip() or value in _NOT_WORDS:
        return set()
    said = re.finditer(rf"(?<![\w'\"]){re.escape(value)}(?![\w'\"])", text[:MAX_PROMPT])
    return {(each.start(), _key(value)) for each in said}


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
            found += [(at + number, _key(value)) for number, value in given]
        elif (value := literal_at(text, at)) and not text[value[1] : value[1] + 1].isalpha():
            done = value[1]
            found.append((at, _key(value[0])))
    return tuple(found)


def _given(call: str) -> Iterator[Any]:
    with suppress(ValueError):
        arguments = read_arguments(call)
        yield from () if arguments.kwargs else arguments.args


def _key(value: Any) -> str:
    """The same for 2 and 2.0, which texts do not tell apart, and for sets in any order."""
    match value:
        case float() if value.is_integer():
            return repr(int(value))
        case list() | tuple():
            return f"{type(value).__name__}({', '.join(map(_key, value))})"
        case set() | frozenset():
            return f"set({', '.join(sorted(map(_key, value)))})"
        case dict():
            return f"dict({', '.join(f'{_key(key)}: {_key(value[key])}' for key in value)})"
    return repr(value)
