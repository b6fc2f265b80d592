"""JavaScript and TypeScript by tree-sitter: does it parse, and what does it declare."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.analysis.file_types import language_of_path
from pipeline.analysis.grammar import error_line, grammar_of, text_of, tree_of, walk
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

_FENCE = re.compile(rb"^ {0,3}(?:```|~~~)", re.MULTILINE)
_STATIC = {"import_statement", "export_statement"}
FUNCTIONS = {
    "arrow_function",
    "function_declaration",
    "function_expression",
    "function_signature",
    "generator_function_declaration",
}
_DECLARATIONS = {
    *("function_declaration", "generator_function_declaration", "function_signature"),
    *("class_declaration", "abstract_class_declaration", "interface_declaration"),
    *("type_alias_declaration", "enum_declaration", "internal_module", "module"),
}


def parses(text: str, path: str) -> bool:
    """Whether it does, in time."""
    try:
        return first_error(text, path) is None
    except Unread:
        return False


@in_syntax_process
def first_error(text: str, path: str) -> int | None:
    """The line of the first syntax error, from 1; None where the text parses. Raises Unread."""
    return error_line(parse(text, path))


@in_syntax_process
def fences_outside_comments(text: str, path: str) -> bool:
    """Whether lines begin with a Markdown fence where no comment is. In the language itself such
    marks would be templates that call each other, which nobody writes. Raises Unread."""
    root = parse(text, path)
    if root.has_error:
        return True
    raw = text.encode("utf-8", "surrogatepass")
    for mark in _FENCE.finditer(raw):
        node = root.descendant_for_byte_range(mark.end() - 1, mark.end())
        if node is None or node.type != "comment":
            return True
    return False


@in_syntax_process
def outline(text: str, path: str) -> str:
    """The declarations at the top level, without their bodies. Raises Unread."""
    found = []
    for node in parse(text, path).children:
        inner = node.child_by_field_name("declaration") if node.type in _STATIC else node
        if node.type == "import_statement" or inner is None:
            continue
        if inner.type in _DECLARATIONS or "lexical" in inner.type or node.type in _STATIC:
            found.append(_headline(node, inner))
    return "\n".join(found)


def _headline(node: "Node", inner: "Node") -> str:
    """A declaration up to its body; types and interfaces whole, classes with their members."""
    text = text_of(node)
    if inner.type in ("interface_declaration", "type_alias_declaration", "enum_declaration"):
        return text
    if inner.type in ("class_declaration", "abstract_class_declaration"):
        body = inner.child_by_field_name("body")
        members = body.named_children if body else []
        heads = [_until_body(member, member) for member in members if member.type != "comment"]
        return "\n".join([_until_body(node, inner), *(f"  {head}" for head in heads)])
    for each in walk(inner):
        if each.type in FUNCTIONS:
            return _until_body(node, each)
    return text if len(text) < 120 else text[:120] + " …"


def _until_body(node: "Node", owner: "Node") -> str:
    body = owner.child_by_field_name("body")
    raw = node.text or b""
    end = body.start_byte - node.start_byte if body else len(raw)
    return " ".join(raw[:end].decode("utf-8", "replace").split()).removesuffix("=>").strip()


# --- parsing -----------------------------------------------------------------------------------


@lru_cache(maxsize=8)  # a file is asked for its errors, its outline and its imports
def parse(text: str, path: str) -> "Node":
    """The root of a file's tree. Raises Unread."""
    grammar = grammar_of(language_of_path(path) or "javascript")
    return tree_of(grammar, text.encode("utf-8", "surrogatepass")).root_node


def line_of(node: "Node") -> int:
    return node.start_point[0] + 1
