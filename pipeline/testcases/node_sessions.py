"""Sessions to try a function with that takes linked nodes: binary trees, linked lists. They are
built of the program's own class, and what comes is written out node by node. Pure.

As calls of other functions (`sample_calls.py`): programs that do what was asked answer alike."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from pipeline.analysis.python_syntax import Function, read_literal, top_level
from pipeline.analysis.signatures.signature import NodeType
from pipeline.analysis.undefined_names import names_of
from pipeline.sandbox.testcase import Case
from pipeline.testcases.call_slots import Slot
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.linked_calls import with_nodes
from pipeline.testcases.linked_values import nested
from pipeline.testcases.session_arguments import MOST_PARAMETERS, as_cases, values_of
from pipeline.testcases.value_kinds import Kind

_OF_TREE, _OF_LIST = ("left", "right"), ("next",)
_MOST_NODES, _MOST_LISTS = 7, 4
_NUMBERS = range(-3, 10)
_MOST_READ = 20_000  # characters of a request
_HEADS = {"root": _OF_TREE, "head": _OF_LIST}
_LISTS = "lists"
_LISTS_OF = re.compile(r"\b(?:list|sequence|iterable)\[", re.IGNORECASE)
_INT = Kind("int", "int")
_PLAIN = {"int", "float", "str", "bool"}
_CALLED = """\
def called(function, *given):
    came = function(*given)
    return written(given[0] if came is None and {in_place} else came)
"""
_OF_TREES = """\
def tree(nodes):
    if nodes is None:
        return None
    made = {name}(nodes[0]{nothing})
    made.left, made.right = tree(nodes[1]), tree(nodes[2])
    return made
def written(came):
    if isinstance(came, list):
        return [written(each) for each in came]
    if not isinstance(came, {name}):
        return came
    return [came.{value}, written(came.left), written(came.right)]"""
_OF_LISTS = """\
def linked(values):
    head = None
    for value in reversed(values):
        made = {name}(value{nothing})
        made.next, head = head, made
    return head
def written(came):
    if not isinstance(came, {name}):
        return came
    values = []
    while came is not None and len(values) < 50:
        values.append(came.{value})
        came = came.next
    return values"""


@dataclass(frozen=True, slots=True)
class NodeClass:
    """A class of nodes: the attribute that keeps a node's value, those that link it, and how many
    values it takes beside the first one. `is_plain`: it keeps nothing else, as a height."""

    name: str
    value: str
    links: tuple[str, ...]
    more: int
    is_plain: bool = True

    @property
    def is_tree(self) -> bool:
        return self.links == _OF_TREE

    @property
    def makes(self) -> str:
        """Functions that make them, and write them out."""
        template = _OF_TREES if self.is_tree else _OF_LISTS
        return template.format(name=self.name, value=self.value, nothing=", None" * self.more)

    @property
    def kind(self) -> Kind:
        """As values are made for it."""
        node = NodeType(self.name, frozenset(), self.value, "int", self.links)
        return Kind("tree" if self.is_tree else "nodes", self.name, (_INT,), node=node)

    def written(self, values: Sequence[Any]) -> str:
        """Nodes with these values, as a session says it."""
        return f"tree({nested(values)!r})" if self.is_tree else f"linked({values!r})"


@dataclass(frozen=True, slots=True)
class TakesNodes:
    """A function that takes nodes: what a call has to give it, and which of these are nodes, or
    lists of them."""

    function: Function
    kind: NodeClass
    needed: Sequence[ast.arg]
    nodes: Sequence[bool]

    @property
    def is_in_place(self) -> bool:
        """Whether what it gives is what it was given: it gives nothing itself."""
        given = (each.value for each in _returns(self.function))
        return all(each is None or ast.unparse(each) == "None" for each in given)

    def is_of_lists(self, at: int) -> bool:
        """Whether it takes a list of the first nodes there."""
        annotation = self.needed[at].annotation
        if annotation is None:
            return self.needed[at].arg == _LISTS
        return bool(_LISTS_OF.search(ast.unparse(annotation)))

    def written(self, at: int, values: Sequence[Any]) -> str:
        """What it is given there, as a session says it."""
        if self.is_of_lists(at):
            return f"[{', '.join(self.kind.written(each or []) for each in values)}]"
        return self.kind.written(values)


def takes_nodes(program: str, function: str) -> bool:
    """Whether a function takes nodes of a class of the program's."""
    return nodes_taken(program, function) is not None


