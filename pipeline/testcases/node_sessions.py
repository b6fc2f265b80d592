"""Sessions to try a function with that takes linked nodes: binary trees, linked lists. They are
built of the program's own class, and what comes is written out node by node. Pure.

As calls of other functions (`sample_calls.py`): programs that do what was asked answer alike."""

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pipeline.analysis.python_syntax import Function, top_level
from pipeline.analysis.undefined_names import names_of
from pipeline.sandbox.testcase import Case
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.session_arguments import MOST_PARAMETERS, as_cases, values_of

_OF_TREE, _OF_LIST = ("left", "right"), ("next",)
_MOST_NODES = 7
_NUMBERS = range(-3, 10)
_MOST_READ = 20_000  # characters of a request
_HEADS = ("root", "head")
_SORTED = re.compile(r"\b(?:sorted|ordered|ascending)\b", re.IGNORECASE)
_SEARCHED = re.compile(r"\b(?:BST|search[ -]tree)\b", re.IGNORECASE)
_CHECKED = re.compile(r"\b(?:valid|check|whether|is)(?:_|\b)", re.IGNORECASE)
_CALLED = """\
def called(function, *given):
    came = function(*given)
    return written(given[0] if came is None else came)
"""
_TREES = """\
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
_LISTS = """\
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
    values it takes beside the first one."""

    name: str
    value: str
    links: tuple[str, ...]
    more: int

    @property
    def is_tree(self) -> bool:
        return self.links == _OF_TREE

    @property
    def makes(self) -> str:
        """Functions that make them, and write them out."""
        template = _TREES if self.is_tree else _LISTS
        return template.format(name=self.name, value=self.value, nothing=", None" * self.more)

    @property
    def setup(self) -> str:
        return _CALLED + self.makes

    def made(self, in_order: bool, chance: random.Random) -> str:
        """A tree or a list with a few numbers, as the session says it."""
        values = [chance.choice(_NUMBERS) for _ in range(chance.randint(0, _MOST_NODES))]
        if self.links == _OF_LIST:
            return f"linked({sorted(values) if in_order else values})"
        return f"tree({_tree(sorted(values) if in_order else values, chance)})"


def takes_nodes(program: str, function: str) -> bool:
    """Whether a function takes nodes of a class of the program's."""
    return bool(sessions_with_nodes(program, function, "", 1))


def sessions_with_nodes(program: str, function: str, request: str, n: int) -> tuple[Case, ...]:
    """At most `n` sessions with a function that takes nodes of a class of the program's; () for
    others. The same for the same program and request."""
    found = function_of(program, function)
    needed = needed_parameters(found) if found else []
    if found is None or len(needed) > MOST_PARAMETERS:
        return ()
    for kind in node_classes(program):
        given = [
            None if is_node(found, each, kind) else values_of([each], "int") for each in needed
        ]
        if None in given and [] not in given:
            name = callable_name(program, function)
            asked = islice(_sessions(name, kind, given, request[:_MOST_READ]), 3 * n)
            return as_cases(asked, n, kind.setup)
    return ()


def callable_name(program: str, function: str) -> str:
    """As a session calls it: of the class that exercises have a method."""
    is_method = (
        all(getattr(each, "name", "") != function for each in top_level(program))
        and "class Solution" in program
    )
    return f"Solution().{function}" if is_method else function


def node_classes(program: str) -> Iterator[NodeClass]:
    for made in (node for node in top_level(program) if isinstance(node, ast.ClassDef)):
        for init in made.body:
            if isinstance(init, ast.FunctionDef) and init.name == "__init__":
                yield from _node_class(made.name, init)


def _node_class(name: str, init: ast.FunctionDef) -> Iterator[NodeClass]:
    kept, parameters = dict(_kept(init)), init.args.args[1:]
    links = next((some for some in (_OF_TREE, _OF_LIST) if {*some} <= {*kept}), None)
    value = next((a for a, given in kept.items() if given and given == parameters[0].arg), None)
    if links and value:
        yield NodeClass(name, value, links, max(0, len(parameters) - len(init.args.defaults) - 1))


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


def is_node(function: Function, parameter: ast.arg, kind: NodeClass) -> bool:
    """Whether it is annotated or named as one, or a link or a value of it is read."""
    if parameter.annotation and kind.name in names_of(parameter.annotation):
        return True
    names = {parameter.arg, *_others_of(function, parameter.arg)}
    return parameter.arg in _HEADS or any(
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
    function: str, kind: NodeClass, given: Sequence[list[str] | None], request: str
) -> Iterator[str]:
    """`given`: what each parameter may be, None for nodes. Trees to be searched and lists that are
    said to be sorted are in order; half of them, where that is what the function finds out."""
    chance = random.Random(f"{function} {kind}")
    wanted = _SEARCHED if kind.links == _OF_TREE else _SORTED
    in_order = bool(wanted.search(request))
    is_checked = bool(_CHECKED.search(request))
    while True:
        ordered = in_order and not (is_checked and chance.random() < 0.5)
        arguments = [chance.choice(some) if some else kind.made(ordered, chance) for some in given]
        yield f"called({', '.join([function, *arguments])})"


def _tree(values: Sequence[int], chance: random.Random) -> list[Any] | None:
    """The values in order from left to right: `[2, [1, None, None], None]`."""
    if not values:
        return None
    at = chance.randrange(len(values))
    return [values[at], _tree(values[:at], chance), _tree(values[at + 1 :], chance)]
