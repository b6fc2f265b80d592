"""TypeScript without its types: the JavaScript that an engine runs, by tree-sitter.

What stands for types alone becomes blanks, so that lines and columns stay what they are; enums and
properties that a constructor declares among its parameters become what the compiler makes of them.
Node 22 and later erase types themselves, but neither of these two, and earlier ones nothing.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed, text_of
from pipeline.analysis.syntax_process import in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

Edit = tuple[int, int, str]
"""From a byte to another one, and the text in their place, on one line."""

_TYPES = {
    *("type_annotation", "asserts_annotation", "type_predicate_annotation", "type_parameters"),
    *("type_arguments", "implements_clause", "accessibility_modifier", "override_modifier"),
}
_DECLARATIONS = {
    *("interface_declaration", "type_alias_declaration", "ambient_declaration"),
    *("function_signature", "method_signature", "abstract_method_signature", "index_signature"),
}
# Decorators, namespaces and the imports and exports of another system of modules.
_NOT_ERASABLE = {
    *("decorator", "internal_module", "module", "import_require_clause", "import_alias"),
    "accessor",
}
_MARKS = {
    "abstract_class_declaration": {"abstract"},
    "method_definition": {"?"},
    "non_null_expression": {"!"},
    "optional_parameter": {"?", "readonly"},
    "public_field_definition": {"?", "!", "readonly"},
    "required_parameter": {"readonly"},
    "variable_declarator": {"!"},
}
_PARAMETERS = ("required_parameter", "optional_parameter")
_OF_PROPERTY = {"accessibility_modifier", "override_modifier", "readonly"}


class NotErasable(Exception):
    """The text is no TypeScript, or has what becomes something else than nothing."""


@lru_cache(maxsize=16)  # a draft is run as it is several times
def without_types(text: str) -> str:
    """JavaScript on the same lines. Raises NotErasable, and Unread."""
    found = _erased(text)
    if found is None:
        raise NotErasable("Its types cannot be taken out: run it with the TypeScript compiler.")
    return found


@in_syntax_process
def _erased(text: str) -> str | None:
    tree = parsed("typescript", text)
    if tree is None or tree.root_node.has_error:
        return None
    raw = text.encode("utf-8", "replace")
    try:
        return _with(raw, 0, len(raw), _edits(tree.root_node)).decode("utf-8")
    except NotErasable:
        return None


def _with(raw: bytes, start: int, end: int, edits: Iterator[Edit]) -> bytes:
    """The part from `start` to `end`, with what was there of lines."""
    made, at = bytearray(), start
    for first, last, text in sorted(edits, key=lambda edit: edit[:2]):
        blank = bytes(each if each in b"\r\n" else 32 for each in raw[first:last])
        made += raw[at:first] + text.encode() + (blank.replace(b" ", b"") if text else blank)
        at = last
    return bytes(made + raw[at:end])


def _edits(node: "Node") -> Iterator[Edit]:
    """Of what stands below it."""
    for child in node.children:
        yield from _edits_of(child, node)


def _edits_of(node: "Node", parent: "Node") -> Iterator[Edit]:
    kind = node.type
    if kind in _NOT_ERASABLE or (kind == "=" and parent.type == "export_statement"):
        raise NotErasable
    if kind in _DECLARATIONS or _is_of_types(node):
        yield node.start_byte, node.end_byte, ";"
    elif kind in _TYPES:
        yield from _annotation(node, parent)
    elif kind in _MARKS.get(parent.type, ()):
        yield node.start_byte, node.end_byte, ""
    elif kind == "enum_declaration":
        yield node.start_byte, node.end_byte, _enum(node)
    elif kind in ("as_expression", "satisfies_expression"):
        yield from _edits_of(node.children[0], node)
        yield node.children[0].end_byte, node.end_byte, ""
    elif _is_for_types(node):
        comma = node.next_sibling
        is_followed = comma is not None and comma.type == ","
        yield node.start_byte, comma.end_byte if comma and is_followed else node.end_byte, ""
    else:
        if kind == "method_definition":
            yield from _properties(node)
        yield from _edits(node)


def _is_of_types(node: "Node") -> bool:
    """Whether it imports, exports or declares nothing that is there when it runs."""
    tokens = {child.type for child in node.children}
    if node.type == "public_field_definition":
        return not tokens.isdisjoint(("declare", "abstract"))
    if node.type not in ("import_statement", "export_statement"):
        return False
    return "type" in tokens or not tokens.isdisjoint(_DECLARATIONS)


def _is_for_types(node: "Node") -> bool:
    """`type A` among what is imported, and the `this` that a function declares."""
    if node.type in ("import_specifier", "export_specifier"):
        return node.children[0].type == "type" and node.child_count > 1
    pattern = node.child_by_field_name("pattern")
    return node.type == "required_parameter" and pattern is not None and pattern.type == "this"


def _annotation(node: "Node", parent: "Node") -> Iterator[Edit]:
    """Between a parenthesis and the arrow no line may end: the parenthesis moves behind it."""
    parameters = parent.child_by_field_name("parameters")
    is_result = (
        parent.type == "arrow_function" and parameters and node.start_byte > parameters.end_byte - 1
    )
    if parameters and is_result and node.start_point[0] != node.end_point[0]:
        yield parameters.end_byte - 1, parameters.end_byte, ""
        yield node.start_byte, node.end_byte - 1, ""
        yield node.end_byte - 1, node.end_byte, ")"
    else:
        yield node.start_byte, node.end_byte, ""


def _properties(method: "Node") -> Iterator[Edit]:
    """What a constructor sets of its own parameters, as soon as there is an object."""
    parameters = method.child_by_field_name("parameters")
    body = method.child_by_field_name("body")
    if text_of(method.child_by_field_name("name")) != "constructor" or not parameters or not body:
        return
    names = [
        text_of(each.child_by_field_name("pattern"))
        for each in parameters.named_children
        if each.type in _PARAMETERS and not _OF_PROPERTY.isdisjoint(n.type for n in each.children)
    ]
    if names:
        calls = (each for each in body.named_children if text_of(each).startswith("super("))
        made = next(calls, None)
        at = made.end_byte if made else body.start_byte + 1
        yield at, at, "".join(f" this.{name} = {name};" for name in names)


def _enum(node: "Node") -> str:
    """As the compiler has it: each name's value and, of numbers, each value's name."""
    name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
    lines, before = [f"var {name} = {{}}; {{ let $value = -1;"], list[str]()
    for each in body.named_children if body else ():
        if each.type == "comment":
            continue
        is_set = each.type == "enum_assignment"
        named = each.child_by_field_name("name") if is_set else each
        value = _text_without_types(each.child_by_field_name("value")) if is_set else "$value + 1"
        key = text_of(named)
        quoted = key if key[:1] in "\"'" else f'"{key}"'
        known = "".join(f"const {n} = {name}.{n}; " for n in before if n in value)
        lines.append(f"{{ {known}$value = {value}; }} {name}[{quoted}] = $value;")
        lines.append(f'if (typeof $value === "number") {name}[$value] = {quoted};')
        before += [key] if key.isidentifier() else []
    return " ".join([*lines, "}"])


def _text_without_types(node: "Node | None") -> str:
    if node is None or node.text is None:
        raise NotErasable
    shift = node.start_byte
    edits = ((first - shift, last - shift, text) for first, last, text in _edits(node))
    return " ".join(_with(node.text, 0, len(node.text), edits).decode().split())
