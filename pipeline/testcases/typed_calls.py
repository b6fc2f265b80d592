"""Calls with which functions in typed languages are tried: their types say what they take.
Pure."""

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from pipeline.analysis.compilable import compilable, wholes
from pipeline.analysis.python_syntax import parse_expression
from pipeline.analysis.signatures.call_signatures import (
    called_beside,
    entry_among,
    is_end,
    signatures,
)
from pipeline.analysis.signatures.signature import Signature
from pipeline.analysis.syntax_process import Unread
from pipeline.sandbox import ANY_VALUE, Arguments, Case
from pipeline.testcases.call_drivers import driver_of
from pipeline.testcases.call_slots import Slot, slots_of, values_of
from pipeline.testcases.driver_parts import NoDriver
from pipeline.testcases.linked_calls import are_alone, takes_nodes, with_nodes
from pipeline.testcases.sample_calls import calls_of_kinds
from pipeline.testcases.seed_constants import Seeds, seeds_of

_RELATED = 0.6  # of the values that may have to do with one beside them
_SORTED = re.compile(r"\b(?:sorted|binary search)\b", re.IGNORECASE)
_MATRIX = re.compile(
    r"\b(?:matri\w*|grids?|boards?|spiral|diagonal\w*|transpose\w*|rows?|columns?|images?|maze)",
    re.IGNORECASE,
)
_OF_OBJECTS = re.compile(
    r"\b(?:class\w*|enum|interface|klasse|record|struct|trait|type)\b", re.IGNORECASE
)
_CONSTANT = re.compile(r"'(\\?[ -~])'|(?<!\w)\"([ -~]{1,4})\"|(?<![\w.])(\d{1,3})(?![\w.])")
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\r": "\r", r"\\": "\\", r"\'": "'"}
_LINES = re.compile(r"\blines?\b", re.IGNORECASE)
_BETWEEN = ("a", "B1", " ")  # separators say nothing where nothing stands between them
_MOST = 12  # constants of each kind
_BESIDE, _SHARE = 3, 5  # other functions, and which part of the calls is of each
_AS_SAID = 6  # texts
_USUAL = 2  # numbers up to this are called with anyway


def calls_of_compiled(
    language: str, program: str, function: str, request: str, n: int
) -> tuple[Case, ...]:
    """At most `n` calls of the function, else of the one that the request names, else of the last
    that no other one uses, some of them of others that the request names; () where a type of its
    parameters is unknown. The same for the same texts. It parses: not to be called where others
    wait."""
    try:
        for whole in wholes(language, program, request):
            known = signatures(language, whole)
            if calls := _calls_among(language, known, program, function, request, n):
                return calls
    except Unread:
        pass
    return ()


