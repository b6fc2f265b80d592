"""The functions of a program in a compiled language, as one calls them: names and types of what
they take and give, by tree-sitter."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.analysis.grammar import parsed, text_of
from pipeline.analysis.syntax_process import in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

Parameters = tuple[tuple[str, str], ...]
_BESIDE = re.compile(r"main|init|(?:run_?)?[tT]ests?(?:[_A-Z0-9]\w*)?|\w*_tests?")
_CALLED = re.compile(r"\b[A-Za-z_]\w*(?=\s{0,9}[(<])")
_STORAGE = re.compile(r"\b(?:static|inline|extern|constexpr|virtual|explicit)\b|\[\[[^\]]*\]\]")
_BLANKS = re.compile(r"\s+")
# What a type parameter stands for in a call.
_FILLED = {"go": "int", "cpp": "int", "java": "Integer", "rust": "i32"}
_OF_FUNCTIONS = re.compile(r"\bFn(?:Mut|Once)?\b|\bfunc\b")
_OF_TEXTS = re.compile(r"\b(?:AsRef\s*<\s*str\s*>|Into\s*<\s*String\s*>|ToString)")
_FUNCTION_NAMES = re.compile(r"F|Fn|Fun\w*|Pred\w*|Comp\w*|Call\w*|Op")
_MOST = 40  # functions of one program


@dataclass(frozen=True, slots=True)
class Signature:
    """`owner`: the class of a method, "" for a function. `parameters`: pairs of a name, "" for
    none, and a type as the program writes it; those with a default value are left out. `result`: a
    type, "" or `void` for none, of Go's in parentheses where there are several. Type parameters are
    filled in. `uses`: the names that it calls."""

    name: str
    owner: str
    parameters: Parameters
    result: str
    is_static: bool = True
    uses: frozenset[str] = field(default=frozenset(), compare=False)


@in_syntax_process
def signatures(language: str, text: str) -> list[Signature]:
    """Those that a program calls from outside, in order: not `main`, tests, coroutines, methods of
    objects that have to be made of something, and functions with any number of arguments or type
    parameters that no argument fills. [] for other languages. Raises Unread."""
    tree = parsed(language, text) if language in _READERS else None
    found: list[Signature] = []
    for each in _READERS[language](tree.root_node) if tree else ():
        if each and not _BESIDE.fullmatch(each.name):
            found.append(each)
        if len(found) == _MOST:
            break
    return found


def _filled(
    language: str,
    types: "Node | None",
    found: Signature,
) -> Signature | None:
    """With a plain type for each type parameter; None where one is of none, or has no argument to
    be known by."""
    if types is None:
        return found
    parameters, result = found.parameters, found.result
    for name, bounds in _type_parameters(types):
        if name is None or _OF_FUNCTIONS.search(bounds) or _FUNCTION_NAMES.fullmatch(name):
            return None
        word = re.compile(rf"\b{re.escape(name)}\b")
        if not any(word.search(kind) for _, kind in parameters):
            return None
        plain = "&str" if language == "rust" and _OF_TEXTS.search(bounds) else _FILLED[language]
        parameters = tuple((called, word.sub(plain, kind)) for called, kind in parameters)
        result = word.sub(plain, result)
    return _with(found, parameters, result)


def _with(found: Signature, parameters: Parameters, result: str) -> Signature:
    return Signature(
        found.name, found.owner, parameters, result, is_static=found.is_static, uses=found.uses
    )


def _type_parameters(types: "Node") -> Iterator[tuple[str | None, str]]:
    """Their names with their bounds; None for what is no type."""
    for each in types.named_children:
        if each.type in ("lifetime_parameter", "comment", "line_comment", "block_comment"):
            continue
        if each.type not in ("type_parameter", "type_parameter_declaration"):
            yield None, ""
            continue
        names = [*each.children_by_field_name("name")] or each.named_children[:1]
        for name in names:
            yield text_of(name), text_of(each)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _called(body: "Node | None") -> frozenset[str]:
    return frozenset(_CALLED.findall(text_of(body)))


# --- C and C++ -----------------------------------------------------------------------------------


def _of_c(root: "Node") -> Iterator[Signature | None]:
    for node in root.named_children:
        types = None
        if node.type == "template_declaration" and node.named_children:
            types, node = node.child_by_field_name("parameters"), node.named_children[-1]
        if node.type == "function_definition":
            yield _c_function(node, types, "")
        elif node.type in ("class_specifier", "struct_specifier") and types is None:
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
            yield _c_function(each, None, "Solution")


def _c_function(node: "Node", types: "Node | None", owner: str) -> Signature | None:
    head = node.child_by_field_name("declarator")
    while head is not None and head.type in ("pointer_declarator", "reference_declarator"):
        head = head.child_by_field_name("declarator") or next(iter(head.named_children), None)
    if head is None or head.type != "function_declarator":
        return None
    name, listed = head.child_by_field_name("declarator"), head.child_by_field_name("parameters")
    if name is None or listed is None or name.type not in ("identifier", "field_identifier"):
        return None
    parameters = _c_parameters(listed)
    if parameters is None:
        return None
    before = (node.text or b"")[: head.start_byte - node.start_byte].decode("utf-8", "replace")
    body = node.child_by_field_name("body")
    found = Signature(
        text_of(name), owner, parameters, _plain(_STORAGE.sub("", before)), uses=_called(body)
    )
    return _filled("cpp", types, found)


def _c_parameters(listed: "Node") -> Parameters | None:
    found: list[tuple[str, str]] = []
    for each in listed.children:
        if each.type in ("variadic_parameter_declaration", "variadic_parameter", "..."):
            return None
        if each.type == "parameter_declaration":
            found.append(_c_parameter(each))
    return () if found == [("", "void")] else tuple(found)


def _c_parameter(node: "Node") -> tuple[str, str]:
    """The type is what is left without the name: `const int []`."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type not in ("identifier", "function_declarator"):
        declared = inner.child_by_field_name("declarator")
        inner = declared or next((n for n in inner.named_children if n.type == "identifier"), None)
    if inner is None or inner.type != "identifier":
        return "", _plain(text_of(node))
    raw, at = node.text or b"", inner.start_byte - node.start_byte
    kind = raw[:at] + b" " + raw[at + len(inner.text or b"") :]
    return text_of(inner), _plain(kind.decode("utf-8", "replace"))


