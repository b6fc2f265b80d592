"""What a request says of empty input, as an example: "returns None for an empty list", "if `xs` is
empty, return 0", "an empty string gives ''", "raises ValueError if the text is empty".

Only of a function of one parameter, which the request writes with it (`find`), and where neither
its type nor its name says that it is given something else; or of the only function that answers a
request without any call (`of_only_function`)."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.pair_examples import OF_ONE, OTHER_REQUESTS
from pipeline.testcases.examples.stated_examples import MODAL, is_all, is_stated
from pipeline.testcases.literals import ERROR_NAME, MARKS, literal_at

_MOST = 50
# What is empty, by the words for it.
_LIST, _TEXT, _DICT, _NUMBER = list[Any](), "", dict[Any, Any](), 0
_KINDS: dict[str, Any] = {
    **dict.fromkeys(("list", "lists", "array", "arrays", "sequence", "iterable"), _LIST),
    **dict.fromkeys(("string", "strings", "str", "text", "texts", "word", "sentence"), _TEXT),
    **dict.fromkeys(("dict", "dictionary", "mapping"), _DICT),
    "tuple": (),
}
# What parameters are that are called so.
_NAMES: dict[str, Any] = {
    **dict.fromkeys(("text", "s", "string", "word", "sentence", "phrase", "line", "name"), _TEXT),
    **dict.fromkeys(("xs", "lst", "nums", "numbers", "items", "arr", "array", "values"), _LIST),
    **dict.fromkeys(("n", "x", "number", "num", "year", "value"), _NUMBER),
}
_FOR = r"(?:(?:(?:if|when)[ \t])?(?:for|of|given|on|with|(?:it|this)[ \t]is)[ \t]{1,3})?"
_THE = r"(?:(?:an?|the)[ \t])?(?:(?:input|given)[ \t])?"
_EMPTY = re.compile(
    rf"\b{_FOR}{_THE}empty[ \t](?:input[ \t])?[`'\"]?(?P<before>\w+)[`'\"]?(?:[ \t]of[ \t]\w+)?"
    rf"|\b(?:if|when|in case)[ \t]{{1,3}}{_THE}"
    r"[`'\"]?(?P<behind>\w+)[`'\"]?[ \t]is[ \t](?:empty\b|an[ \t]empty[ \t]\w+)",
    re.IGNORECASE,
)
_CALL = re.compile(r"\w\(\w|\bdef\b|\blambda\b")
_GAP = re.compile(r"[`*]{0,3},?[ \t]{1,3}")
_THEN = re.compile(
    r"[`*]{0,3},?[ \t]{1,3}(?:then[ \t])?"
    r"(?:(?:it|this|we|you|the (?:function|result|answer|output))[ \t]{1,3})?",
    re.IGNORECASE,
)
_GIVES = re.compile(
    rf"\b(?:{MODAL})?(?:(?:returns?|gives?|yields?)|(?P<raises>raises?|throws?))"
    r"[ \t]{1,3}[`*]{0,3}",
    re.IGNORECASE,
)
_ERROR = re.compile(rf"(?:an?[ \t])?{MARKS}({ERROR_NAME})\b")


def find(text: str) -> Found:
    """Sentences of which both halves stand beside each other."""
    of_one = {each["function"]: each for each in islice(OF_ONE.finditer(text), _MOST)}
    if len(of_one) != 1 or OTHER_REQUESTS.search(text):
        return Found()
    return Found([*_said(text, *of_one.values())])


def of_only_function(text: str) -> list[Case]:
    """Of a function that the text does not name; it has to be the code's only one, and take one
    value."""
    return [] if _CALL.search(text) or OTHER_REQUESTS.search(text) else [*_said(text, None)]


def _said(text: str, asked: re.Match[str] | None) -> Iterator[Case]:
    """`asked`: the function, with the parameter that it is given; None where that is not known."""
    found = [_before(text, each, asked) for each in islice(_GIVES.finditer(text), _MOST)]
    found += [_behind(text, each, asked) for each in islice(_EMPTY.finditer(text), _MOST)]
    return filter(None, found)


def _before(text: str, gives: re.Match[str], asked: re.Match[str] | None) -> Case | None:
    """ "returns 0 for an empty list" """
    value = _value(text, gives)
    where = _GAP.match(text, value[1]) if value else None
    empty = _EMPTY.match(text, where.end()) if where else None
    if not (value and empty and is_all(text, empty.end()) and is_stated(text, gives.start())):
        return None
    return _case(empty, value[0], asked)


def _behind(text: str, empty: re.Match[str], asked: re.Match[str] | None) -> Case | None:
    """ "if the list is empty, it returns 0" """
    then = _THEN.match(text, empty.end())
    gives = _GIVES.match(text, then.end()) if then else None
    value = _value(text, gives) if gives else None
    if not (value and is_all(text, value[1]) and is_stated(text, empty.start())):
        return None
    return _case(empty, value[0], asked)


def _value(text: str, gives: re.Match[str]) -> tuple[Any, int] | None:
    """What is returned or raised, and where it ends."""
    if gives["raises"]:
        error = _ERROR.match(text, gives.end())
        return (Raises(error[1]), error.end()) if error else None
    empty = _EMPTY.match(text, gives.end())
    if empty and (word := empty["before"]):
        return (_KINDS[word.lower()], empty.end()) if word.lower() in _KINDS else None
    return literal_at(text, gives.end())


def _case(empty: re.Match[str], expected: Any, asked: re.Match[str] | None) -> Case | None:
    """None where what is empty is not what the function is given."""
    word = (empty["before"] or empty["behind"]).lower()
    takes = _NAMES.get(asked["name"]) if asked else None
    if asked and asked["type"]:
        takes = _KINDS.get(asked["type"].lower(), _NUMBER)
    given = takes if asked and word == asked["name"] else _KINDS.get(word)
    if given in (None, _NUMBER) or (takes is not None and type(takes) is not type(given)):
        return None
    return Case(Arguments((given,)), expected, "")
