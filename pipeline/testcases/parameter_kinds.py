"""What a function without annotations may be called with: guessed from the names of its parameters
and the words of the request. Pure; whether a guess fits is found out by calling."""

import ast
import re
from collections.abc import Iterable
from itertools import islice, product
from typing import NamedTuple

from pipeline.analysis.python_syntax import parse_expression
from pipeline.testcases.entry_point import function_of, needed_parameters


class Guess(NamedTuple):
    """An annotation for each parameter. `is_meant`: every one of them stands for a word that is
    there, in the parameter's name or the request."""

    kinds: tuple[ast.expr, ...]
    is_meant: bool


# Kinds as annotations, with the words that mean them as (the last word of) a parameter's name.
_NAMES = {
    "str": "s string str text sentence word message line name phrase paragraph txt char letter key "
    "date pattern substring prefix suffix password email",
    "int": "n k m num number x y a b count size length limit base year month day start end i j "
    "index idx shift position step times max min low high target value val digit exponent seconds "
    "capacity maxsize score id",
    "float": "radius price rate temperature threshold amount celsius fahrenheit height width "
    "weight",
    "list[int]": "nums numbers lst l list arr array values xs ys items scores integers ints "
    "elements seq sequence data digits prices",
    "list[str]": "words strings names texts lines sentences strs keys",
    "dict[str, int]": "d dict dictionary mapping map counts grades inventory",
    "list[list[int]]": "matrix grid lists board mat rows nested",
    "list[tuple[int, int]]": "intervals pairs points tuples edges ranges",
}
_BY_NAME = {name: kind for kind, names in _NAMES.items() for name in names.split()}
# What a request calls them.
_PHRASES = {
    "list[tuple[int, int]]": r"intervals|(?:list|array) of (?:tuples|pairs)",
    "list[list[int]]": r"matrix|matrices|grid|nested list|(?:list|array) of (?:lists|arrays)",
    "list[str]": r"(?:list|array) of (?:strings|words|names)",
    "list[int]": r"lists?|arrays?|sequence",
    "dict[str, int]": r"dict(?:ionary|ionaries)?|mapping",
    "str": r"strings?|text|words?|sentence|letters?|characters?",
    "float": r"floats?|decimal|real number",
    "int": r"integers?|int|numbers?|digits?",
}
_SPOKEN = {kind: re.compile(rf"\b(?:{phrase})\b") for kind, phrase in _PHRASES.items()}
_MOST_PARAMETERS = 4
_LAST_WORD = re.compile(r"([a-z]+)[\d_]{0,9}$", re.IGNORECASE)


def likely_kinds(program: str, function: str, request: str, most: int) -> list[Guess]:
    """At most `most` guesses for the parameters that a call has to give, the likeliest first; []
    where the function is not there, takes nothing, or more than four."""
    found = function_of(program, function)
    names = [each.arg for each in needed_parameters(found)] if found else []
    if not 0 < len(names) <= _MOST_PARAMETERS:
        return []
    spoken = _kinds_of(request)
    meant = [meant_kinds(name, spoken) for name in names]
    orders = [list(dict.fromkeys([*some, *_NAMES])) for some in meant]
    ranks = product(*(range(len(order)) for order in orders))
    likeliest = islice(sorted(ranks, key=lambda ranks: (sum(ranks), ranks)), most)
    return [
        Guess(
            tuple(parse_expression(order[n]) for order, n in zip(orders, each, strict=True)),
            all(n < len(some) for some, n in zip(meant, each, strict=True)),
        )
        for each in likeliest
    ]


def meant_kinds(name: str, spoken: Iterable[str] = ()) -> list[str]:
    """What the name means, and what the request speaks of."""
    word = _LAST_WORD.search(name)
    named = _BY_NAME.get(word[1].lower()) if word else None
    return list(dict.fromkeys([*([named] if named else []), *spoken]))


def _kinds_of(request: str) -> list[str]:
    """The kinds that the request speaks of, in its order."""
    text = request.lower()
    found = {
        kind: spot.start() for kind, phrase in _SPOKEN.items() if (spot := phrase.search(text))
    }
    return sorted(found, key=lambda kind: found[kind])
