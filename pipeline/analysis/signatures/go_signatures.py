"""The functions, and the types with methods, of a program in Go."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

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

More = Literal["refused", "one", "two"]

if TYPE_CHECKING:
    from tree_sitter import Node


def go_functions(root: "Node") -> Iterator[Signature | None]:
    for node in root.named_children:
        found = _go_function(node) if node.type == "function_declaration" else None
        if found:
            yield filled("go", node.child_by_field_name("type_parameters"), found)


def _go_parameters(listed: "Node", more: More = "refused") -> Parameters | None:
    """`more`: how many there are where it takes any number of them."""
    found: list[tuple[str, str]] = []
    for each in listed.named_children:
        if each.type == "variadic_parameter_declaration" and more == "refused":
            return None
        if each.type in ("parameter_declaration", "variadic_parameter_declaration"):
            kind = plain(text_of(each.child_by_field_name("type")))
            names = each.children_by_field_name("name")
            found += [(text_of(name), kind) for name in names] or [("", kind)]
            if each.type == "variadic_parameter_declaration" and more == "two":
                found.append(found[-1])
    return tuple(found)


def _go_result(node: "Node | None") -> str:
    """`(int, error)` without the names."""
    if node is None or node.type != "parameter_list":
        return plain(text_of(node))
    kinds = [kind for _, kind in _go_parameters(node) or ()]
    return kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})" if kinds else ""


# --- types with methods --------------------------------------------------------------------------


def go_types(root: "Node") -> Iterator[ObjectType]:
    """Those that are declared at the top, with what gives one as what makes it."""
    for node in root.named_children:
        for spec in node.named_children if node.type == "type_declaration" else ():
            known = plain_types("go", spec.child_by_field_name("type_parameters"))
            if spec.type == "type_spec" and known is not None:
                yield _go_type(root, spec, known)


def _go_type(root: "Node", spec: "Node", known: Mapping[str, str]) -> ObjectType:
    name = text_of(spec.child_by_field_name("name"))
    whole = f"{name}[{', '.join(known.values())}]" if known else name
    own = re.compile(rf"\*?{re.escape(name)}(?:\[[^\]]*\])?")
    made = (_go_maker(node, own, whole, known) for node in root.named_children)
    called = (_go_method(node, own, whole, known) for node in root.named_children)
    makers, methods = [*filter(None, made)], filter(None, called)
    fields = _go_fields(spec)
    if not makers and fields is not None:
        makers.append(with_types(Signature("", whole, fields, whole), known))
    return ObjectType(whole, tuple(makers), tuple(methods))


def _go_method(
    node: "Node", own: re.Pattern[str], whole: str, known: Mapping[str, str]
) -> Signature | None:
    held = node.child_by_field_name("receiver")
    listed = _go_parameters(held) if held else None
    receiver = listed[0][1] if listed else ""
    found = _go_function(node, "one") if own.fullmatch(receiver) else None
    if found is None:
        return None
    names = re.findall(r"\w+", receiver.partition("[")[2])  # it calls the type's parameters anew
    renamed = dict(zip(names, known.values(), strict=False))
    return replace(_in_type(found, own, whole, renamed), receiver=receiver, is_static=False)


def _go_maker(
    node: "Node", own: re.Pattern[str], whole: str, known: Mapping[str, str]
) -> Signature | None:
    found = _go_function(node, "two") if node.type == "function_declaration" else None
    if found is None or not own.fullmatch(found.result.strip("()").partition(",")[0]):
        return None
    if any(own.fullmatch(kind) for _, kind in found.parameters):
        return None
    if found.result.startswith("(") and not re.search(r"^[^,]+, (?:error|bool)\)$", found.result):
        return None
    is_filled = node.child_by_field_name("type_parameters") is not None
    name = f"{found.name}[{', '.join(known.values())}]" if is_filled else found.name
    return replace(_in_type(found, own, whole, known), name=name)


def _in_type(
    found: Signature, own: re.Pattern[str], whole: str, known: Mapping[str, str]
) -> Signature:
    def written(kind: str) -> str:
        return ("*" if kind.startswith("*") else "") + whole if own.fullmatch(kind) else kind

    plainly = with_types(found, known)
    parameters = tuple((name, written(kind)) for name, kind in plainly.parameters)
    return replace(plainly, owner=whole, parameters=parameters, result=written(plainly.result))


def _go_function(node: "Node", more: More = "refused") -> Signature | None:
    listed = node.child_by_field_name("parameters")
    if node.type not in ("function_declaration", "method_declaration") or listed is None:
        return None
    parameters = _go_parameters(listed, more)
    if parameters is None:
        return None
    return Signature(
        text_of(node.child_by_field_name("name")),
        "",
        parameters,
        _go_result(node.child_by_field_name("result")),
        uses=names_called(node.child_by_field_name("body")),
    )


def go_structs(root: "Node") -> Iterator[tuple[list[str], Parameters]]:
    """The name of each, and its fields."""
    for node in root.named_children:
        for spec in node.named_children if node.type == "type_declaration" else ():
            kind = spec.child_by_field_name("type")
            is_plain = spec.child_by_field_name("type_parameters") is None
            if kind is not None and kind.type == "struct_type" and is_plain:
                yield [text_of(spec.child_by_field_name("name"))], tuple(_fields(kind))


def _fields(struct: "Node") -> Iterator[tuple[str, str]]:
    for each in struct.named_children[0].named_children if struct.named_children else ():
        if each.type == "field_declaration":
            of = plain(text_of(each.child_by_field_name("type")))
            names = [text_of(name) for name in each.children_by_field_name("name")]
            yield from ((name, of) for name in names or [""])


def _go_fields(spec: "Node") -> Parameters | None:
    """What a struct is made of, in order; () where nothing has to be given: it has none, or some
    that methods make."""
    kind = spec.child_by_field_name("type")
    if kind is None or kind.type in ("interface_type", "function_type"):
        return None
    found = tuple(_fields(kind)) if kind.type == "struct_type" else ()
    return found if all(name[:1].isupper() for name, _ in found) else ()