def _calls_among(
    language: str,
    known: Sequence[Signature],
    program: str,
    function: str,
    request: str,
    n: int,
) -> tuple[Case, ...]:
    found = entry_among(known, function, request)
    calls = _calls_of(language, found, program, request, n) if found else ()
    if found is None or not calls:
        return ()
    beside = called_beside(known, found, request)[:_BESIDE]
    more = [_calls_of(language, each, program, request, n // _SHARE) for each in beside]
    others = [
        replace(case, function=each.name, name=f"{case.name} of {each.name}")
        for each, cases in zip(beside, more, strict=True)
        for case in cases
    ]
    return (*calls[: n - len(others)], *others)


def _calls_of(
    language: str, found: Signature, program: str, request: str, n: int
) -> tuple[Case, ...]:
    slots = slots_of(language, found)
    if slots is None or (not takes_nodes(slots) and _is_beside(found.name, request)):
        return ()
    values = values_of(slots)
    if takes_nodes(slots) and (is_end(found.name) or not are_alone(values, request)):
        return ()
    if not values:
        return (Case(Arguments(), ANY_VALUE, name="call 1"),)
    kinds = [parse_expression(each.kind.annotation) for each in values]
    seeds = seeds_of_compiled(request, program, found.name)
    made = (*_as_said(kinds, seeds), *calls_of_kinds(kinds, n * 2, seeds))
    cases = tuple(islice(fitting(made, values, request), n))
    try:
        driver_of(language, [(found, case) for case in cases])
    except NoDriver:  # what it gives is nothing that can be shown
        return ()
    return cases


def _is_beside(function: str, request: str) -> bool:
    """Whether objects are asked for, and the function is one that they use: that drafts agree on
    `gcd` says nothing of their fractions."""
    return bool(_OF_OBJECTS.search(request)) and not re.search(
        rf"\b{re.escape(function)}\b", request
    )


def _as_said(kinds: Sequence[ast.expr], seeds: Seeds) -> Iterator[Case]:
    """With the texts that the request shows and those of its forms, as they are."""
    if [ast.unparse(kind) for kind in kinds] == ["str"]:
        for text in islice((*seeds.forms, *seeds.texts), _AS_SAID):
            yield Case(Arguments((text,)), ANY_VALUE)


def called_in(language: str, program: str, named: str, request: str) -> str:
    """What the function is called that a program is called by; `named`, or "", where there is none.
    It parses, too."""
    try:
        found = entry_among(
            signatures(language, compilable(language, program) or ""), named, request
        )
    except Unread:
        return named
    return found.name if found else named


def fitting(made: Sequence[Case], values: Sequence[Slot], request: str) -> Iterator[Case]:
    """As the types can hold them, and so that one has to do with the other; what comes to be the
    same is left out."""
    seen: set[str] = set()
    for case in made:
        given = [
            slot.kind.fit(each) for slot, each in zip(values, case.arguments.args, strict=True)
        ]
        arguments = Arguments(tuple(_related(given, values, request)))
        if str(arguments) not in seen:
            seen.add(str(arguments))
            yield replace(case, arguments=arguments, name=f"call {len(seen)}")


def _related(given: list[Any], values: Sequence[Slot], request: str) -> Iterator[Any]:
    """A separator is mostly one that the text has, what is looked for one of the list's or the sum
    of two, and rows are of one length where a matrix is meant."""
    chance = random.Random(str(given))
    if takes_nodes(values):
        yield from with_nodes(given, values, request, chance)
        return
    text = "".join(each for each in given if isinstance(each, str) and len(each) > 1)
    numbers = [n for each in given if isinstance(each, list) for n in each if type(n) is int]
    is_sorted, is_matrix = _SORTED.search(request), _MATRIX.search(request)
    for slot, each in zip(values, given, strict=True):
        if slot.kind.name == "char" and text and chance.random() < _RELATED:
            yield chance.choice(text)
        elif slot.kind.name == "int" and numbers and chance.random() < _RELATED:
            found = sum(chance.sample(numbers, min(len(numbers), chance.choice((1, 2)))))
            yield slot.kind.fit(found)
        elif slot.kind.annotation == "list[int]" and is_sorted and chance.random() < _RELATED:
            yield sorted(each)
        elif slot.kind.annotation.startswith("list[list[") and is_matrix:
            yield _matrix(each, slot)
        else:
            yield each


def _matrix(rows: list[list[Any]], slot: Slot) -> list[list[Any]]:
    """With rows as long as the first that is not empty, of the values that are there."""
    long = next(filter(None, rows), [])
    inner = slot.kind.items[0]
    return [inner.fit([*row, *long[len(row) :]][: len(long)]) for row in rows] if long else []


def seeds_of_compiled(request: str, program: str, function: str) -> Seeds:
    """What the request says, and the characters, short texts and small numbers of the program."""
    seeds = seeds_of(request, (), function)
    texts, numbers = dict.fromkeys(seeds.texts), dict.fromkeys(seeds.numbers)
    for character, text, number in _CONSTANT.findall(program):
        if number and int(number) > _USUAL and len(numbers) < _MOST:
            numbers[int(number)] = None
        said = _ESCAPES.get(character, character) or text
        if said and not re.search(r"[%{}\\]", said[:-1] or "") and len(texts) < _MOST:
            texts[said] = None
    if _LINES.search(request):
        texts["\n"] = None
    texts |= dict.fromkeys(_BETWEEN) if texts else {}
    return seeds._replace(texts=tuple(texts), numbers=tuple(numbers))