def sessions_with_nodes(program: str, function: str, request: str, n: int) -> tuple[Case, ...]:
    """At most `n` sessions with a function that takes nodes of a class of the program's; () for
    others. The same for the same program and request."""
    taken = nodes_taken(program, function)
    if taken is None:
        return ()
    options = [
        None if is_node else values_of([each], "int")
        for each, is_node in zip(taken.needed, taken.nodes, strict=True)
    ]
    if [] in options:
        return ()
    name = callable_name(program, function)
    asked = islice(_sessions(name, taken, options, request[:_MOST_READ]), 3 * n)
    setup = _CALLED.format(in_place=taken.is_in_place) + taken.kind.makes
    return as_cases(asked, n, setup)


def nodes_taken(program: str, function: str) -> TakesNodes | None:
    """None for a function that takes no nodes of a class of the program's; of several classes the
    one that it is most likely to work on."""
    found = function_of(program, function)
    needed = needed_parameters(found) if found else []
    if found is None or len(needed) > MOST_PARAMETERS:
        return None
    kinds = sorted(node_classes(program), key=lambda kind: -_likeness(found, needed, kind))
    for kind in kinds:
        nodes = [_is_node(found, each, kind) for each in needed]
        if any(nodes):
            return TakesNodes(found, kind, needed, nodes)
    return None


def is_certain(program: str, taken: TakesNodes) -> bool:
    """Whether no other class of nodes may be meant, and nothing has to be kept in order beside."""
    others = [each for each in node_classes(program) if each.name != taken.kind.name]
    likely = any(_likeness(taken.function, taken.needed, each) for each in others)
    are_named = not names_of(taken.function).isdisjoint(each.name for each in others)
    return taken.kind.is_plain and not (likely or are_named)


def _likeness(function: Function, needed: Sequence[ast.arg], kind: NodeClass) -> int:
    """How much speaks for nodes of this kind: what parameters are annotated with, then what they
    are called, then the links that are followed."""
    annotated = any(each.annotation and kind.name in names_of(each.annotation) for each in needed)
    named = any(_HEADS.get(each.arg) == kind.links for each in needed)
    followed = any(
        isinstance(n, ast.Attribute) and n.attr in kind.links for n in ast.walk(function)
    )
    return 4 * annotated + 2 * named + followed


def callable_name(program: str, function: str) -> str:
    """As a session calls it: of the class that exercises have a method."""
    is_method = (
        all(getattr(each, "name", "") != function for each in top_level(program))
        and "class Solution" in program
    )
    return f"Solution().{function}" if is_method else function


def node_classes(program: str) -> Iterator[NodeClass]:
    for made in (node for node in top_level(program) if isinstance(node, ast.ClassDef)):
        init = next((each for each in made.body if _is_init(each)), None)
        if isinstance(init, ast.FunctionDef) and not init.args.kwonlyargs:
            kept, names = dict(_kept(init)), [each.arg for each in init.args.args[1:]]
            needed = len(names) - len(init.args.defaults)
        elif any(_is_dataclass(each) for each in made.decorator_list):
            fields = [each for each in made.body if isinstance(each, ast.AnnAssign)]
            kept = {name: name for each in fields if (name := _name_of(each.target))}
            names, needed = [*kept], sum(each.value is None for each in fields)
        else:
            continue
        links = next((some for some in (_OF_TREE, _OF_LIST) if {*some} <= {*kept}), None)
        value = next((a for a, given in kept.items() if given and given in names[:1]), None)
        if links and value:
            is_plain = {*kept} == {value, *links}
            yield NodeClass(made.name, value, links, max(0, needed - 1), is_plain)