# --- Go and Rust ---------------------------------------------------------------------------------


def _of_go(root: "Node") -> Iterator[Signature | None]:
    for node in root.named_children:
        if node.type != "function_declaration":
            continue
        listed = node.child_by_field_name("parameters")
        parameters = _go_parameters(listed) if listed else None
        if parameters is not None:
            yield _filled(
                "go",
                node.child_by_field_name("type_parameters"),
                Signature(
                    text_of(node.child_by_field_name("name")),
                    "",
                    parameters,
                    _go_result(node.child_by_field_name("result")),
                    uses=_called(node.child_by_field_name("body")),
                ),
            )


def _go_parameters(listed: "Node") -> Parameters | None:
    found: list[tuple[str, str]] = []
    for each in listed.named_children:
        if each.type == "variadic_parameter_declaration":
            return None
        if each.type == "parameter_declaration":
            kind = _plain(text_of(each.child_by_field_name("type")))
            names = each.children_by_field_name("name")
            found += [(text_of(name), kind) for name in names] or [("", kind)]
    return tuple(found)


def _go_result(node: "Node | None") -> str:
    """`(int, error)` without the names."""
    if node is None or node.type != "parameter_list":
        return _plain(text_of(node))
    kinds = [kind for _, kind in _go_parameters(node) or ()]
    return kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})" if kinds else ""


def _of_rust(root: "Node") -> Iterator[Signature | None]:
    is_test = False
    for node in root.named_children:
        if node.type == "attribute_item":
            is_test = is_test or bool(re.search(r"\b(?:test|tokio)\b", text_of(node)))
            continue
        if node.type == "function_item" and not is_test:
            yield _rust_function(node)
        is_test = is_test and "comment" in node.type


