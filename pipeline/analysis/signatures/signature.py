"""How a function, and a type with methods, of a program in a typed language is called."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

Parameters = tuple[tuple[str, str], ...]
OF_FUNCTIONS = re.compile(r"\bFn(?:Mut|Once)?\b|\bfunc\b")
_CALLED = re.compile(r"\b[A-Za-z_]\w*(?=\s{0,9}[(<])")
_BLANKS = re.compile(r"\s+")
# What a type parameter stands for in a call.
_FILLED = {"go": "int", "cpp": "int", "java": "Integer", "rust": "i32"}
_OF_TEXTS = re.compile(r"\b(?:AsRef\s*<\s*str\s*>|Into\s*<\s*String\s*>|ToString)")
_FUNCTION_NAMES = re.compile(r"F|Fn|Fun\w*|Pred\w*|Comp\w*|Call\w*|Op")


@dataclass(frozen=True, slots=True)
class NodeType:
    """A type whose objects are linked: to the next one, or to a left and a right one. `written`: as
    types of one are, without blanks; `value` is what it holds, `back` the link to the one before,
    "" for none."""

    name: str
    written: frozenset[str]
    value: str
    value_type: str
    links: tuple[str, ...]
    back: str = ""

    @property
    def word(self) -> str:
        """Its name alone: `Node` of `Main.Node`."""
        return re.split(r"\W", self.name)[-1]

    @property
    def is_tree(self) -> bool:
        return len(self.links) == 2

    def is_meant(self, text: str) -> bool:
        """Whether a type is of one, or of none."""
        return node_text(text) in self.written


_BESIDE_TYPE = re.compile(r"\b(?:const|struct|class)\b|\b(?:\w+::)+|\s")


def node_text(text: str) -> str:
    """A type without blanks, and the paths of its names."""
    return _BESIDE_TYPE.sub("", text)


@dataclass(frozen=True, slots=True)
class Signature:
    """`owner`: the class of a method, "" for a function. `parameters`: pairs of a name, "" for
    none, and a type as the program writes it; those with a default value are left out. `result`: a
    type, "" or `void` for none, of Go's in parentheses where there are several. Type parameters are
    filled in. `receiver`: as what a method takes its object, as the program writes it (`&mut self`,
    `*Stack`). `uses`: the names that it calls. `nodes`: the types of nodes that it may speak of."""

    name: str
    owner: str
    parameters: Parameters
    result: str
    is_static: bool = True
    receiver: str = ""
    uses: frozenset[str] = field(default=frozenset(), compare=False)
    nodes: tuple[NodeType, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ObjectType:
    """A type whose objects are made and then asked. `name`: as the program writes it, filled in.
    `makers`: what makes one, as it is called; one without a name makes it of its fields.
    `methods`: what can be called from outside. `fields`: of a struct of C. `nodes`: the types of
    nodes of its program."""

    name: str
    makers: tuple[Signature, ...]
    methods: tuple[Signature, ...]
    fields: Parameters = ()
    nodes: tuple[NodeType, ...] = field(default=(), compare=False)

    @property
    def word(self) -> str:
        """Its name alone: `Stack` of `shapes::Stack<int>`."""
        return re.split(r"\W", re.split(r"[<\[]", self.name)[0])[-1]


def filled(language: str, types: "Node | None", found: Signature) -> Signature | None:
    """With a plain type for each type parameter; None where one is of none, or has no argument to
    be known by."""
    known = plain_types(language, types)
    written = " ".join(kind for _, kind in found.parameters)
    if known is None or not all(re.search(rf"\b{re.escape(name)}\b", written) for name in known):
        return None
    return with_types(found, known)


def plain_types(language: str, types: "Node | None") -> dict[str, str] | None:
    """A plain type for each type parameter, by its name; None where one is of none."""
    known: dict[str, str] = {}
    for name, bounds in _type_parameters(types) if types else ():
        if name is None or OF_FUNCTIONS.search(bounds) or _FUNCTION_NAMES.fullmatch(name):
            return None
        is_text = language == "rust" and _OF_TEXTS.search(bounds)
        known[name] = "&str" if is_text else _FILLED[language]
    return known


def with_types(found: Signature, known: Mapping[str, str]) -> Signature:
    """With what its words stand for."""
    if not known:
        return found
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, known))})\b")

    def plainly(kind: str) -> str:
        return word.sub(lambda each: known[each[0]], kind)

    parameters = tuple((name, plainly(kind)) for name, kind in found.parameters)
    return replace(found, parameters=parameters, result=plainly(found.result))


def _type_parameters(types: "Node") -> Iterator[tuple[str | None, str]]:
    """Their names with their bounds; None for what is no type."""
    for each in types.named_children:
        if each.type in ("lifetime_parameter", "comment", "line_comment", "block_comment"):
            continue
        if each.type not in ("type_parameter", "type_parameter_declaration"):
            yield None, ""
            continue
        names = [*each.children_by_field_name("name")] or each.named_children[:1]
        for name in names:
            yield text_of(name), text_of(each)


def plain(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def names_called(body: "Node | None") -> frozenset[str]:
    return frozenset(_CALLED.findall(text_of(body)))
