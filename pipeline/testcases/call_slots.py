"""What each parameter of a function in a typed language is in a call: a value, how many values
an array has, or a place for what comes. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pipeline.analysis.signatures.signature import Signature
from pipeline.testcases.type_texts import Nodes, kind_of
from pipeline.testcases.value_kinds import Kind

Role = Literal["value", "size", "out"]
_MOST_PARAMETERS = 8
_SIZE = re.compile(
    r"[nmN]|len\w*|sz|count|cnt|total|size|n_\w+|n[A-Z]\w*|num_?\w*|num[A-Z]\w*"
    r"|\w*(?:_n|len|length|size|count|cnt|Len|Length|Size|Count)"
)
_LENGTH = re.compile(r"\w*(?:len|length|size|Len|Length|Size)")  # of a text: n may be anything
_OUT = re.compile(
    r"\w*(?:out|output|res|result|results|dest|dst|Out|Result|Size|_size|_count|_len|Len|Count)"
    r"|ret\w*|val|value|max\w*|min\w*|sum|avg|average|mean|quot\w*|rem\w*|found|count|len"
)
_OUT_TEXT = re.compile(r"\w*(?:out|output|res|result|dest|dst|buf|buffer|Out|Result)|ret")
UNKNOWN = Kind("unknown", "")
_LENT = re.compile(r"Option\s*<\s*&\s*(?:Box\s*<\s*)?(\w+)\s*>?\s*>")  # Rust's
_SIZES = {"int", "size_t", "long", "unsigned", "unsigned int", "long long", "unsigned long"}


@dataclass(frozen=True, slots=True)
class Slot:
    """`kind`: of a value, or of what an out-parameter holds. `of`: the places of the arrays, or of
    the text, that a size is of. `type`: as the program writes it. `is_changed`: what it holds may
    be another after the call. `is_pointer`: C's address of the value or of its first one. `name`:
    the parameter's."""

    role: Role
    kind: Kind
    type: str
    of: tuple[int, ...] = ()
    is_changed: bool = False
    is_pointer: bool = field(default=False)
    name: str = ""


def slots_of(language: str, signature: Signature) -> tuple[Slot, ...] | None:
    """One for each parameter; None where no plain value is of the type of one. Of TypeScript all
    are, since its engine takes anything."""
    if len(signature.parameters) > _MOST_PARAMETERS:
        return None
    if language in ("c", "cpp"):
        found = _Pointers(language, signature).slots()
    else:
        found = [_value(language, kind, signature.nodes) for _, kind in signature.parameters]
    known = [each for each in found if each]
    if len(known) < len(signature.parameters):
        return None
    names = (name for name, _ in signature.parameters)
    return tuple(replace(slot, name=name) for slot, name in zip(known, names, strict=True))


def for_values(language: str, slots: Sequence[Slot], values: Sequence[Any]) -> tuple[Slot, ...]:
    """TypeScript's engine is given what is there, of any type, as many as there are."""
    if language != "typescript":
        return tuple(slots)
    more = [Slot("value", UNKNOWN, "")] * (len(values) - len(slots))
    pairs = zip((*slots, *more), values, strict=False)
    return tuple(
        slot if _fits(slot, value) else replace(slot, kind=UNKNOWN) for slot, value in pairs
    )


def _fits(slot: Slot, value: Any) -> bool:
    try:
        slot.kind.fit(value)
    except (TypeError, ValueError, KeyError, AttributeError):
        return False
    return True


def values_of(slots: Sequence[Slot]) -> list[Slot]:
    """Those for which a call has an argument."""
    return [each for each in slots if each.role == "value"]


def _value(language: str, text: str, nodes: Nodes) -> Slot | None:
    if language != "rust":
        kind = kind_of(language, text, nodes)
        if kind is None and language == "typescript":
            kind = UNKNOWN
        is_changed = bool(kind and kind.items and not (language == "go" and kind.size))
        return Slot("value", kind, text, is_changed=is_changed) if kind else None
    text = re.sub(r"'\w+\s*", "", text).strip()
    if lent := _LENT.fullmatch(text):
        kind = kind_of("rust", f"Option<Box<{lent[1]}>>", nodes)
        return Slot("value", kind, text) if kind else None
    refers = re.match(r"&\s*(mut\s+)?", text) if kind_of("rust", text, nodes) is None else None
    is_slice = re.match(r"&\s*mut\s*\[", text)
    inner = text[refers.end() if refers else 0 :]
    inner = f"&{inner}" if is_slice else inner
    kind = kind_of("rust", inner, nodes)
    is_changed = bool(refers and refers[1])
    return Slot("value", kind, text, is_changed=is_changed) if kind else None


