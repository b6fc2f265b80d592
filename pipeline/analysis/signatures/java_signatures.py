"""The methods of a program in Java that are called as functions, and its classes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import text_of
from pipeline.analysis.signatures.signature import (
    ObjectType,
    Parameters,
    Signature,
    filled,
    names_called,
    plain,
    plain_types,
    with_types,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_HIDDEN = {"private", "protected", "@Override", "@Test"}
_BESIDE = {"hashCode", "equals", "clone", "finalize", "iterator", "run"}  # that override others


def java_functions(root: "Node") -> Iterator[Signature | None]:
    for node in root.named_children:
        body = node.child_by_field_name("body")
        if node.type != "class_declaration" or body is None:
            continue
        owner = text_of(node.child_by_field_name("name"))
        is_made = _can_be_made(node, body)
        for each in body.named_children:
            if each.type == "method_declaration":
                yield _java_method(each, owner, is_made=is_made)


def _can_be_made(node: "Node", body: "Node") -> bool:
    """Whether `new` needs no arguments, and methods are no more than functions: they have nothing
    to keep between calls, or the class is that of exercises."""
    if node.child_by_field_name("type_parameters") or "abstract" in _modifiers(node):
        return False
    fields = [each for each in body.named_children if each.type == "field_declaration"]
    is_stateless = all("static" in _modifiers(each) for each in fields)
    if not is_stateless and text_of(node.child_by_field_name("name")) != "Solution":
        return False
    makers = [each for each in body.named_children if each.type == "constructor_declaration"]
    plain = (each for each in makers if "private" not in _modifiers(each))
    return not makers or any(_java_parameters(each) == () for each in plain)


def _java_method(node: "Node", owner: str, *, is_made: bool) -> Signature | None:
    modifiers, parameters = _modifiers(node), _java_parameters(node)
    body, is_static = node.child_by_field_name("body"), "static" in modifiers
    if parameters is None or body is None or not (is_static or is_made):
        return None
    if not modifiers.isdisjoint(_HIDDEN):
        return None
    found = Signature(
        text_of(node.child_by_field_name("name")),
        owner,
        parameters,
        plain(text_of(node.child_by_field_name("type"))),
        is_static=is_static,
        uses=names_called(body),
    )
    return filled("java", node.child_by_field_name("type_parameters"), found)


def _modifiers(node: "Node") -> set[str]:
    listed = (each for each in node.children if each.type == "modifiers")
    return set(text_of(next(listed, None)).split())


def _java_parameters(node: "Node") -> Parameters | None:
    listed = node.child_by_field_name("parameters")
    found: list[tuple[str, str]] = []
    for each in listed.named_children if listed else ():
        if each.type == "spread_parameter":
            return None
        if each.type == "formal_parameter":
            dimensions = text_of(each.child_by_field_name("dimensions"))  # int a[]
            kind = text_of(each.child_by_field_name("type")) + dimensions
            found.append((text_of(each.child_by_field_name("name")), plain(kind)))
    return tuple(found)


# --- classes -------------------------------------------------------------------------------------


def java_types(root: "Node", outer: str = "") -> Iterator[ObjectType]:
    """Those of which one can make an object from outside, also within other ones."""
    for node in root.named_children:
        body, name = node.child_by_field_name("body"), text_of(node.child_by_field_name("name"))
        known = plain_types("java", node.child_by_field_name("type_parameters"))
        is_class = node.type in ("class_declaration", "record_declaration")
        modifiers = _modifiers(node)
        if not is_class or body is None or "private" in modifiers:
            continue
        is_within = bool(outer) and node.type == "class_declaration" and "static" not in modifiers
        if known is not None and not is_within and "abstract" not in modifiers:
            yield _java_type(node, body, outer + name, known)
        if not is_within:
            yield from java_types(body, f"{outer}{name}.")


def java_classes(root: "Node", outer: str = "") -> Iterator[tuple[list[str], Parameters]]:
    """As a program may write the name of each that it keeps not to itself, and its fields."""
    for node in root.named_children:
        body, name = node.child_by_field_name("body"), text_of(node.child_by_field_name("name"))
        if node.type != "class_declaration" or body is None or "private" in _modifiers(node):
            continue
        if node.child_by_field_name("type_parameters") is None:
            yield [outer + name, *([name] if outer else [])], tuple(_java_fields(body))
        yield from java_classes(body, f"{outer}{name}.")


def _java_fields(body: "Node") -> Iterator[tuple[str, str]]:
    for each in body.named_children:
        if each.type == "field_declaration" and "static" not in _modifiers(each):
            kind = plain(text_of(each.child_by_field_name("type")))
            for declared in each.children_by_field_name("declarator"):
                yield text_of(declared.child_by_field_name("name")), kind


def _java_type(node: "Node", body: "Node", name: str, known: dict[str, str]) -> ObjectType:
    whole = f"{name}<{', '.join(known.values())}>" if known else name
    alone = name.rpartition(".")[2]
    own = re.compile(rf"\b{re.escape(alone)}\b(?:\s*<[^<>]*>)?")
    written = (_in_type(node, own, whole, known) for node in body.named_children)
    members = [*filter(None, written)]
    makers = [each for each in members if not each.result and each.name == alone]
    methods = [each for each in members if each.result and not each.is_static]
    if node.type == "record_declaration":
        fields = Signature("", whole, _java_parameters(node) or (), "", is_static=False)
        fields = with_types(fields, known)
        makers.append(fields)
        methods += [Signature(n, whole, (), kind, is_static=False) for n, kind in fields.parameters]
    elif not any(each.type == "constructor_declaration" for each in body.named_children):
        makers.append(Signature(alone, whole, (), "", is_static=False))
    if not makers:
        static = (each for each in members if each.is_static and each.result == whole)
        makers = [each for each in static if all(kind != whole for _, kind in each.parameters)]
    return ObjectType(whole, tuple(makers), tuple(methods))


def _in_type(
    node: "Node", own: re.Pattern[str], whole: str, known: dict[str, str]
) -> Signature | None:
    """A constructor or a method that is called from outside; a constructor gives nothing."""
    modifiers, parameters = _modifiers(node), _java_parameters(node)
    name = text_of(node.child_by_field_name("name"))
    is_method = node.type == "method_declaration" and _is_called(name, modifiers)
    is_maker = node.type == "constructor_declaration" and "private" not in modifiers
    if parameters is None or not (is_method or is_maker):
        return None
    result = plain(text_of(node.child_by_field_name("type")))
    found = with_types(Signature(name, whole, parameters, result), known)
    return replace(
        found,
        is_static="static" in modifiers,
        receiver=whole,
        parameters=tuple((called, own.sub(whole, kind)) for called, kind in found.parameters),
        result=own.sub(whole, found.result),
    )


def _is_called(name: str, modifiers: set[str]) -> bool:
    """What it overrides is an interface's mostly, and as much its own."""
    if "@Override" in modifiers and name in _BESIDE:
        return False
    return modifiers.isdisjoint(_HIDDEN - {"@Override"})
