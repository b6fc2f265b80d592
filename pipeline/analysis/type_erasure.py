"""TypeScript without its types: the JavaScript that an engine runs, by tree-sitter.

What stands for types alone becomes blanks, so that lines and columns stay what they are; enums and
properties that a constructor declares among its parameters become what the compiler makes of them.
Node 22 and later erase types themselves, but neither of these two, and earlier ones nothing.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed, text_of, walk
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
_NOT_ERASABLE = {"decorator", "internal_module", "module", "import_alias", "accessor"}
_MARKS = {
    "abstract_class_declaration": {"abstract"},
    "method_definition": {"?"},
    "non_null_expression": {"!"},
    "optional_parameter": {"?", "readonly"},
    "public_field_definition": {"?", "!", "readonly"},
    "required_parameter": {"readonly"},
    "variable_declarator": {"!"},
}
_MEMBERS = ("public_field_definition", "method_definition")
_OF_PROPERTY = {"accessibility_modifier", "override_modifier", "readonly"}
_CASTS = ("as_expression", "satisfies_expression")
_STATEMENTS = ("import_statement", "export_statement", "expression_statement")
_BEFORE_NAMES = ("get", "set", "static")  # fields may be called so
_CONTINUES = {"*", "computed_property_name"}  # what is before it
_TYPED = re.compile(
    r"[<:@!?]|\b(?:as|in|out|type|interface|enum|declare|abstract|private|public|protected|readonly"
    r"|satisfies|keyof|infer|accessor|namespace|module|override|implements|is|asserts)\b"
)
_BLANKED = re.compile("[^\r\n\u2028\u2029]")


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
    if tree is None or not _is_read(tree.root_node, text):
        return None
    try:
        return _with(text.encode("utf-8", "replace"), _edits(tree.root_node)).decode("utf-8")
    except NotErasable:
        return None


def _is_read(root: "Node", text: str) -> bool:
    """Whether it parses, but for what has nothing to do with types: an engine may take more, such
    as `f() += 1`."""
    lines = text.splitlines()
    errors = [each for each in walk(root) if each.is_error or each.is_missing]
    spans = (lines[each.start_point[0] : each.end_point[0] + 1] for each in errors)
    return not (root.has_error and any(map(_TYPED.search, chain.from_iterable(spans))))


def _with(raw: bytes, edits: Iterator[Edit]) -> bytes:
    """What is longer than what it replaces moves what stands behind it on its line."""
    made, at = bytearray(), 0
    for first, last, text in sorted(edits, key=lambda edit: edit[:2]):
        blank = _BLANKED.sub(" ", raw[first:last].decode("utf-8", "ignore"))
        rest = blank[len(text) :] if blank[: len(text)].isspace() else blank.replace(" ", "")
        made += raw[at:first] + (text + (rest if text else blank)).encode()
        at = last
    return bytes(made + raw[at:])


def _edits(root: "Node") -> Iterator[Edit]:
    """Those of all that is not erased as a whole, and of imports of which nothing is left."""
    left, names, imports = [(root, root)], set[str](), list["Node"]()
    while left:
        node, parent = left.pop()
        if node.type in ("identifier", "shorthand_property_identifier"):
            names.add(text_of(node))
        if node.type == "import_statement" and not _is_of_types(node):
            imports.append(node)
        else:
            edits, within = _edits_of(node, parent)
            yield from edits
            left += [(each, node) for each in within]
    for each in imports:
        yield from _imports(each, names)


def _edits_of(node: "Node", parent: "Node") -> tuple[list[Edit], list["Node"]]:
    """Its own, and the nodes in it that may have others."""
    kind, start, end = node.type, node.start_byte, node.end_byte
    if _is_of_types(node):
        return [(start, end, ";")], []
    if kind in _NOT_ERASABLE or (kind == "=" and parent.type == "export_statement"):
        raise NotErasable
    if kind in _TYPES or kind in _MARKS.get(parent.type, ()):
        return _erasure(node, parent), []
    if kind == "enum_declaration":
        return _enum(node)
    if kind in _CASTS:
        value, type_ = node.children[0], node.children[-1]
        of, *behind = type_.children or [type_]
        if behind and behind[0].type == "[" and of.end_point[0] < behind[0].start_point[0]:
            raise NotErasable  # an array on a line of its own
        is_called = parent.type == "call_expression"  # so is the next line's, in parentheses
        return [(value.end_byte, end, ";" if is_called else "")], [value]
    if kind == "type_assertion":
        return [(start, node.children[0].end_byte, "("), (end, end, ")")], node.children[1:]
    if kind in ("<", ">") and "<" in {n.type for each in parent.children for n in each.children}:
        raise NotErasable  # types that are read as what is compared: f<A>`b`
    if _is_for_types(node):
        return [(start, _with_comma(node), "")], []
    if kind == "method_definition":
        return _properties(node, parent), node.children
    return [], node.children


def _is_of_types(node: "Node") -> bool:
    """Whether it imports, exports or declares nothing that is there when it runs."""
    tokens = {child.type for child in node.children}
    if node.type == "public_field_definition":
        return not tokens.isdisjoint(("declare", "abstract"))
    if node.type == "internal_module":
        body = node.children[-1].named_children
        return all(each.type == "comment" or _is_of_types(each) for each in body)
    if node.type in _STATEMENTS:
        return "type" in tokens or any(map(_is_of_types, node.children))
    return node.type in _DECLARATIONS


def _is_for_types(node: "Node") -> bool:
    """`type A` among what is exported, and the `this` that a function declares."""
    if node.type == "export_specifier":
        return node.children[0].type == "type" and node.child_count > 1
    pattern = node.child_by_field_name("pattern")
    return node.type == "required_parameter" and pattern is not None and pattern.type == "this"


def _with_comma(node: "Node") -> int:
    """Where it ends, what parts it from the next one included."""
    behind = node.next_sibling
    while behind and behind.type == "comment":
        behind = behind.next_sibling
    return behind.end_byte if behind and behind.type == "," else node.end_byte


def _imports(node: "Node", names: set[str]) -> Iterator[Edit]:
    """As the compiler does, without what no value is made of: it need not be there."""
    if any(each.type == "import_require_clause" for each in node.children):
        raise NotErasable
    clauses = [each for each in node.named_children if each.type == "import_clause"]
    parts = [each for clause in clauses for each in clause.named_children]
    named = [n for each in parts if each.type == "named_imports" for n in each.named_children]
    named = [each for each in named if each.type == "import_specifier"]
    others = [each for each in parts if each.type in ("identifier", "namespace_import")]
    kept = [each for each in (*named, *others) if _is_used(each, names)]
    if not kept and (named or others):
        yield node.start_byte, node.end_byte, ";"
        return
    for each in named:
        if each not in kept:
            yield each.start_byte, _with_comma(each), ""


def _is_used(node: "Node", names: set[str]) -> bool:
    *before, called = node.children or [node]
    return text_of(called) in names and not (before and before[0].type == "type")


def _erasure(node: "Node", parent: "Node") -> list[Edit]:
    """Blanks, unless what stands behind it would then be read otherwise than on a line of its own:
    between `async`, an arrow function's parentheses and the arrow no line may end, so that a
    parenthesis moves, and members of a class may need a semicolon."""
    start, end = node.start_byte, node.end_byte
    parameters = parent.child_by_field_name("parameters")
    if parent.type == "arrow_function" and parameters:
        first, last = parameters.start_byte, parameters.end_byte
        if start < first and node.start_point[0] < parameters.start_point[0]:
            return [(start, end, "("), (first, first + 1, "")]
        if start >= last and node.end_point[0] > parameters.end_point[0]:
            return [(last - 1, last, ""), (start, end - 1, ""), (end - 1, end, ")")]
    if parent.type == "public_field_definition" and node == parent.children[-1]:
        is_ended = text_of(parent.child_by_field_name("name")) in _BEFORE_NAMES
    else:
        is_first = parent.type in _MEMBERS and node == parent.children[0]
        is_ended = is_first and not _CONTINUES.isdisjoint(each.type for each in parent.children)
    return [(start, end, ";" if is_ended else "")]


def _properties(method: "Node", parent: "Node") -> list[Edit]:
    """What a constructor sets of its own parameters, as soon as there is an object; they are the
    first ones that this has."""
    parameters = method.child_by_field_name("parameters")
    body = method.child_by_field_name("body")
    names = [
        text_of(each.child_by_field_name("pattern"))
        for each in (parameters.named_children if parameters else ())
        if not _OF_PROPERTY.isdisjoint(n.type for n in each.children)
    ]
    if not names or not body:
        return []
    made = next(filter(_is_super, body.named_children), None)
    at, end = (made.end_byte, ";") if made else (body.start_byte + 1, "")
    declared = "".join(f" {name};" for name in names)
    sets = "".join(f" this.{name} = {name};" for name in names)
    return [(parent.start_byte + 1, parent.start_byte + 1, declared), (at, at, end + sets)]


def _is_super(statement: "Node") -> bool:
    call = statement.named_children[0] if statement.named_children else statement
    return call.type == "call_expression" and call.children[0].type == "super"


def _enum(node: "Node") -> tuple[list[Edit], list["Node"]]:
    """As the compiler has it: each name's value and, of numbers, each value's name."""
    name, body = text_of(node.child_by_field_name("name")), node.children[-1]
    head = f"var {name} = {name} || {{}}; {{ let $value = -1;"
    edits = [(node.start_byte, body.start_byte + 1, head)]
    edits += [(each.start_byte, each.end_byte, "") for each in body.children if each.type == ","]
    values, before = list["Node"](), dict[str, str]()
    for each in (n for n in body.named_children if n.type != "comment"):
        value, named = each.child_by_field_name("value"), each.child_by_field_name("name") or each
        key = text_of(named).strip("[] ")
        key = key if key[:1] in "\"'`" else f'"{key}"'
        sets = f'{name}[{key}] = $value; if (typeof $value === "number") {name}[$value] = {key};'
        if value:
            within = {text_of(each) for each in walk(value) if each.type == "identifier"}
            used = sorted(within & before.keys())
            given = ", ".join(before[n] for n in used)
            edits.append((each.start_byte, value.start_byte, f"$value = (({', '.join(used)}) => ("))
            edits.append((value.end_byte, each.end_byte, f"))({given}); {sets}"))
            values.append(value)
        else:
            edits.append((each.start_byte, each.end_byte, f"$value += 1; {sets}"))
        before[text_of(named)] = f"{name}[{key}]"
    return edits, values
