"""The functions of a program in C or C++, and the structs of C with functions of their own."""

import re
from collections.abc import Iterator, Sequence
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
    with_types,
)
from pipeline.analysis.signatures.type_aliases import type_aliases

if TYPE_CHECKING:
    from tree_sitter import Node

_STORAGE = re.compile(r"\b(?:static|inline|extern|constexpr|virtual|explicit)\b|\[\[[^\]]*\]\]")

_NAMES = ("identifier", "field_identifier")
OPERATORS = re.compile(r"operator(?:[-+*/%<]|[=!<>]=|>|\[\])")  # between two values
CLASSES = ("class_specifier", "struct_specifier")
_INIT = re.compile(r"(?:\w*_)?(?:init\w*|create\w*|make\w*|new\w*)|init[A-Z]\w*|\w+(?:Init|_init)")
_FREED = re.compile(
    r"\w*(?:[fF]ree|[dD]estroy|[dD]ispose|[cC]leanup|[dD]einit|[dD]elete[A-Z_]?\w*ist)\w*"
)


def c_functions(root: "Node") -> Iterator[Signature | None]:
    for node in root.named_children:
        types = None
        if node.type == "template_declaration" and node.named_children:
            types, node = node.child_by_field_name("parameters"), node.named_children[-1]
        if node.type == "function_definition":
            found = c_function(node, types, "")
            yield None if found and OPERATORS.fullmatch(found.name) else found
        elif node.type in CLASSES and types is None:
            yield from _methods_of_solution(node)


def _methods_of_solution(node: "Node") -> Iterator[Signature | None]:
    """The public ones of the class that exercises have; others are objects."""
    body = node.child_by_field_name("body")
    if text_of(node.child_by_field_name("name")) != "Solution" or body is None:
        return
    is_public = node.type == "struct_specifier"
    for each in body.named_children:
        if each.type == "access_specifier":
            is_public = text_of(each).startswith("public")
        elif each.type == "function_definition" and is_public:
            yield c_function(each, None, "Solution")


def c_function(
    node: "Node", types: "Node | None", owner: str, *, with_optional: bool = False
) -> Signature | None:
    head = node.child_by_field_name("declarator")
    while head is not None and head.type in ("pointer_declarator", "reference_declarator"):
        head = head.child_by_field_name("declarator") or next(iter(head.named_children), None)
    if head is None or head.type != "function_declarator":
        return None
    name, listed = head.child_by_field_name("declarator"), head.child_by_field_name("parameters")
    is_operator = name is not None and OPERATORS.fullmatch(text_of(name).replace(" ", ""))
    if name is None or listed is None or (name.type not in _NAMES and not is_operator):
        return None
    parameters = _c_parameters(listed, with_optional=with_optional)
    if parameters is None:
        return None
    before = (node.text or b"")[: head.start_byte - node.start_byte].decode("utf-8", "replace")
    body = node.child_by_field_name("body")
    after = next((each for each in head.children if each.type == "trailing_return_type"), None)
    found = Signature(
        text_of(name).replace(" ", ""),
        owner,
        parameters,
        plain(text_of(after).removeprefix("->") if after else _STORAGE.sub("", before)),
        uses=names_called(body),
    )
    return filled("cpp", types, found)


def _c_parameters(listed: "Node", *, with_optional: bool = False) -> Parameters | None:
    """`with_optional`: also those that have a default value."""
    found: list[tuple[str, str]] = []
    for each in listed.children:
        if each.type in ("variadic_parameter_declaration", "variadic_parameter", "..."):
            return None
        is_optional = each.type == "optional_parameter_declaration" and with_optional
        if each.type == "parameter_declaration" or is_optional:
            found.append(_c_parameter(each))
    return () if found == [("", "void")] else tuple(found)