def _rust_function(node: "Node") -> Signature | None:
    body = node.child_by_field_name("body")
    listed = node.child_by_field_name("parameters")
    modifiers = [text_of(each) for each in node.children if each.type == "function_modifiers"]
    is_plain = not any(re.search(r"\b(?:async|unsafe|extern)\b", each) for each in modifiers)
    where = "".join(text_of(each) for each in node.children if each.type == "where_clause")
    if listed is None or not is_plain or _OF_FUNCTIONS.search(where):
        return None
    parameters = []
    for each in listed.named_children:
        if each.type in ("self_parameter", "variadic_parameter"):
            return None
        if each.type == "parameter":
            name = text_of(each.child_by_field_name("pattern"))
            parameters.append((name, _plain(text_of(each.child_by_field_name("type")))))
    found = Signature(
        text_of(node.child_by_field_name("name")),
        "",
        tuple(parameters),
        _plain(text_of(node.child_by_field_name("return_type"))),
        uses=_called(body),
    )
    return _filled("rust", node.child_by_field_name("type_parameters"), found)


# --- Java ----------------------------------------------------------------------------------------


def _of_java(root: "Node") -> Iterator[Signature | None]:
    for node in root.named_children:
        body = node.child_by_field_name("body")
        if node.type != "class_declaration" or body is None:
            continue
        owner = text_of(node.child_by_field_name("name"))
        is_made = _can_be_made(node, body)
        for each in body.named_children:
            if each.type == "method_declaration":
                yield _java_method(each, owner, is_made=is_made)


def _can_be_made(node: "Node", body: "Node") -> bool:
    """Whether `new` needs no arguments, and methods are no more than functions: they have nothing
    to keep between calls, or the class is that of exercises."""
    if node.child_by_field_name("type_parameters") or "abstract" in _modifiers(node):
        return False
    fields = [each for each in body.named_children if each.type == "field_declaration"]
    is_stateless = all("static" in _modifiers(each) for each in fields)
    if not is_stateless and text_of(node.child_by_field_name("name")) != "Solution":
        return False
    makers = [each for each in body.named_children if each.type == "constructor_declaration"]
    plain = (each for each in makers if "private" not in _modifiers(each))
    return not makers or any(_java_parameters(each) == () for each in plain)


def _java_method(node: "Node", owner: str, *, is_made: bool) -> Signature | None:
    modifiers, parameters = _modifiers(node), _java_parameters(node)
    body, is_static = node.child_by_field_name("body"), "static" in modifiers
    if parameters is None or body is None or not (is_static or is_made):
        return None
    if not modifiers.isdisjoint({"private", "protected", "@Override", "@Test"}):
        return None
    found = Signature(
        text_of(node.child_by_field_name("name")),
        owner,
        parameters,
        _plain(text_of(node.child_by_field_name("type"))),
        is_static=is_static,
        uses=_called(body),
    )
    return _filled("java", node.child_by_field_name("type_parameters"), found)


def _modifiers(node: "Node") -> set[str]:
    listed = (each for each in node.children if each.type == "modifiers")
    return set(text_of(next(listed, None)).split())


def _java_parameters(node: "Node") -> Parameters | None:
    listed = node.child_by_field_name("parameters")
    found: list[tuple[str, str]] = []
    for each in listed.named_children if listed else ():
        if each.type == "spread_parameter":
            return None
        if each.type == "formal_parameter":
            dimensions = text_of(each.child_by_field_name("dimensions"))  # int a[]
            kind = text_of(each.child_by_field_name("type")) + dimensions
            found.append((text_of(each.child_by_field_name("name")), _plain(kind)))
    return tuple(found)


_READERS: dict[str, Callable[["Node"], Iterator[Signature | None]]] = {
    "c": _of_c,
    "cpp": _of_c,
    "go": _of_go,
    "java": _of_java,
    "rust": _of_rust,
}


def entry_among(found: Sequence[Signature], named: str, request: str) -> Signature | None:
    """The one of that name, else the one whose name the request has as a word, else the last that
    no other one uses and that takes something; None where there is none."""
    if by_name := next((each for each in found if each.name == named), None):
        return by_name
    words = set(re.findall(r"\w+", request))
    used = {name for each in found for name in each.uses - {each.name}}
    by_word = [each for each in found if each.name in words]
    if by_word:  # not `max` in "the max of", where it is a helper
        return next((each for each in by_word if each.name not in used), by_word[0])
    free = [each for each in found if each.name not in used] or [*found]
    taking = [each for each in free if each.parameters] or free
    return taking[-1] if taking else None
