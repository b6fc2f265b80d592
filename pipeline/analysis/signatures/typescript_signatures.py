"""The functions of a program in TypeScript, its classes, and other names for its types."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import text_of, walk
from pipeline.analysis.signatures.signature import (
    ObjectType,
    Parameters,
    Signature,
    names_called,
    plain,
    with_types,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = ("function_declaration", "generator_function_declaration")
_EXPRESSIONS = ("arrow_function", "function_expression")
_CLASSES = ("class_declaration", "abstract_class_declaration")
_ALIASED = ("interface_declaration", "type_alias_declaration", "enum_declaration")
_BOUND_PLAIN = re.compile(r"\b(?:string|number|boolean|PropertyKey)\b")
_FILLED = {"PropertyKey": "string"}
_RETURNS = re.compile(r"\breturn\s+([^\s;}]+)")
_OTHERS = {"other", "another", "that", "rhs"}
_MOST_ALIAS = 400  # characters of a type
_DEEPEST = 4  # types of types


def typescript_functions(root: "Node") -> Iterator[Signature | None]:
    """Also constants that are functions, and static methods."""
    for node in _declared(root):
        if node.type in _FUNCTIONS:
            yield _function(node, text_of(node.child_by_field_name("name")))
        elif node.type == "lexical_declaration":
            for each in node.named_children:
                value = each.child_by_field_name("value")
                if value and value.type in _EXPRESSIONS:
                    yield _function(value, text_of(each.child_by_field_name("name")))
        elif node.type in _CLASSES:
            body = node.child_by_field_name("body")
            for each in body.named_children if body else ():
                if found := _method(each, _name(node)) if "static" in _words(each) else None:
                    yield replace(found, receiver="")


def _declared(root: "Node") -> Iterator["Node"]:
    """The statements of a program, what is exported and declared as it is."""
    for node in root.named_children:
        if node.type == "ambient_declaration" and node.named_child_count == 1:
            node = node.named_children[0]
        yield node.child_by_field_name("declaration") or node


def _described(root: "Node") -> Iterator["Node"]:
    """Also what is said to be elsewhere (`declare class A`), as far as it is a type."""
    for node in _declared(root):
        yield from walk(node) if node.type == "ambient_declaration" else [node]


def _function(node: "Node", name: str) -> Signature:
    parameters = _parameters(node)
    result, body = _result(node), node.child_by_field_name("body")
    found = Signature(name, "", parameters, result, uses=names_called(body))
    return with_types(found, _filled(node))


def _result(node: "Node") -> str:
    """What a promise gives. Where nothing is said `any`, or what the statements tell."""
    said, body = node.child_by_field_name("return_type"), node.child_by_field_name("body")
    if said is None and body and body.type == "statement_block":
        given = set(_RETURNS.findall(text_of(body)))
        return "any" if given - {"this"} else "".join(given) or "void"
    if said is None or said.type != "type_annotation":  # what it says of its arguments
        return {None: "any", "type_predicate_annotation": "boolean"}.get(said and said.type, "void")
    return _awaited(_type_text(said.named_children[-1]))


def _awaited(text: str) -> str:
    found = re.fullmatch(r"Promise\s*<(.*)>", text, re.DOTALL)
    return found[1].strip() if found else text


def _parameters(node: "Node") -> Parameters:
    """Those that a call has to give; of those without a type any value may be."""
    listed = node.child_by_field_name("parameters")
    found: list[tuple[str, str]] = []
    for each in listed.named_children if listed else ():
        pattern = each.child_by_field_name("pattern")
        kind = each.child_by_field_name("type")
        if each.type == "optional_parameter" or each.child_by_field_name("value"):
            continue
        if each.type != "required_parameter" or pattern is None or pattern.type == "this":
            continue
        name = text_of(pattern) if pattern.type == "identifier" else ""
        is_known = kind is not None and pattern.type != "rest_pattern"
        found.append((name, _type_text(kind.named_children[-1]) if kind and is_known else "any"))
    return tuple(found)


def _filled(node: "Node") -> dict[str, str]:
    """A type for each type parameter: a number, or as its bound says; those stay as they are whose
    bound says nothing of plain values."""
    types = node.child_by_field_name("type_parameters")
    known: dict[str, str] = {}
    for each in types.named_children if types else ():
        name, bound = text_of(each.child_by_field_name("name")), _bound(each)
        if "keyof" in bound:
            continue
        if bound.startswith("{"):
            known[name] = bound
        elif (found := _BOUND_PLAIN.search(bound)) and not re.search(r"[<{&]", bound):
            known[name] = _FILLED.get(found[0], found[0])
        elif not bound or bound in ("unknown", "any", "{}"):
            is_key = re.fullmatch(r"K|Key\w*|TKey", name) is not None
            known[name] = "string" if is_key else "number"
    return known


def _bound(parameter: "Node") -> str:
    constraint = parameter.child_by_field_name("constraint")
    return plain(text_of(constraint).removeprefix("extends")) if constraint else ""


# --- classes -------------------------------------------------------------------------------------


def typescript_types(root: "Node") -> Iterator[ObjectType]:
    for node in _declared(root):
        body, known = node.child_by_field_name("body"), _filled(node)
        if node.type != "class_declaration" or body is None:
            continue
        name = text_of(node.child_by_field_name("name"))
        whole = f"{name}<{', '.join(known.values())}>" if known else name
        made = [_method(each, name) for each in body.named_children]
        members = [_of_class(each, name, whole, known) for each in made if each]
        makers = [each for each in members if each.name == "constructor"]
        methods = [each for each in members if not each.is_static and each not in makers]
        is_plain = "extends_clause" not in {each.type for each in _heritage(node)}
        has_maker = any(_name(each) == "constructor" for each in body.named_children)
        if is_plain and not has_maker:
            makers.append(Signature(name, whole, (), ""))
        yield ObjectType(whole, tuple(makers), tuple(methods))


def _heritage(node: "Node") -> list["Node"]:
    listed = (each for each in node.named_children if each.type == "class_heritage")
    return [each for some in listed for each in some.named_children]


def _of_class(found: Signature, name: str, whole: str, known: Mapping[str, str]) -> Signature:
    found = with_types(found, known)
    own = re.compile(rf"\b{re.escape(name)}\b(?:\s*<[^<>]*>)?")
    return replace(
        found,
        owner=whole,
        receiver=whole,
        parameters=tuple(
            (called, whole if kind == "any" and called in _OTHERS else own.sub(whole, kind))
            for called, kind in found.parameters
        ),
        result=own.sub(whole, found.result),
    )


def _name(node: "Node") -> str:
    return text_of(node.child_by_field_name("name"))


def _words(node: "Node") -> set[str]:
    """What stands before a member's name."""
    return {text_of(each) for each in node.children if each.type != "statement_block"}


