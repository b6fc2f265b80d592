"""JavaScript and TypeScript modules: what they import, export and call."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.analysis.ecmascript import FUNCTIONS, line_of, parse
from pipeline.analysis.grammar import text_of, walk
from pipeline.analysis.syntax_process import in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

_AROUND = ("export_statement", "lexical_declaration", "variable_declaration", "variable_declarator")


@dataclass(frozen=True, slots=True)
class ScriptImport:
    """`import {a as b} from "./x"`: names as (exported, local); the exported name `*` is the whole
    module, `default` its default. `erased`: types alone, which import nothing when it runs."""

    source: str
    line: int
    names: tuple[tuple[str, str], ...] = ()
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Arity:
    """How many arguments a function takes; `most` is None with a rest parameter."""

    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """A call of a plain name; `arguments` is None where a spread hides their number."""

    name: str
    line: int
    arguments: int | None


@dataclass(slots=True)
class ScriptModule:
    """`open`: what it exports cannot be told without running it. `reexports` are the sources of
    `export * from`. `functions` are those of the exports whose parameters are known."""

    imports: list[ScriptImport] = field(default_factory=list)
    exports: set[str] = field(default_factory=set)
    functions: dict[str, Arity] = field(default_factory=dict)
    reexports: list[str] = field(default_factory=list)
    calls: list[ScriptCall] = field(default_factory=list)
    open: bool = False


@in_syntax_process
def read_module(text: str, path: str) -> ScriptModule:
    """What a module imports, exports and calls, of a text that parses. Raises Unread."""
    module = ScriptModule()
    local: dict[str, Arity] = {}
    for node in walk(parse(text, path)):
        if node.type == "import_statement":
            module.imports += _import(node)
        elif node.type == "export_statement":
            _export(node, module)
        elif node.type in ("call_expression", "new_expression"):
            _call(node, module)
        elif node.type == "assignment_expression":
            _commonjs(node, module)
        if node.type in FUNCTIONS and _top_level(node):
            _remember(node, local)
    for name in module.exports & local.keys():
        module.functions.setdefault(name, local[name])
    return module


def _string(node: "Node | None") -> str | None:
    if node is None or node.type != "string":
        return None
    return text_of(node)[1:-1]


def _top_level(node: "Node") -> bool:
    parent = node.parent
    while parent and parent.type in _AROUND:
        parent = parent.parent
    return parent is not None and parent.type == "program"


# --- imports and exports -----------------------------------------------------------------------


def _import(node: "Node") -> Iterator[ScriptImport]:
    source = _string(node.child_by_field_name("source"))
    if source is None:
        return
    names: list[tuple[str, str]] = []
    for clause in (child for child in node.children if child.type == "import_clause"):
        for child in clause.children:
            if child.type == "identifier":
                names.append(("default", text_of(child)))
            elif child.type == "namespace_import":
                names.append(("*", text_of(child.named_children[-1])))
            elif child.type == "named_imports":
                names += map(_renamed, _specifiers(child))
    erased = any(child.type == "type" for child in node.children)
    yield ScriptImport(source, line_of(node), tuple(names), erased)


def _specifiers(node: "Node") -> list["Node"]:
    return [child for child in node.named_children if child.type.endswith("_specifier")]


def _renamed(node: "Node") -> tuple[str, str]:
    name = text_of(node.child_by_field_name("name"))
    return name, text_of(node.child_by_field_name("alias")) or name


def _export(node: "Node", module: ScriptModule) -> None:
    source = _string(node.child_by_field_name("source"))
    declaration = node.child_by_field_name("declaration")
    clause = next((child for child in node.children if child.type == "export_clause"), None)
    if any(child.type == "default" for child in node.children):
        module.exports.add("default")
        value = declaration or node.child_by_field_name("value")
        if value is not None and value.type in FUNCTIONS:
            module.functions["default"] = _parameters(value)
    elif declaration is not None:
        module.exports |= set(_declared(declaration))
    elif clause is not None:
        renamed = list(map(_renamed, _specifiers(clause)))
        module.exports |= {alias for _, alias in renamed}
        if source:
            names = tuple((name, "") for name, _ in renamed)
            module.imports.append(ScriptImport(source, line_of(node), names))
    elif source:
        module.imports.append(ScriptImport(source, line_of(node)))
        namespace = next((c for c in node.children if c.type == "namespace_export"), None)
        if namespace:
            module.exports.add(text_of(namespace.named_children[-1]))
        else:
            module.reexports.append(source)
    else:
        module.open = True  # TypeScript's `export =`


def _declared(node: "Node") -> Iterator[str]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield text_of(name)
    kinds = ("identifier", "shorthand_property_identifier_pattern")
    for child in node.named_children:
        target = child.child_by_field_name("name")
        if child.type == "variable_declarator" and target is not None:
            yield from (text_of(each) for each in walk(target) if each.type in kinds)


def _commonjs(node: "Node", module: ScriptModule) -> None:
    """`module.exports = {a, b}`, `exports.a = …`"""
    target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    name = text_of(target)
    if name == "module.exports":
        module.exports.add("default")
        if value is None or value.type != "object":
            module.open = True
            return
        for each in value.named_children:
            if each.type == "shorthand_property_identifier":
                module.exports.add(text_of(each))
            elif each.type == "pair":
                module.exports.add(text_of(each.child_by_field_name("key")).strip("'\""))
            elif each.type == "method_definition":
                module.exports.add(text_of(each.child_by_field_name("name")))
            else:
                module.open = True
    elif name.startswith(("exports.", "module.exports.")):
        module.exports.add(name.rpartition(".")[2])


# --- functions and calls -----------------------------------------------------------------------


def _remember(node: "Node", local: dict[str, Arity]) -> None:
    name = node.child_by_field_name("name")
    if name is None and node.parent is not None and node.parent.type == "variable_declarator":
        name = node.parent.child_by_field_name("name")
    if name is not None and node.type != "function_signature":
        local[text_of(name)] = _parameters(node)


def _parameters(node: "Node") -> Arity:
    single = node.child_by_field_name("parameter")
    if single is not None:
        return Arity(1, 1)
    held = node.child_by_field_name("parameters")
    least, most = 0, 0
    for each in held.named_children if held else []:
        if each.type == "comment" or text_of(each).startswith("this:"):
            continue
        inner = each.child_by_field_name("pattern") or each
        if "rest_pattern" in (each.type, inner.type):
            return Arity(least, None)
        most += 1
        optional = each.type in ("optional_parameter", "assignment_pattern")
        if not optional and each.child_by_field_name("value") is None:
            least = most
    return Arity(least, most)


def _call(node: "Node", module: ScriptModule) -> None:
    function = node.child_by_field_name("function")
    given = node.child_by_field_name("arguments")
    if function is None or given is None or given.type != "arguments":
        return
    arguments = [each for each in given.named_children if each.type != "comment"]
    spread = any(each.type == "spread_element" for each in arguments)
    if function.type == "identifier" and text_of(function) == "require" and len(arguments) == 1:
        source = _string(arguments[0])
        if source is not None:
            module.imports.append(ScriptImport(source, line_of(node), _required(node)))
    elif function.type == "identifier":
        count = None if spread else len(arguments)
        module.calls.append(ScriptCall(text_of(function), line_of(node), count))
    elif function.type == "import" and arguments:
        source = _string(arguments[0])
        if source is not None:
            module.imports.append(ScriptImport(source, line_of(node), erased=True))


def _required(node: "Node") -> tuple[tuple[str, str], ...]:
    """The names of `const {a, b: c} = require(…)`."""
    parent = node.parent
    target = parent.child_by_field_name("name") if parent is not None else None
    if target is None or target.type != "object_pattern":
        return (("*", text_of(target)),) if target is not None else ()
    names = []
    for each in target.named_children:
        if each.type == "shorthand_property_identifier_pattern":
            names.append((text_of(each), text_of(each)))
        elif each.type == "pair_pattern":
            key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
            names.append((text_of(key), text_of(value)))
    return tuple(names)