def _c_parameter(node: "Node") -> tuple[str, str]:
    """The type is what is left without the name: `const int []`."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type not in ("identifier", "function_declarator"):
        declared = inner.child_by_field_name("declarator")
        inner = declared or next((n for n in inner.named_children if n.type == "identifier"), None)
    if inner is None or inner.type != "identifier":
        return "", plain(text_of(node))
    default = node.child_by_field_name("default_value")
    end = default.start_byte - node.start_byte if default else None
    raw, at = (node.text or b"")[:end].rstrip(b" ="), inner.start_byte - node.start_byte
    kind = raw[:at] + b" " + raw[at + len(inner.text or b"") :]
    return text_of(inner), plain(kind.decode("utf-8", "replace"))


# --- structs -------------------------------------------------------------------------------------


def c_types(root: "Node") -> Iterator[ObjectType]:
    """Structs that functions take the address of."""
    aliases = type_aliases("c", root)
    functions = [
        with_types(found, aliases)
        for node in root.named_children
        if node.type == "function_definition"
        and (found := c_function(node, None, ""))
        and not _frees(node, found)
    ]
    for names, fields in c_structs(root):
        if kind := _c_type(names, fields, functions):
            yield kind


def _frees(node: "Node", found: Signature) -> bool:
    """Whether its object is gone after it, whatever its name."""
    name = found.parameters[0][0] if len(found.parameters) == 1 else ""
    freed = rf"\bfree\s*\(\s*{re.escape(name)}\s*\)"
    body = text_of(node.child_by_field_name("body"))
    return bool(name) and found.result == "void" and re.search(freed, body) is not None


def c_structs(root: "Node") -> Iterator[tuple[list[str], Parameters]]:
    """As a program may write each (`struct node`, `Node`), and its fields."""
    for node in root.named_children:
        kind = node.child_by_field_name("type") if node.type == "type_definition" else node
        if kind is None or kind.type not in CLASSES:
            continue
        tag = text_of(kind.child_by_field_name("name"))
        named = node.children_by_field_name("declarator") if kind is not node else []
        aliases = [text_of(each) for each in named if each.type == "type_identifier"]
        if names := [*aliases, *([f"struct {tag}"] if tag else [])]:
            yield names, _fields(kind)


def _fields(node: "Node") -> Parameters:
    """Plain ones, and addresses; those that are seen from outside."""
    body = node.child_by_field_name("body")
    found: list[tuple[str, str]] = []
    is_public = node.type == "struct_specifier"
    for each in body.named_children if body else ():
        if each.type == "access_specifier":
            is_public = text_of(each).startswith("public")
        if each.type != "field_declaration" or not is_public:
            continue
        kind = plain(text_of(each.child_by_field_name("type")))
        for declared in each.children_by_field_name("declarator"):
            name = declared.child_by_field_name("declarator") or declared
            if declared.type in ("field_identifier", "pointer_declarator"):
                stars = " *" if declared.type == "pointer_declarator" else ""
                found.append((text_of(name), kind + stars))
    return tuple(found)


def _c_type(
    names: Sequence[str], fields: Parameters, functions: Sequence[Signature]
) -> ObjectType | None:
    makers: list[Signature] = []
    methods: list[Signature] = []
    for each in functions:
        first = each.parameters[0][1] if each.parameters else ""
        takes, gives = _stars(first, names), _stars(each.result, names)
        if takes is None:
            if gives in (0, 1) and each.name != "main":
                makers.append(replace(each, owner=names[0]))
        elif takes < 3 and not _FREED.fullmatch(each.name):
            member = replace(
                each, owner=names[0], parameters=each.parameters[1:], is_static=False,
                receiver=names[0] + "*" * takes,
            )  # fmt: skip
            is_maker = takes == 1 and gives is None and _INIT.fullmatch(each.name)
            (makers if is_maker else methods).append(member)
    is_node = any(_stars(text, names) == 1 for _, text in fields)
    if is_node and (not makers or any(_stars(each.result, names) == 1 for each in makers)):
        # A list that is nothing yet; what makes a node of it is no maker of lists.
        makers = [Signature("", names[0], (), "")]
    if not (makers and methods):
        return None
    return ObjectType(names[0], tuple(makers), tuple(methods), fields)


def _stars(kind: str, names: Sequence[str]) -> int | None:
    """How often a kind points, to the type of these names; None for another one."""
    bare = plain(re.sub(r"\bconst\b", " ", kind))
    word = bare.rstrip("* ")
    return bare.count("*") if word in names else None