def _is_dataclass(decorator: ast.expr) -> bool:
    """One whose objects may be changed."""
    return "dataclass" in names_of(decorator) and "frozen" not in ast.unparse(decorator)


def _returns(function: Function) -> Iterator[ast.Return]:
    """Its own, not those of functions in it."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            yield node
        if not isinstance(node, (Function, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def _is_init(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def _kept(init: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The attributes that it sets, each with the parameter that it is set to, "" for none."""
    for node in init.body:
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], given) | ast.AnnAssign(
                ast.Attribute(ast.Name("self"), name), _, given
            ):
                yield name, _name_of(given)
            case ast.Assign([ast.Tuple(kept)], ast.Tuple(values)):
                for each, value in zip(kept, values, strict=False):
                    if isinstance(each, ast.Attribute):
                        yield each.attr, _name_of(value)


def _name_of(given: ast.expr | None) -> str:
    return given.id if isinstance(given, ast.Name) else ""


def _is_node(function: Function, parameter: ast.arg, kind: NodeClass) -> bool:
    """Whether it is annotated or named as one, or a link or a value of it is read."""
    said = names_of(parameter.annotation) if parameter.annotation else set[str]()
    if kind.name in said or said & _PLAIN:
        return kind.name in said
    names = {parameter.arg, *_others_of(function, parameter.arg)}
    return parameter.arg in (*_HEADS, _LISTS) or any(
        isinstance(node, ast.Attribute)
        and node.attr in (*kind.links, kind.value)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        for node in ast.walk(function)
    )


def _others_of(function: Function, name: str) -> Iterator[str]:
    """Variables that are begun with it: `node = head`, `p, q = a, b`."""
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(other)], ast.Name(given)) if given == name:
                yield other
            case ast.Assign([ast.Tuple(others)], ast.Tuple(values)):
                pairs = zip(others, values, strict=False)
                yield from (
                    to.id
                    for to, of in pairs
                    if isinstance(to, ast.Name) and isinstance(of, ast.Name) and of.id == name
                )


def _sessions(
    name: str, taken: TakesNodes, options: Sequence[list[str] | None], request: str
) -> Iterator[str]:
    """`options`: what each parameter may be, None for nodes."""
    chance = Random(f"{name} {taken.kind}")
    while True:
        values = [
            _value(chance.choice(some))
            if some
            else _numbers(chance, in_lists=taken.is_of_lists(at))
            for at, some in enumerate(options)
        ]
        slots = [_slot(taken, at, value) for at, value in enumerate(values)]
        made = with_nodes(values, slots, request, chance)
        written = [
            _text(each) if options[at] else taken.written(at, each) for at, each in enumerate(made)
        ]
        yield f"called({', '.join([name, *written])})"


class _Source(str):
    """What is no literal, as a session says it."""

    __slots__ = ()


def _value(text: str) -> Any:
    try:
        return read_literal(text)
    except ValueError:
        return _Source(text)


def _text(value: Any) -> str:
    return value if isinstance(value, _Source) else repr(value)


def _numbers(chance: Random, in_lists: bool = False) -> list[Any]:
    if in_lists:
        return [_numbers(chance) for _ in range(chance.randint(0, _MOST_LISTS))]
    return [chance.choice(_NUMBERS) for _ in range(chance.randint(0, _MOST_NODES))]


def _slot(taken: TakesNodes, at: int, value: Any) -> Slot:
    name = taken.needed[at].arg
    if not taken.nodes[at]:
        kind = _INT if type(value) is int else Kind("other", type(value).__name__)
        return Slot("value", kind, "", name=name)
    kind = taken.kind.kind
    if taken.is_of_lists(at):
        kind = Kind("list", "", (kind,))
    return Slot("value", kind, "", name=name)
