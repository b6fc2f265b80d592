"""The classes of a program in C++: what makes their objects, and what they can be asked."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import text_of
from pipeline.analysis.signatures.c_signatures import CLASSES, OPERATORS, c_function
from pipeline.analysis.signatures.signature import (
    ObjectType,
    Parameters,
    Signature,
    plain,
    plain_types,
    with_types,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_ABSTRACT = re.compile(r"\bvirtual\b[^;{}]*=\s*0\s*;\s*$")
_MEMBERS = ("function_definition", "field_declaration", "declaration")


def cpp_types(root: "Node", outer: str = "") -> Iterator[ObjectType]:
    """Classes and structs, also in namespaces; of templates those that plain types fill."""
    for node in root.named_children:
        within = node.child_by_field_name("body")
        if node.type == "namespace_definition" and within is not None:
            named = text_of(node.child_by_field_name("name"))
            yield from cpp_types(within, f"{outer}{named}::" if named else outer)
        types = None
        if node.type == "template_declaration" and node.named_children:
            types, node = node.child_by_field_name("parameters"), node.named_children[-1]
        body, name = node.child_by_field_name("body"), text_of(node.child_by_field_name("name"))
        known = plain_types("cpp", types)
        if node.type in CLASSES and body is not None and name and known is not None:
            kind = _cpp_type(node, body, outer, known)
            free = _free_operators((*root.named_children, *body.named_children), kind, known)
            yield replace(kind, methods=(*kind.methods, *free))


def _cpp_type(node: "Node", body: "Node", outer: str, known: Mapping[str, str]) -> ObjectType:
    name = text_of(node.child_by_field_name("name"))
    whole = f"{outer}{name}<{', '.join(known.values())}>" if known else outer + name
    functions = [*_cpp_functions(node, body, whole)]
    public = [_in_type(each, name, whole, known) for each, is_public in functions if is_public]
    makers = [each for each in public if each.name == name and not _takes(each, whole)]
    if any(_ABSTRACT.search(text_of(each)) for each, _ in _cpp_members(node, body)):
        makers = []
    elif all(each.name != name for each, _ in functions):
        makers.append(Signature("", whole, _cpp_fields(node, body), whole))
    methods = [each for each in public if each.name != name]
    if "operator<=>" in text_of(body):  # these two come of it
        operand = (("o", f"const {whole}&"),)
        methods += [Signature(n, whole, operand, "bool") for n in ("operator==", "operator<")]
    return ObjectType(whole, tuple(makers), tuple(methods))


def _cpp_functions(node: "Node", body: "Node", whole: str) -> Iterator[tuple[Signature, bool]]:
    """Those of a class that are called on an object, and its constructors, and whether they are
    public. Constructors also with what need not be given."""
    for each, is_public in _cpp_members(node, body):
        is_deleted = each.named_children[-1].type == "delete_method_clause"
        if is_deleted or "static" in text_of(each).partition("(")[0].split():
            continue
        found = c_function(each, None, whole)
        if found is None or (OPERATORS.fullmatch(found.name) and len(found.parameters) != 1):
            continue
        longer = c_function(each, None, whole, with_optional=True)
        if longer != found and found.name == text_of(node.child_by_field_name("name")):
            yield longer or found, is_public
        yield found, is_public


def _takes(maker: Signature, whole: str) -> bool:
    """An object of the type, to be copied or moved."""
    return any(_is_type(kind, whole) for _, kind in maker.parameters)


def _free_operators(
    nodes: Sequence["Node"], kind: ObjectType, known: Mapping[str, str]
) -> Iterator[Signature]:
    """Those that stand beside a class, or in it as its friends."""
    for node in nodes:
        while node.type in ("template_declaration", "friend_declaration") and node.named_children:
            node = node.named_children[-1]
        found = c_function(node, None, kind.name) if node.type in _MEMBERS else None
        if found is None or not OPERATORS.fullmatch(found.name) or len(found.parameters) < 2:
            continue
        member = _in_type(found, kind.word, kind.name, known)
        if _is_type(member.parameters[0][1], kind.name):
            yield replace(member, parameters=member.parameters[1:])


def _in_type(found: Signature, name: str, whole: str, known: Mapping[str, str]) -> Signature:
    """A name alone stands for the whole type in it, of a template or in a namespace."""
    member = replace(with_types(found, known), is_static=False, receiver=whole)
    if whole == name:
        return member
    filled_in = f"<{', '.join(known.values())}>"
    alone = re.compile(rf"(?<!::)\b{re.escape(name)}\b(?:{re.escape(filled_in)}|(?!\s*<))")
    parameters = tuple((each, alone.sub(whole, kind)) for each, kind in member.parameters)
    return replace(member, parameters=parameters, result=alone.sub(whole, member.result))


def _cpp_members(node: "Node", body: "Node") -> Iterator[tuple["Node", bool]]:
    """Those that may be functions, and whether they are public."""
    is_public = node.type == "struct_specifier"
    for each in body.named_children:
        if each.type == "access_specifier":
            is_public = text_of(each).startswith("public")
        elif each.type in _MEMBERS:
            yield each, is_public


def _cpp_fields(node: "Node", body: "Node") -> Parameters:
    """What a struct without constructors is made of; () where nothing has to be given, or can be:
    it has a base, or virtual functions."""
    found: list[tuple[str, str]] = []
    if any(each.type == "base_class_clause" for each in node.children):
        return ()
    for each, is_public in _cpp_members(node, body):
        words = text_of(each).partition("(")[0].split()
        if "virtual" in words:
            return ()
        is_function = each.type != "field_declaration" or c_function(each, None, "")
        if is_function or "static" in words:
            continue
        if not is_public or each.child_by_field_name("default_value"):
            return ()
        kind = plain(text_of(each.child_by_field_name("type")))
        names = each.children_by_field_name("declarator")
        if any(name.type != "field_identifier" for name in names):
            return ()
        found += [(text_of(name), kind) for name in names]
    return tuple(found)


def _is_type(kind: str, whole: str) -> bool:
    return plain(re.sub(r"\bconst\b|[&*]", " ", kind)) == whole
