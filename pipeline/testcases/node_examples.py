"""A request's examples of linked nodes, as a program can be asked them: `head = [1, 2]` is a list
of its own nodes, and what comes is written as the values that they hold. Pure."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pipeline.analysis.python_syntax import Function
from pipeline.sandbox.testcase import Case
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.linked_values import nested
from pipeline.testcases.node_sessions import NodeClass, callable_name, is_node, node_classes

_CALLED = """\
def called(function, *given):
    came = function(*given)
    if came is None and {in_place}:
        came = given[0]
    return [] if came is None and {is_list} else plain(came)
def plain(came):
    if isinstance(came, list):
        return [plain(each) for each in came]
    if not isinstance(came, {name}):
        return came
    rows, waiting = [], [came]
    while waiting and len(rows) < 200:
        node = waiting.pop(0)
        rows.append(None if node is None else node.{value})
        if node is not None:
            waiting += [{links}]
    while rows[-1] is None:
        rows.pop()
    return rows if {is_list} else rows[0]"""


def examples_of_nodes(program: str, function: str, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases as sessions with this program; without those that it cannot be asked, as a node
    that is to be one of another tree's."""
    found = function_of(program, function)
    kinds = [*node_classes(program)] if found else []
    if found is None or not kinds:
        return ()
    return tuple(each for case in cases for each in _session(case, program, found, kinds[0]))


def _session(case: Case, program: str, function: Function, kind: NodeClass) -> Iterator[Case]:
    needed, given = needed_parameters(function), case.arguments.values
    if len(needed) != len(given):
        return
    places = [is_node(function, each, kind) for each in needed]
    of_nodes = [value for value, of in zip(given, places, strict=True) if of]
    if not of_nodes or not all(isinstance(value, list) for value in of_nodes):
        return
    pairs = zip(given, places, strict=True)
    written = [_made(value, kind) if of else repr(value) for value, of in pairs]
    name = callable_name(program, function.name)
    is_list = isinstance(case.expected, list)
    setup = _CALLED.format(
        in_place=not any(isinstance(n, ast.Return) and n.value for n in ast.walk(function)),
        is_list=is_list,
        name=kind.name,
        value=kind.value,
        # Of a list the one that follows is below.
        links=", ".join(f"node.{link}" for link in kind.links),
    )
    yield replace(
        case,
        function=function.name,
        session=f"called({', '.join([name, *written])})",
        setup=f"{setup}\n{kind.makes}",
    )


def _made(values: list[Any], kind: NodeClass) -> str:
    if any(isinstance(each, list) for each in values):
        return f"[{', '.join(_made(each, kind) for each in values)}]"
    return f"tree({nested(values)!r})" if kind.is_tree else f"linked({values!r})"
