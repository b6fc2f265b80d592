"""The names that a piece of code defines, by tree-sitter: nothing is executed."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed, text_of, walk
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINES = re.compile(
    r"(function|method|class|interface|struct|enum|trait|record|object|module|protocol|type)"
    r"(_alias|_signature)?_?(declaration|definition|item|spec|specifier)?"
)
_BODIES = re.compile(r"(function|method|constructor|closure|lambda|arrow)\w*")
_PUBLIC = re.compile(r"\b(pub|public|open|export)\b")
_PRIVATE = re.compile(r"\b(private|fileprivate|protected)\b")
_MARKING = {"csharp", "go", "java", "javascript", "rust", "swift", "typescript"}
_AROUND = re.compile("export|lexical|variable|decorated")  # what may stand around a definition
_SECTIONS = {b"private", b"protected"}  # Ruby: all that follows in a class


def public_names(language: str, text: str) -> set[str]:
    """The functions, methods and types that others can use, by name; empty where nothing is known
    of the language, or the text cannot be parsed in time. Of a C++ class its name alone.

    Where a language marks what is public and something is marked, that alone counts; else all but
    what is marked private or begins with an underscore.
    """
    try:
        found = _defined(language, text)
    except Unread:
        return set()
    marked = {name for name, head in found if language in _MARKING and _PUBLIC.search(head)}
    if language == "go":
        marked = {name for name, _ in found if name[:1].isupper()}
    if marked:
        return marked
    return {name for name, head in found if name[:1] not in "_#" and not _PRIVATE.search(head)}


def changed_names(language: str, one: str, other: str) -> set[str]:
    """What of the top of one code is not the same in another, by name; "" is what has none, imports
    and comments apart. Of what only the other defines, what is public."""
    try:
        before, after = _parts(language, one), _parts(language, other)
    except Unread:
        return {""}
    new = {name for name in after if name and not name.startswith("_")}
    return {name for name in {*before, *new} if before.get(name) != after.get(name)}


@in_syntax_process
def _parts(language: str, text: str) -> dict[str, list[list[str]]]:
    """The words of all that stands at the top, by the name that it defines."""
    tree = parsed(language, text)
    parts = defaultdict[str, list[list[str]]](list)
    parts[""] = [] if tree else [[text]]
    for node in tree.root_node.named_children if tree else ():
        if not re.search("import|comment", node.type):
            leaves = (each for each in walk(node, "comment") if not each.children)
            parts[_own_name(node)].append([text_of(each) for each in leaves])
    return dict(parts)


def _own_name(node: "Node") -> str:
    """Of a definition, with what may stand around it; "" for anything else."""
    while (name := _name(node)) is None and _AROUND.match(node.type) and node.named_children:
        node = node.named_children[-1]
    return text_of(name)


@in_syntax_process
def _defined(language: str, text: str) -> list[tuple[str, str]]:
    tree = parsed(language, text)
    if tree is None:
        return []
    return list(_definitions(tree.root_node, into_classes=language not in ("c", "cpp")))


def _definitions(node: "Node", *, into_classes: bool) -> Iterator[tuple[str, str]]:
    """Names with what stands before them in their definition; nothing from inside functions."""
    open_nodes = [iter(node.named_children)]  # no recursion: code may be nested without end
    while open_nodes:
        child = next(open_nodes[-1], None)
        if child is None or (child.type == "identifier" and child.text in _SECTIONS):
            open_nodes.pop()
            continue
        name = _name(child)
        if name is not None:
            yield text_of(name), _head(child, name)
        if name is None or (into_classes and not _BODIES.fullmatch(child.type)):
            open_nodes.append(iter(child.named_children))


def _name(node: "Node") -> "Node | None":
    if node.type == "variable_declarator":  # const f = () => …
        value = node.child_by_field_name("value")
        is_function = value is not None and re.search("function|class", value.type)
        return node.child_by_field_name("name") if is_function else None
    if not _DEFINES.fullmatch(node.type):
        return None
    name = node.child_by_field_name("name")
    declarator = node.child_by_field_name("declarator")  # C++ hides the name in there
    while name is None and declarator is not None:
        name = declarator if declarator.type.endswith("identifier") else None
        declarator = declarator.child_by_field_name("declarator")
    return name


def _head(node: "Node", name: "Node") -> str:
    """The definition up to its name, with an `export` that stands around it."""
    outer = node
    while outer.parent is not None and _AROUND.match(outer.parent.type):
        outer = outer.parent
    head = (outer.text or b"")[: max(0, name.start_byte - outer.start_byte)]
    return head.decode("utf-8", "replace")
