"""How the objects of a type in a typed language are made and called: what each parameter is, and
which of a program's methods a session means. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.analysis.signatures.signature import ObjectType, Signature
from pipeline.testcases.call_slots import Slot, for_values, slots_of
from pipeline.testcases.driver_parts import Given, NoDriver
from pipeline.testcases.object_calls import Named, ObjectCall, ObjectSession, written_name
from pipeline.testcases.type_texts import arguments_of

_PLAIN = {"rust": "i32"}  # stands where an object of the same type stands
# Of brackets those of Go's type parameters alone: an array of objects is none.
_AROUND = re.compile(r"\b(?:const|mut|struct)\b|[&*\s]|<.*>|(?<=\w)\[[^\[\]]+\]", re.DOTALL)
_WRAPPED = ("Option", "Result", "optional", "Optional")


@dataclass(frozen=True, slots=True)
class ParameterSlots:
    """`own`: the places of objects of the same type, whose slots stand for nothing."""

    slots: tuple[Slot, ...]
    own: frozenset[int] = frozenset()

    @property
    def places(self) -> list[int]:
        """Those for which a call has an argument."""
        return [at for at, slot in enumerate(self.slots) if slot.role == "value"]

    @property
    def values(self) -> list[Slot | None]:
        """What these are; None for an object."""
        return [None if at in self.own else self.slots[at] for at in self.places]


@dataclass(frozen=True, slots=True)
class Made:
    """An object to be made. `given`: by the places of the maker's parameters."""

    maker: Signature
    slots: Sequence[Slot]
    given: Given


@dataclass(frozen=True, slots=True)
class Called:
    """A method of the object `on` to be called. `others`: the names of objects that it is given,
    by their places."""

    on: str
    method: Signature
    slots: Sequence[Slot]
    given: Given
    others: Mapping[int, str]
    is_asked: bool
    then: "Called | None" = None


@dataclass(frozen=True, slots=True)
class Session:
    """`made`: by the names of the objects."""

    kind: ObjectType
    made: Mapping[str, Made]
    calls: Sequence[Called]


def is_own(kind: ObjectType, text: str) -> bool:
    """Whether a type's text is of objects of this type, of a reference or an address too; not of
    one that is moved away."""
    word = _AROUND.sub("", text).rpartition(".")[2].rpartition("::")[2]
    return word == kind.word and "&&" not in text


def links_of(kind: ObjectType) -> list[str]:
    """The fields of a struct of C that are addresses of others: it is a node, and the address of
    the first is the object."""
    return [name for name, text in kind.fields if text.endswith("*") and is_own(kind, text)]


def gives_own(language: str, kind: ObjectType, method: Signature) -> bool:
    """Whether it gives an object of its type, as one that may fail."""
    name, inner = arguments_of(method.result)
    result = inner[0] if inner and name.rpartition("::")[2] in _WRAPPED else method.result
    if language == "go":  # with what says whether it failed
        result = result.strip("()").partition(",")[0]
    return is_own(kind, result) and not (language == "cpp" and "*" in result)


def parameters_of(language: str, kind: ObjectType, called: Signature) -> ParameterSlots | None:
    """None where no plain value is of the type of one."""
    plain = _PLAIN.get(language, "int")
    own = frozenset(at for at, (_, text) in enumerate(called.parameters) if is_own(kind, text))
    parameters = tuple(
        ("other", plain) if at in own else each for at, each in enumerate(called.parameters)
    )
    slots = slots_of(language, replace(called, parameters=parameters))
    return None if slots is None else ParameterSlots(slots, own)


def session_with(language: str, kind: ObjectType, session: ObjectSession) -> Session:
    """As this program makes and calls its objects. Raises NoDriver."""
    try:
        made = {name: _made(language, kind, given) for name, given in session.made.items()}
        return Session(kind, made, [_called(language, kind, each) for each in session.calls])
    except (ValueError, TypeError, AttributeError, KeyError):
        raise NoDriver("its objects take other arguments") from None


def _made(language: str, kind: ObjectType, given: Sequence[Any]) -> Made:
    for maker in kind.makers:
        found = _for(language, parameters_of(language, kind, maker), given)
        if found and not found.own and len(found.values) == len(given):
            return Made(maker, found.slots, _given(found, given))
    raise ValueError("no maker")


def _called(language: str, kind: ObjectType, call: ObjectCall) -> Called:
    method, found = _method(language, kind, call)
    others = {
        at: value.name
        for at, value in zip(found.places, call.arguments, strict=True)
        if isinstance(value, Named)
    }
    then = _called(language, kind, call.then) if call.then else None
    if then and language != "typescript" and not gives_own(language, kind, method):
        raise ValueError("it gives no object")
    given = _given(found, call.arguments)
    return Called(call.on, method, found.slots, given, others, call.is_asked, then)


def _method(language: str, kind: ObjectType, call: ObjectCall) -> tuple[Signature, ParameterSlots]:
    """The one of that name, however its words are joined, that takes so many. TypeScript's engine
    finds any."""
    for method in kind.methods:
        if same_name(kind, method.name) == same_name(kind, call.method):
            found = _for(language, parameters_of(language, kind, method), call.arguments)
            objects = [isinstance(each, Named) for each in call.arguments]
            if found and [slot is None for slot in found.values] == objects:
                return method, found
    if language == "typescript":
        anything = (("", "any"),) * len(call.arguments)
        method = Signature(call.method, kind.name, anything, "any", is_static=False)
        own = (at for at, each in enumerate(call.arguments) if isinstance(each, Named))
        slots = slots_of(language, method) or ()
        return method, ParameterSlots(slots, frozenset(own))
    raise ValueError("no such method")


def _for(
    language: str, found: ParameterSlots | None, values: Sequence[Any]
) -> ParameterSlots | None:
    return found and replace(found, slots=for_values(language, found.slots, values))


def same_name(kind: ObjectType, name: str) -> str:
    """`stackPush` and `stack_push` of a `Stack` as `push`."""
    joined = written_name(name).replace("_", "").lower()
    return joined.removeprefix(kind.word.replace("_", "").lower()) or joined


def _given(found: ParameterSlots, arguments: Sequence[Any]) -> Given:
    """Raises ValueError and the like for what these parameters cannot be."""
    values = zip(found.places, found.values, arguments, strict=True)
    return {at: slot.kind.fit(value) for at, slot, value in values if slot}
