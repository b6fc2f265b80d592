"""Calls with which functions in JavaScript and Bash are tried. Pure.

JavaScript takes any value for any other, and what comes of a wrong one is no promise: functions are
called of which JSDoc says what they take, or the names of their parameters. In Bash all is text.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pipeline.sandbox import Case
from pipeline.testcases.parameter_kinds import likely_kinds
from pipeline.testcases.sample_calls import calls_by_annotation, calls_of_kinds, calls_of_values
from pipeline.testcases.seed_constants import seeds_of

_HEAD = re.compile(
    r"\s{0,20}(?:export\s{1,9}(?:default\s{1,9})?)?"
    r"(?:(?:async\s{1,9})?function\s{1,9}(?P<name>[A-Za-z_]\w{0,99})"
    r"|(?:const|let|var)\s{1,9}(?P<arrow>[A-Za-z_]\w{0,99})\s{0,9}=\s{0,9}(?:async\s{0,9})?)"
    r"\s{0,9}\((?P<parameters>[^(){}.]{0,300})\)"
)
_HEAD_AT = re.compile(rf"^(?:{_HEAD.pattern})", re.MULTILINE)
_PARAMETER, _HUMP = re.compile(r"[A-Za-z]\w{0,40}"), re.compile(r"(?<=[a-z])(?=[A-Z])")
_OF_OBJECTS = {"attribute", "field", "key", "prop", "property"}  # of the objects in a list
_PARAM = re.compile(r"@param\s{1,9}\{([^{}\n]{1,100})\}\s{1,9}(?!\[)\w")
_KINDS = {"number": "int", "string": "str", "boolean": "bool"}
_FUNCTION = re.compile(r"^[^\S\n]{0,20}(?:function\s{1,9})?([A-Za-z_][\w-]{0,99})\s{0,9}\(\)", re.M)
_PLACE, _ALL = re.compile(r"\$\{?([1-9])"), re.compile(r"\$\{?[@*]")
_WORDS = ("3", "ab c", "12", "0", "b", "-2")
_MOST_PLACES = 3


def script_calls(language: str, program: str, functions: int, calls: int) -> tuple[Case, ...]:
    """At most `calls` calls of each of so many functions."""
    of_language = _of_javascript if language == "javascript" else _of_bash
    return tuple(
        replace(each, function=name, name=f"{name} {each.name}")
        for name, found in islice(of_language(program, calls), functions)
        for each in found
    )


def calls_of_javascript(program: str, function: str, request: str, calls: int) -> tuple[Case, ...]:
    """At most so many calls of a function, as its JSDoc says; without one with what the names of
    all its parameters mean, and the request's words. () where that tells of no plain values."""
    if function in (documented := dict(_documented(program))):
        kinds = documented[function]
        return _calls_with(function, kinds, calls) if kinds else ()
    heads = (each for each in _HEAD_AT.finditer(program) if function in each.group("name", "arrow"))
    head = next(heads, None)
    names = [each.strip() for each in head["parameters"].split(",")] if head else []
    if not all(map(_PARAMETER.fullmatch, names)):
        return ()
    named = (f"{_HUMP.sub('_', name)}_" for name in names)  # `_`: no word of Python's
    stub = f"def {function}({', '.join(named)}): ..."
    guess = next(iter(likely_kinds(stub, function, request, 1)), None)
    if guess is None or not guess.is_meant:
        return ()
    if _OF_OBJECTS.intersection(names) and any(isinstance(k, ast.Subscript) for k in guess.kinds):
        return ()
    return calls_of_kinds(guess.kinds, calls, seeds_of(request, (), function))


def _of_javascript(program: str, calls: int) -> Iterator[tuple[str, tuple[Case, ...]]]:
    for name, kinds in _documented(program):
        if kinds is not None:
            yield name, _calls_with(name, kinds, calls)


def _calls_with(function: str, kinds: Sequence[str], calls: int) -> tuple[Case, ...]:
    parameters = ", ".join(f"p{n}: {kind}" for n, kind in enumerate(kinds))
    return calls_by_annotation([f"def {function}({parameters}): ..."], function, calls)


def _documented(program: str) -> Iterator[tuple[str, list[str] | None]]:
    """The functions of whose parameters JSDoc speaks, with the kinds of those that a call has to
    give; None where one has no plain values, or is not spoken of."""
    at = 0
    while (start := program.find("/**", at)) >= 0 and (at := program.find("*/", start)) >= 0:
        head = _HEAD.match(program, at + 2)
        said = _PARAM.findall(program[start:at]) if head else []
        if not head or not said:
            continue
        kinds = [kind for each in said if (kind := _kind(each))]
        named = filter(str.strip, head["parameters"].split(","))
        are_all = len(kinds) == len(said) == sum("=" not in each for each in named)
        yield head["name"] or head["arrow"], kinds if are_all else None


def _kind(said: str) -> str | None:
    """`number[]` → `list[int]`; None for types that have no plain values."""
    said = said.strip()
    if inner := re.fullmatch(r"(?:Array<(.{1,90})>|(.{1,90})\[\])", said):
        kind = _kind(inner[1] or inner[2])
        return f"list[{kind}]" if kind else None
    return _KINDS.get(said.lower())


def _of_bash(program: str, calls: int) -> Iterator[tuple[str, tuple[Case, ...]]]:
    found = [*_FUNCTION.finditer(program)]
    ends = [each.start() for each in found[1:]] + [len(program)]
    for function, end in zip(found, ends, strict=False):
        body = program[function.end() : end]
        places = max(map(int, _PLACE.findall(body)), default=2 if _ALL.search(body) else 0)
        if 0 < places <= _MOST_PLACES:
            yield function[1], calls_of_values(_WORDS, _WORDS, places, calls)
