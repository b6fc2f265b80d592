"""Constants of programs and requests, from which arguments are made: a draft that looks for "(" or
for 90 shows what it does where those are given. Pure.

Constant seeding, as generators of unit tests do it (Rojas, Fraser, Arcuri: Seeding strategies in
search-based unit test generation, STVR 2016; Pynguin)."""

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from pipeline.analysis.python_syntax import parse
from pipeline.testcases.text_forms import texts_of_form

_LONGEST = 12  # characters: more is a message
_MOST = 24  # of each kind
_USUAL = 2  # numbers up to this are called with anyway
_LARGEST = 500  # a loop up to a million, or a recursion of a thousand, would say nothing
_HUGE = 1_100_000  # where there is neither; the bytes of a megabyte
_WRITTEN = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:[,_]\d{3})+|\d{3,7})(?![\w,]|\.\d)")
_MOST_READ = 20_000  # characters of a request
_QUOTED = re.compile(r"(?<!\w)(['\"`])([^'\"`\n]{1,12})\1(?!\w)")


class Seeds(NamedTuple):
    """What arguments may be made of; `forms` are whole texts, `large` are numbers for what neither
    counts up to them nor calls itself."""

    texts: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()
    forms: tuple[str, ...] = ()
    large: tuple[int, ...] = ()


def seeds_of(request: str, programs: Iterable[str], function: str = "") -> Seeds:
    """The short texts and the unusual numbers that stand in the programs, and what the request puts
    in quotation marks; documentation left out, and names: the function's own, `__main__`."""
    programs = list(programs)
    values = [value for program in programs for value in _constants(program)]
    said = (match[2] for match in _QUOTED.finditer(request))
    texts = [*said, *(each for each in values if isinstance(each, str))]
    texts = [each for each in texts if each != function and not each.startswith("__")]
    numbers = [each for each in values if not isinstance(each, str)]
    large = [each for each in numbers if isinstance(each, int) and each > _LARGEST]
    written = [int(re.sub("[,_]", "", each)) for each in _WRITTEN.findall(request[:_MOST_READ])]
    large += [each for each in written if _LARGEST < each <= _HUGE]
    return Seeds(
        tuple(islice(dict.fromkeys(texts), _MOST)),
        tuple(islice(dict.fromkeys(each for each in numbers if each <= _LARGEST), _MOST)),
        texts_of_form(request),
        () if any(map(_may_take_long, programs)) else tuple(islice(dict.fromkeys(large), _MOST)),
    )


def _may_take_long(program: str) -> bool:
    """Whether it counts up to something other than a length, or a function of it calls itself."""
    tree = parse(program)
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Call(ast.Name("range"), bounds) if any(map(_may_be_large, bounds)):
                return True
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                if any(_is_call_of(name, each) for each in ast.walk(node)):
                    return True
    return False


def _may_be_large(bound: ast.expr) -> bool:
    names = {each.id for each in ast.walk(bound) if isinstance(each, ast.Name)}
    return bool(names) and "len" not in names


def _is_call_of(name: str, node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name(called) | ast.Attribute(attr=called)):
            return called == name
    return False


def _constants(program: str) -> Iterator[str | int | float]:
    tree = parse(program)
    nodes = list(ast.walk(tree)) if tree else []
    no_values = set()  # documentation, and what a message has between its values
    for node in nodes:
        match node:
            case ast.Expr(said):
                no_values.add(id(said))
            case ast.JoinedStr(pieces):
                no_values.update(map(id, pieces))
    for node in nodes:
        match node:
            case ast.Constant(str(value)) if id(node) not in no_values:
                if 0 < len(value) <= _LONGEST:
                    yield value
            case ast.Constant(int(value) | float(value)):
                if _USUAL < value <= (_HUGE if isinstance(value, int) else _LARGEST):
                    yield value
