"""The functions, and the types with methods, of a program in Rust."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import text_of
from pipeline.analysis.signatures.signature import (
    OF_FUNCTIONS,
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


def rust_functions(root: "Node") -> Iterator[Signature | None]:
    is_test = False
    for node in root.named_children:
        if node.type == "attribute_item":
            is_test = is_test or bool(re.search(r"\b(?:test|tokio)\b", text_of(node)))
            continue
        found = _rust_function(node) if node.type == "function_item" and not is_test else None
        if found and found.is_static:
            yield found
        if node.type == "impl_item" and text_of(node.child_by_field_name("type")) == "Solution":
            yield from _functions_of_solution(node)
        is_test = is_test and "comment" in node.type


def _functions_of_solution(node: "Node") -> Iterator[Signature]:
    """Of the type that exercises have; others are objects."""
    body = node.child_by_field_name("body")
    for each in body.named_children if body else ():
        found = _rust_function(each) if each.type == "function_item" else None
        if found and found.is_static:
            yield replace(found, owner="Solution")


def _rust_function(node: "Node") -> Signature | None:
    body = node.child_by_field_name("body")
    listed = node.child_by_field_name("parameters")
    modifiers = [text_of(each) for each in node.children if each.type == "function_modifiers"]
    is_plain = not any(re.search(r"\b(?:async|unsafe|extern)\b", each) for each in modifiers)
    where = "".join(text_of(each) for each in node.children if each.type == "where_clause")
    if listed is None or not is_plain or OF_FUNCTIONS.search(where):
        return None
    parameters, receiver = [], ""
    for each in listed.named_children:
        if each.type == "variadic_parameter":
            return None
        if each.type == "self_parameter":
            receiver = plain(text_of(each))
        if each.type == "parameter":
            name = text_of(each.child_by_field_name("pattern"))
            parameters.append((name, plain(text_of(each.child_by_field_name("type")))))
    found = Signature(
        text_of(node.child_by_field_name("name")),
        "",
        tuple(parameters),
        plain(text_of(node.child_by_field_name("return_type"))),
        is_static=not receiver,
        receiver=receiver,
        uses=names_called(body),
    )
    return filled("rust", node.child_by_field_name("type_parameters"), found)


# --- types with methods --------------------------------------------------------------------------


def rust_types(root: "Node") -> Iterator[ObjectType]:
    """Structs and enums, with the functions of their own as what makes them."""
    derived = ""
    for node in root.named_children:
        if node.type == "attribute_item":
            derived += text_of(node)
            continue
        known = plain_types("rust", node.child_by_field_name("type_parameters"))
        if node.type in ("struct_item", "enum_item") and known is not None:
            yield _rust_type(root, node, known, is_copied=bool(re.search(r"\bCopy\b", derived)))
        derived = ""


def _rust_type(
    root: "Node", node: "Node", known: Mapping[str, str], *, is_copied: bool
) -> ObjectType:
    """`is_copied`: its objects are still there when they were given away."""
    name = text_of(node.child_by_field_name("name"))
    whole = f"{name}<{', '.join(known.values())}>" if known else name
    own = re.compile(rf"\b(?:{re.escape(name)}\b(?:\s*<[^<>]*>)?|Self\b)")
    functions = (
        _in_type(with_types(found, renamed), own, whole)
        for of, renamed in _impls(root, name, known)
        for each in of.named_children
        if each.type == "function_item" and (found := _rust_function(each))
    )
    members = [each for each in functions if is_copied or not _gives_away(each, whole)]
    # What is shared (`Rc<RefCell<Self>>`) has no methods of its own.
    one = re.compile(
        rf"(?:(?:\w+::)*(?:Box|Option|Result)\s*<\s*)?{own.pattern}\s*(?:[,>].*)?", re.DOTALL
    )
    made = (each for each in members if each.is_static and one.fullmatch(each.result))
    makers = [each for each in made if not any(own.search(kind) for _, kind in each.parameters)]
    if not makers and (fields := _rust_fields(node)):
        makers.append(with_types(Signature("", whole, fields, whole), known))
    methods = (each for each in members if not each.is_static)
    return ObjectType(whole, tuple(makers), tuple(methods))


def _gives_away(method: Signature, whole: str) -> bool:
    """Whether an object is gone after a call with it."""
    taken = [method.receiver, *(kind for _, kind in method.parameters if kind == whole)]
    return not method.is_static and not all(kind.startswith("&") for kind in taken)


def _impls(
    root: "Node", name: str, known: Mapping[str, str]
) -> Iterator[tuple["Node", Mapping[str, str]]]:
    """The bodies of the type's own, and of the program's traits, with what their type parameters
    stand for."""
    traits = {
        text_of(node.child_by_field_name("name"))
        for node in root.named_children
        if node.type == "trait_item"
    }
    for node in root.named_children:
        body, kind = node.child_by_field_name("body"), text_of(node.child_by_field_name("type"))
        trait = text_of(node.child_by_field_name("trait")).partition("<")[0].strip()
        is_own = node.type == "impl_item" and (not trait or trait in traits)
        if is_own and body is not None and kind.partition("<")[0].strip() == name:
            given = re.findall(r"(?<!')\b\w+", kind.partition("<")[2])
            yield body, dict(zip(given, known.values(), strict=False))


def _in_type(found: Signature, own: re.Pattern[str], whole: str) -> Signature:
    parameters = tuple((name, own.sub(whole, kind)) for name, kind in found.parameters)
    return replace(found, owner=whole, parameters=parameters, result=own.sub(whole, found.result))


def rust_structs(root: "Node") -> Iterator[tuple[list[str], Parameters]]:
    """The name of each, and its fields."""
    for node in root.named_children:
        if node.type == "struct_item" and node.child_by_field_name("type_parameters") is None:
            yield [text_of(node.child_by_field_name("name"))], _rust_fields(node)


def _rust_fields(node: "Node") -> Parameters:
    """What a struct is made of; () for one without names."""
    body = node.child_by_field_name("body")
    found: list[tuple[str, str]] = []
    for each in body.named_children if body else ():
        if each.type == "field_declaration":
            kind = plain(text_of(each.child_by_field_name("type")))
            found.append((text_of(each.child_by_field_name("name")), kind))
    return tuple(found)