def _method(node: "Node", owner: str) -> Signature | None:
    """A method, a getter or the constructor; None for what is not called from outside."""
    words, name = _words(node), _name(node)
    is_hidden = name.startswith(("#", "_", "[")) or not words.isdisjoint(("private", "protected"))
    if node.type != "method_definition" or is_hidden or "set" in words:
        return None
    parameters = _parameters(node)
    result = "" if name == "constructor" else _result(node)
    body = node.child_by_field_name("body")
    is_static = "static" in words
    found = Signature(name, owner, parameters, result, is_static, uses=names_called(body))
    return with_types(found, _filled(node))


def typescript_fields(root: "Node") -> Iterator[tuple[list[str], Parameters]]:
    """The names of classes and interfaces without type parameters, and their fields."""
    for node in _described(root):
        body = node.child_by_field_name("body") or node.child_by_field_name("value")
        is_named = node.type in (*_CLASSES, "interface_declaration", "type_alias_declaration")
        if is_named and body and node.child_by_field_name("type_parameters") is None:
            yield [_name(node)], tuple(_fields(body))


def _fields(body: "Node") -> Iterator[tuple[str, str]]:
    for each in body.named_children:
        kind = text_of(each.child_by_field_name("type")).removeprefix(":")
        if each.type in ("public_field_definition", "property_signature") and kind:
            yield _name(each), plain(kind)


# --- other names ---------------------------------------------------------------------------------


def typescript_aliases(root: "Node") -> Mapping[str, str]:
    """What interfaces, type aliases and enums stand for, names within them as well; not what
    speaks of itself, nor what has parameters."""
    found = {
        _name(node): _stands_for(node)
        for node in _described(root)
        if node.type in _ALIASED and node.child_by_field_name("type_parameters") is None
    }
    found = {name: text for name, text in found.items() if 0 < len(text) < _MOST_ALIAS}
    for _ in range(_DEEPEST):
        found = {
            name: with_types(Signature("", "", (), text), found).result
            for name, text in found.items()
            if not re.search(rf"\b{re.escape(name)}\b", text)
        }
    return {name: text for name, text in found.items() if len(text) < _MOST_ALIAS}


def _stands_for(node: "Node") -> str:
    body = node.child_by_field_name("body") or node.child_by_field_name("value")
    if node.type == "enum_declaration":
        return _choices(body) if body else ""
    if node.type == "interface_declaration" and any("extends" in c.type for c in node.children):
        return ""
    text = _type_text(body) if body else ""
    return f"({text})" if body and body.type in ("union_type", "intersection_type") else text


def _type_text(node: "Node") -> str:
    """On one line, the members of an object with semicolons between them."""
    if node.type not in ("object_type", "interface_body"):
        return plain(text_of(node))
    members = (_member(each) for each in node.named_children if each.type != "comment")
    return f"{{ {'; '.join(members)} }}"


def _member(node: "Node") -> str:
    kind = node.child_by_field_name("type")
    if node.type != "property_signature" or kind is None:
        return plain(text_of(node))
    mark = "?" if "?" in {each.type for each in node.children} else ""
    return f"{_name(node)}{mark}: {_type_text(kind.named_children[-1])}"


def _choices(body: "Node") -> str:
    """The values of an enum; "" where one has to be computed."""
    values, number = list[str](), 0
    for each in body.named_children:
        value = text_of(each.child_by_field_name("value"))
        if each.type == "enum_assignment" and not re.fullmatch(
            r"\d{1,6}|'[^']*'|\"[^\"]*\"", value
        ):
            return ""
        if value.isdigit():
            number = int(value)
        values.append(value or str(number))
        number += not value or value.isdigit()
    return f"({' | '.join(values)})"
