"""Sessions with which types in typed languages are tried: an object is made, and its methods are
called with values that their types can hold. Pure.

As `object_sessions.py` for Python: programs that do what was asked answer alike.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from pipeline.analysis.compilable import compilable
from pipeline.analysis.python_syntax import parse_expression
from pipeline.analysis.signatures.call_signatures import object_types, type_among
from pipeline.analysis.signatures.signature import ObjectType, Signature
from pipeline.analysis.syntax_process import Unread
from pipeline.analysis.undefined_names import words_in
from pipeline.sandbox import Case
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.driver_parts import NoDriver
from pipeline.testcases.method_words import (
    EMPTIES,
    FILLS,
    OF_SOME,
    PLACE,
    REMOVES,
    ROOM,
    TELLS,
    is_done,
    speaks_of_negative,
    speaks_of_nothing,
    speaks_of_operators,
)
from pipeline.testcases.object_calls import Named, ObjectCall, ObjectSession
from pipeline.testcases.object_drivers import object_driver, shows
from pipeline.testcases.object_slots import (
    ParameterSlots,
    gives_own,
    is_own,
    links_of,
    parameters_of,
    same_name,
)
from pipeline.testcases.parameter_kinds import meant_kinds
from pipeline.testcases.sample_calls import calls_of_kinds
from pipeline.testcases.seed_constants import Seeds
from pipeline.testcases.session_arguments import as_cases
from pipeline.testcases.type_texts import kind_of
from pipeline.testcases.typed_calls import fitting, seeds_of_compiled

_LISTS = 10  # lists of arguments for one method
_FEW, _MOST = 6, 24  # calls in a session
_ONE_OF_FEW = 0.8  # of plain values: what was put in is found
_KEYS = 3  # values of a kind in one session
_OBJECTS = ("it", "other")
_BESIDE = 0.3  # of the calls that nothing is asked in are of the other object
_BEGINNINGS = 0.2  # of the texts that were there before
_FILLED = (1, 4)  # calls that put something in, before any others
_ORDERED = 0.7  # of the pairs of numbers that an object is made of
_SMALL = 0.5  # of the numbers that an object is made of
_CALLED = re.compile(r"\b(\w+)`?\s{0,2}\(")
_ROOMS, _PLACES = (1, 2, 2, 3, 4), (0, 0, 1, 1, 2, 3)
_MOST_READ = 20_000  # characters of a request
_OF_FUNCTIONS = re.compile(r"f|fn|cb|.*(?:func|callback|handler|listener|predicate|compar).*", re.I)
_TYPES = {"str": "string", "int": "number", "float": "number", "list[int]": "number[]"}
_TYPES |= {"list[str]": "string[]", "list[list[int]]": "number[][]"}


@dataclass(frozen=True, slots=True)
class _Method:
    """`rows`: what it may be called with, None in place of an object."""

    name: str
    slots: Sequence[Slot | None]
    names: Sequence[str]
    rows: Sequence[Sequence[Any]]
    is_shown: bool
    is_asked: bool
    gives_own: bool


def type_of(language: str, program: str, named: str, request: str) -> ObjectType | None:
    """The type that a request asks for; None for none. It parses."""
    try:
        found = object_types(language, compilable(language, program) or "")
        return type_among(found, named, request[:_MOST_READ])
    except Unread:
        return None


def is_named(kind: ObjectType, request: str) -> bool:
    """Whether the request speaks of the type and of what its objects do, so that functions beside
    it say less; not of the class that exercises have for a function."""
    words = words_in(request[:_MOST_READ])
    named = {each.name for each in kind.methods} & words
    return kind.word in words and kind.word != "Solution" and len(named) > 1


def sessions_of_compiled(
    language: str, kind: ObjectType, program: str, request: str, n: int
) -> tuple[Case, ...]:
    """At most `n` sessions with objects of this type of the program's; () where they take or give
    what is no plain value. Methods that the request names are called, all where it names none. The
    same for the same texts."""
    request = request[:_MOST_READ]
    seeds = seeds_of_compiled(request, program, kind.word)
    meant = _meant(language, kind, request)
    makers, methods = (
        [made for each in some if (made := _method(language, kind, each, request, seeds))]
        for some in (kind.makers, meant)
    )
    if language == "typescript" and len(methods) < len(meant):
        return ()  # of handlers, which the others are there for
    is_list = bool(links_of(kind))  # it is nothing, if nothing can be put in
    if not makers or not methods or (is_list and not any(each.slots for each in methods)):
        return ()
    if not any(each.is_asked for each in methods):  # it is all that there is to ask
        methods = [replace(each, is_asked=each.is_shown) for each in methods]
    chance = Random(f"{language} {kind.word}")
    writers = (_Writer(makers, methods, chance, request) for _ in range(2 * n))
    sessions = (str(each.session(kind)) for each in writers)
    cases = as_cases(sessions, n)
    try:
        object_driver(language, kind, cases)
    except NoDriver:
        return ()
    return cases


def _meant(language: str, kind: ObjectType, request: str) -> list[Signature]:
    """Those that the request names as something that is called, if one of them gives something,
    else those that it names at all; of several that take as many values and objects the first."""
    words, called = words_in(request), set(_CALLED.findall(request))
    has_operators = speaks_of_operators(request)
    known = {_takes(kind, each): each for each in reversed(kind.methods)}
    for names in (called, words):
        named = [
            each
            for each in known.values()
            if each.name in names or (has_operators and each.name.startswith("operator"))
        ]
        if len(named) > 1 and any(shows(language, each.result) for each in named):
            break
    return sorted(named or known.values(), key=partial(_takes, kind))


def _takes(kind: ObjectType, method: Signature) -> tuple[str, tuple[bool, ...]]:
    return method.name, tuple(is_own(kind, text) for _, text in method.parameters)


def _method(
    language: str, kind: ObjectType, called: Signature, request: str, seeds: Seeds
) -> _Method | None:
    """None where it takes what no value can be made for."""
    found = parameters_of(language, kind, called)
    if found is None:
        return None
    if language == "typescript":
        found = replace(found, slots=tuple(map(_by_name, found.slots)))
    rows = _rows(found, request, seeds)
    if not rows:
        return None
    names = [called.parameters[at][0] for at in found.places]
    is_shown = shows(language, called.result)
    return _Method(
        called.name,
        found.values,
        names,
        rows,
        is_shown=is_shown,
        is_asked=is_shown and not is_done(called.name, request),
        gives_own=not links_of(kind)
        and gives_own(language, kind, called),  # a list becomes another
    )


def _by_name(slot: Slot) -> Slot:
    """Where no type says what it holds, as in JavaScript, its name does."""
    if slot.kind.name != "unknown" or slot.type != "any":
        return slot
    meant = next(iter(meant_kinds(slot.name)), "str")
    kind = (
        None if _OF_FUNCTIONS.fullmatch(slot.name) else kind_of("typescript", _TYPES.get(meant, ""))
    )
    return replace(slot, kind=kind) if kind else slot


def _rows(found: ParameterSlots, request: str, seeds: Seeds) -> list[list[Any]]:
    slots = [slot for slot in found.values if slot]
    if not slots:
        return [[None] * len(found.values)]
    kinds = [parse_expression(slot.kind.annotation) for slot in slots]
    cases = islice(fitting(calls_of_kinds(kinds, 2 * _LISTS, seeds), slots, request), _LISTS)
    rows = []
    for case in cases:
        given = iter(case.arguments.args)
        rows.append([next(given) if slot else None for slot in found.values])
    return rows


def _weight(method: _Method) -> int:
    """What only tells something of the object is called less often than what does something."""
    return 1 if method.is_asked and not method.slots and TELLS.fullmatch(method.name) else 3


class _Writer:
    """Of one session: what is put into an object is asked for again."""

    def __init__(
        self,
        makers: Sequence[_Method],
        methods: Sequence[_Method],
        chance: Random,
        request: str,
    ) -> None:
        self._maker, self._chance = chance.choice(makers), chance
        self._methods = methods
        self._asked = [each for each in methods if each.is_asked]
        takes_other = any(None in each.slots for each in methods)
        self._objects = _OBJECTS if takes_other else _OBJECTS[:1]
        self._with_negative = speaks_of_negative(request)
        self._with_nothing = speaks_of_nothing(request)
        self._held = dict.fromkeys(self._objects, 0)
        self._pools: dict[str, list[Any]] = {}

    def session(self, kind: ObjectType) -> ObjectSession:
        made = {name: self._made() for name in self._objects}
        weights = [_weight(each) for each in self._methods]
        k = self._chance.randint(_FEW, _MOST)
        some = [*self._filling(), *self._chance.choices(self._methods, weights, k=k)]
        last = [self._chance.choice(self._asked)] if self._asked else []
        calls = (self._call(each) for each in [*some, *last])
        return ObjectSession(kind.word, made, tuple(filter(partial(self._is_meant, kind), calls)))

    def _is_meant(self, kind: ObjectType, call: ObjectCall) -> bool:
        """Not what takes something from an object that nothing was put into: where the request says
        nothing of that, right programs may do anything then. It counts what is in."""
        name = same_name(kind, call.method)
        if call.arguments:
            self._held[call.on] += bool(FILLS.match(call.method))
        elif EMPTIES.fullmatch(name):
            self._held[call.on] = 0
        elif OF_SOME.fullmatch(name):
            if not (self._with_nothing or self._held[call.on] > 0):
                return False
            self._held[call.on] -= bool(REMOVES.match(name))
        return True

    def _filling(self) -> list[_Method]:
        """So that there is something in it when it is asked."""
        fill = [each for each in self._methods if each.slots and FILLS.match(each.name)]
        return self._chance.choices(fill, k=self._chance.randint(*_FILLED)) if fill else []

    def _made(self) -> tuple[Any, ...]:
        """Of whole numbers mostly in order: what begins later than it ends is seldom made."""
        given = tuple(self._arguments(self._maker))
        is_range = len(given) > 1 and all(type(each) is int for each in given)
        return tuple(sorted(given)) if is_range and self._chance.random() < _ORDERED else given

    def _call(self, method: _Method) -> ObjectCall:
        is_beside = not method.is_asked and self._chance.random() < _BESIDE
        on = self._objects[-1 if is_beside else 0]
        values = tuple(self._arguments(method, on))
        then = None
        if method.gives_own and self._asked:
            then = replace(self._call(self._chance.choice(self._asked)), on="")
        return ObjectCall(on, method.name, values, then, is_asked=method.is_asked or bool(then))

    def _arguments(self, method: _Method, on: str = "") -> Iterator[Any]:
        """`on`: of which object; "" for one that is made."""
        is_made = not on
        row = self._chance.choice(method.rows)
        for slot, name, value in zip(method.slots, method.names, row, strict=True):
            if slot is None:
                yield Named(next(each for each in self._objects if each != on))
            elif slot.kind.name == "int" and (ROOM if is_made else PLACE).fullmatch(name):
                yield self._chance.choice(_ROOMS if is_made else _PLACES)
            elif slot.kind.name == "int" and is_made and self._chance.random() < _SMALL:
                yield self._chance.randint(0, 9)
            else:
                yield value if slot.kind.items else self._one_of_few(slot, value)

    def _one_of_few(self, slot: Slot, value: Any) -> Any:
        pool = self._pools.setdefault(slot.kind.name, [])
        if not self._with_negative and slot.kind.name in ("int", "float"):
            value = abs(value)
        if len(pool) >= _KEYS and self._chance.random() < _ONE_OF_FEW:
            return slot.kind.fit(self._like(self._chance.choice(pool)))
        pool.append(value)
        return value

    def _like(self, value: Any) -> Any:
        """The same, of a text now and then its beginning."""
        is_long = isinstance(value, str) and len(value) > 1
        return value[:-1] if is_long and self._chance.random() < _BEGINNINGS else value