class _Pointers:
    """C's parameters: an array's size is the next one that is named as such."""

    def __init__(self, language: str, signature: Signature) -> None:
        self._language, self._parameters = language, signature.parameters
        self._nodes = signature.nodes
        self._is_void = signature.result == "void"
        self._is_method = bool(signature.receiver)  # its object is what it works on
        self._unsized: list[int] = []
        self._found: list[Slot] = []

    def slots(self) -> list[Slot | None]:
        for at, (name, text) in enumerate(self._parameters):
            slot = self._slot(at, name, text)
            if slot is None:
                return []
            self._found.append(slot)
        return [] if self._unsized else [*self._found]

    def _slot(self, at: int, name: str, text: str) -> Slot | None:
        if self._nodes and (of_nodes := self._linked(at, text)):
            return of_nodes
        stars = text.count("*") + len(re.findall(r"\[[^\]]*\]", text))
        plain = re.sub(r"\[[^\]]*\]|\*", " ", text)
        is_const = bool(re.search(r"\bconst\b", text))
        refers = "&" in plain and "&&" not in plain and "<" not in plain.partition("&")[2]
        kind = kind_of(self._language, plain.replace("&", " "))
        if kind is None or stars > 1 + (kind.name == "char") or (stars and kind.items):
            return None
        if not stars:
            return self._plain(name, text, kind, is_changed=refers and not is_const)
        if kind.name == "char" and stars == 1:
            return self._text(name, text, is_const=is_const)
        return self._array(at, name, text, kind, is_const=is_const)

    def _linked(self, at: int, text: str) -> Slot | None:
        """Of nodes, or of a vector or an array of them."""
        is_const = bool(re.search(r"\bconst\b", text))
        plain = re.sub(r"\bconst\b", " ", text).strip()
        refers, plain = plain.endswith("&"), plain.rstrip("& ")
        kind = kind_of(self._language, plain, self._nodes)
        if kind and (kind.node or (kind.items and kind.items[0].node)):
            is_changed = (refers or self._is_void) and not is_const
            return Slot("value", kind, text, is_changed=is_changed)
        first = re.fullmatch(r"(.*\*)\s*(?:\*|\w*\s*\[\s*\])", plain, re.DOTALL)
        one = kind_of(self._language, first[1], self._nodes) if first else None
        if one is None or not one.node:
            return None
        if any(_SIZE.fullmatch(called) for called, _ in self._parameters[at + 1 : at + 2]):
            self._unsized.append(at)
            return Slot("value", Kind("list", one.text, (one,)), text, is_pointer=True)
        return Slot("value", one, text, is_changed=True, is_pointer=True)

    def _plain(self, name: str, text: str, kind: Kind, *, is_changed: bool) -> Slot:
        before = self._found[-1] if self._found else None
        if kind.name == "int" and not is_changed:
            if self._unsized and _SIZE.fullmatch(name):
                sized, self._unsized = tuple(self._unsized), []
                return Slot("size", kind, text, sized)
            is_out = bool(before and before.role == "out" and _SIZE.fullmatch(name))
            is_of_text = bool(before and before.is_pointer and before.kind.name == "str")
            if is_of_text and (is_out or _LENGTH.fullmatch(name)):
                return Slot("size", kind, text, (len(self._found) - 1,))
        if is_changed and not kind.items and _OUT.fullmatch(name):
            return Slot("out", kind, text)
        return Slot("value", kind, text, is_changed=is_changed)

    def _text(self, name: str, text: str, *, is_const: bool) -> Slot:
        kind = Kind("str", "char *")
        if not is_const and _OUT_TEXT.fullmatch(name) and (self._found or self._is_method):
            return Slot("out", kind, text, is_pointer=True)
        return Slot("value", kind, text, is_changed=not is_const, is_pointer=True)

    def _array(self, at: int, name: str, text: str, kind: Kind, *, is_const: bool) -> Slot | None:
        item = Kind("str", "char *") if kind.name == "char" else kind
        whole = Kind("list", item.text, (item,))
        is_sized = any(
            _SIZE.fullmatch(called) and (said := kind_of(self._language, of)) and said.name == "int"
            for called, of in self._parameters[at + 1 :]
        )
        is_out = not is_const and item.name != "str" and _OUT.fullmatch(name)
        if is_out and (self._found or not is_sized):
            return Slot("out", kind, text, is_pointer=True)
        if self._is_method and not is_sized and not is_const and item.name != "str":
            return Slot("out", kind, text, is_pointer=True)
        if is_sized:
            self._unsized.append(at)
            return Slot("value", whole, text, is_changed=not is_const, is_pointer=True)
        if self._is_void and not is_const and item.name != "str" and "[" not in text:
            return Slot("value", kind, text, is_changed=True, is_pointer=True)  # swap
        return None
