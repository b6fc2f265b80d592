"""The types of linked nodes of a program in a typed language: lists and binary trees."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from pipeline.analysis.signatures.c_signatures import c_structs
from pipeline.analysis.signatures.go_signatures import go_structs
from pipeline.analysis.signatures.java_signatures import java_classes
from pipeline.analysis.signatures.rust_signatures import rust_structs
from pipeline.analysis.signatures.signature import (
    NodeType,
    Parameters,
    Signature,
    node_text,
    with_types,
)
from pipeline.analysis.signatures.type_aliases import type_aliases
from pipeline.analysis.signatures.typescript_signatures import typescript_fields

if TYPE_CHECKING:
    from tree_sitter import Node

_TREE = re.compile(r"(l(?:eft)?)(?:_?child|_?node)?|(r(?:ight)?)(?:_?child|_?node)?", re.IGNORECASE)
_NEXT = re.compile(r"next|link|nxt|rest|succ", re.IGNORECASE)
_BACK = re.compile(r"prev|back|prior|pred", re.IGNORECASE)
_PARENT = re.compile(r"parent|up$", re.IGNORECASE)
# Those of one tuple mean the same.
_LINKS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "c": (("{}*",),),
    "cpp": (("{}*",), ("unique_ptr<{}>",), ("shared_ptr<{}>",)),
    "go": (("*{}",),),
    "java": (("{}",),),
    "rust": (("Option<Box<{}>>",), ("Option<Rc<RefCell<{}>>>",)),
    "typescript": (("{}", "{}|null", "null|{}", "{}|undefined", "{}|null|undefined"),),
}


def node_types(language: str, root: "Node") -> tuple[NodeType, ...]:
    """Those that hold one value and link nodes of their own: the next one, and the one before, or
    two below. Others would have to be kept in order (the height of an AVL tree)."""
    aliases = type_aliases(language, root)
    found = (
        _node_type(language, names, with_types(Signature("", "", fields, ""), aliases).parameters)
        for names, fields in _STRUCTS[language](root)
    )
    return tuple(filter(None, found))


def _node_type(language: str, names: list[str], fields: Parameters) -> NodeType | None:
    for forms in _LINKS[language]:
        written = frozenset(node_text(form.format(name)) for form in forms for name in names)
        links = [name for name, text in fields if node_text(text) in written]
        values = [(name, text) for name, text in fields if node_text(text) not in written]
        if links and len(values) == 1:
            return _linked(names[0], written, values[0], links)
    return None


def _linked(
    name: str, written: frozenset[str], value: tuple[str, str], links: list[str]
) -> NodeType | None:
    if len(links) == 2 and (below := _below(links)):
        return NodeType(name, written, *value, links=below)
    back = next((each for each in links if _BACK.search(each)), "")
    after = [each for each in links if each != back]
    if len(after) == 1 and (_NEXT.search(after[0]) or not back) and not _PARENT.search(after[0]):
        return NodeType(name, written, *value, links=(after[0],), back=back)
    return None


def _below(links: list[str]) -> tuple[str, ...]:
    """The left one first."""
    found = [_TREE.fullmatch(each) for each in links]
    sides = {bool(each[1]): each[0] for each in found if each}
    return (sides[True], sides[False]) if len(sides) == 2 else ()


_Structs = Iterator[tuple[list[str], Parameters]]
_STRUCTS: Mapping[str, Callable[["Node"], _Structs]] = {
    "c": c_structs,
    "cpp": c_structs,
    "go": go_structs,
    "java": java_classes,
    "rust": rust_structs,
    "typescript": typescript_fields,
}
