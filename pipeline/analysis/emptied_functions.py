"""JavaScript or Bash → the same with functions that do nothing, by tree-sitter."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

_SHELLS = ("bash", "shell")


def emptied(language: str, text: str) -> str | None:
    """None where there is no function, or the text cannot be parsed in time."""
    try:
        found = _emptied(language, text)
    except Unread:
        return None
    return found if found != text else None


@in_syntax_process
def _emptied(language: str, text: str) -> str:
    tree = parsed(language, text)
    if tree is None or tree.root_node.has_error:
        return text
    raw, at, kept = text.encode("utf-8", "replace"), 0, list[bytes]()
    for body in _bodies(tree.root_node):
        kept += [raw[at : body.start_byte], _nothing(language, body)]
        at = body.end_byte
    return b"".join([*kept, raw[at:]]).decode("utf-8")


def _nothing(language: str, body: "Node") -> bytes:
    """The body of an arrow function may be an expression."""
    if language in _SHELLS:
        return b"{ :; }"
    return b"{}" if body.type == "statement_block" else b"undefined"


def _bodies(root: "Node") -> Iterator["Node"]:
    """Of functions and methods, the outermost ones, in the text's order."""
    open_nodes = [root]
    while open_nodes:
        node = open_nodes.pop()
        is_function = "function" in node.type or node.type == "method_definition"
        body = node.child_by_field_name("body") if is_function else None
        if body:
            yield body
        else:
            open_nodes += reversed(node.named_children)
