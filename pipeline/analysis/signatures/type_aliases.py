"""Other names that a program in a typed language gives to types."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import text_of
from pipeline.analysis.signatures.signature import plain
from pipeline.analysis.signatures.typescript_signatures import typescript_aliases

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARED = ("type_item", "alias_declaration")  # Rust's, C++'s


def type_aliases(language: str, root: "Node") -> Mapping[str, str]:
    """What each stands for: `Link` for `Option<Box<Node>>`, `List` for `struct node *`; not those
    with parameters of their own."""
    if language == "typescript":
        return typescript_aliases(root)
    found = (alias for node in root.named_children for alias in _aliases(node))
    return dict(found) if language in ("c", "cpp", "rust") else {}


def _aliases(node: "Node") -> Iterator[tuple[str, str]]:
    kind = node.child_by_field_name("type")
    if node.type in _DECLARED and kind and node.child_by_field_name("type_parameters") is None:
        yield text_of(node.child_by_field_name("name")), plain(text_of(kind))
    elif node.type == "type_definition" and kind is not None:
        yield from addresses(node, kind)


def addresses(node: "Node", kind: "Node") -> Iterator[tuple[str, str]]:
    """Names for a struct's address: `typedef struct stack *Stack`."""
    if kind.type not in ("struct_specifier", "type_identifier"):
        return
    tag = text_of(kind.child_by_field_name("name"))
    written = f"struct {tag} *" if tag else f"{text_of(kind)} *"
    for each in node.children_by_field_name("declarator"):
        name = each.child_by_field_name("declarator")
        is_plain = each.type == "pointer_declarator" and name and name.type == "type_identifier"
        if is_plain and (tag or kind.type == "type_identifier"):
            yield text_of(name), written
