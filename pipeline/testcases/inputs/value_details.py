"""The values of a line with what the words beside them say: between which ends they lie, of which
letters they are, whether they are sorted. Pure."""

import re
from dataclasses import dataclass, replace

from pipeline.testcases.inputs.input_shapes import Number, Order, Several, Text, Value
from pipeline.testcases.inputs.value_bounds import CHAIN, NAME, range_in
from pipeline.testcases.inputs.value_words import letters_in, marks_in, values_of

_ASIDE = re.compile(r"\s*\((?:[^()]|\([^()]*\)){0,200}\)")
_FROM = re.compile(
    r"\s*,?\s*\b(?:from|on|via|over|through) (?:(?:a|one|a single) line of )?(?:the |its )?"
    r"(?:standard input|stdin|user|keyboard|console|input|terminal|command line|System\.in"
    r"|os\.Stdin|std::cin|cin)(?!\w)(?: \(?stdin\)?)?",
    re.IGNORECASE,
)
_STRINGS = re.compile(
    rf"\b(?:string|word|name) (?!a\b)({NAME})"
    rf"|\b(?:strings|words|names) ((?!a\b){NAME}(?:(?:, | and ){NAME})*)"
)
# Of a grid, what stands in one place.
_ONCE = re.compile(
    r"\b(?:exactly one|exactly once|starts?(?:ing)?|exit|goal|player|robot)\b", re.IGNORECASE
)
_DECIMALS = re.compile(
    r"\bdecimal (?:part|point|place|number)|\bdecimals\b|\bfraction|\breal number|\bfloat",
    re.IGNORECASE,
)
_PERMUTED = re.compile(r"\bpermutation\b", re.IGNORECASE)
_SORTED = re.compile(
    r"\b(?:(?<!un)sorted|(?:non-?decreasing|increasing|ascending)(?: order)?)\b", re.IGNORECASE
)
_DESCENDING = re.compile(r"\b(?:decreasing|descending)(?: order)?\b", re.IGNORECASE)
_NOT_SORTED = re.compile(r"\b(?:not (?:necessarily )?sorted|unsorted|any order)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InputContext:
    """What a request says elsewhere. `strings`: names that stand for texts; `marks`: single letters
    and signs that it shows; `once`: those of which a grid has one."""

    strings: frozenset[str] = frozenset()
    marks: str = ""
    once: str = ""

    @classmethod
    def of(cls, request: str) -> "InputContext":
        named = (
            re.findall(rf"(?<!\w){NAME}", found[1] or found[2])
            for found in _STRINGS.finditer(request)
        )
        marks = marks_in(request)
        once = "".join(filter(str.isalnum, marks)) if _ONCE.search(request) else ""
        return cls(frozenset(name for names in named for name in names), marks, once)


def bare(words: str) -> str:
    """Without what stands in parentheses, bounds, and where the values come from."""
    return CHAIN.sub("", _ASIDE.sub("", _FROM.sub("", words))).strip(" .,;:")


def values_said(
    words: str, context: InputContext, *, bared: str | None = None, loose: bool = False
) -> tuple[Value, ...]:
    """() where any of the words is not understood. `bared`: what is left of them to be read, None
    for all but what stands beside."""
    values = values_of(bare(words) if bared is None else bared, context.strings, loose=loose)
    counts = {each.count for each in values if isinstance(each, Several)}
    detailed = (_detailed(each, words, context) for each in values)
    return tuple(
        replace(each, decimals=False) if isinstance(each, Number) and each.name in counts else each
        for each in detailed
    )


def _detailed(value: Value, words: str, context: InputContext) -> Value:
    """With what nothing nearer says of it."""
    match value:
        case Number():
            return _between(value, words)
        case Several(item=Number() as item):
            return replace(value, item=_between(item, words), order=value.order or _order(words))
        case Text() if value.length is not None:
            letters = value.letters or letters_in(words) or context.marks
            return replace(value, letters=letters, once=context.once)
    return value


def _between(number: Number, words: str) -> Number:
    decimals = number.decimals or bool(_DECIMALS.search(words))
    low, high = range_in(words) or (None, None)
    if number.high is not None:
        return replace(number, decimals=decimals)
    return replace(
        number, low=low if number.low is None else number.low, high=high, decimals=decimals
    )


def _order(words: str) -> Order:
    if _PERMUTED.search(words):
        return "permutation"
    if _DESCENDING.search(words):
        return "descending"
    return "sorted" if _SORTED.search(words) and not _NOT_SORTED.search(words) else ""
