"""A request's examples of linked nodes, as a program can be asked them: `head = [1, 2]` is a list
of its own nodes, and what comes is written as the values that they hold. Pure."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pipeline.sandbox.testcase import Case
from pipeline.testcases.linked_calls import CIRCULAR
from pipeline.testcases.node_sessions import TakesNodes, callable_name, is_certain

_OF_OTHERS = {"p", "q", "node"}  # they mostly stand for nodes of a tree that is given
_CALLED = """\
def called(function, *given):
    came = function(*given)
    if came is None and {in_place}:
        came = given[0]
    return [] if came is None and {is_list} else plain(came)
def plain(came, is_list={is_list}):
    if isinstance(came, (list, tuple)):
        return [[] if each is None and {of_lists} else plain(each, {of_lists}) for each in came]
    if not isinstance(came, {name}):
        return came
    rows, waiting = [], [came]
    while waiting and len(rows) < 2000:
        node = waiting.pop(0)
        rows.append(None if node is None else node.{value})
        if node is not None:
            waiting += [{links}]
    while rows and rows[-1] is None:
        rows.pop()
    return rows if is_list else rows[0]"""


def examples_of_nodes(
    program: str, taken: TakesNodes, cases: Sequence[Case], request: str
) -> tuple[Case, ...]:
    """The cases as sessions with this program; without those that it cannot be asked, as a node
    that is to be one of another tree's, a circle, or what is printed."""
    inner = [*ast.walk(taken.function)]
    prints = any(isinstance(each, ast.Name) and each.id == "print" for each in inner)
    yields = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in inner)
    is_open = CIRCULAR.search(request) or yields or (prints and taken.is_in_place)
    if is_open or not is_certain(program, taken):
        return ()
    name = callable_name(program, taken.function.name)
    return tuple(each for case in cases for each in _session(case, name, taken))


def _session(case: Case, name: str, taken: TakesNodes) -> Iterator[Case]:
    given = case.arguments.values
    names = {each.arg for each, of in zip(taken.needed, taken.nodes, strict=True) if not of}
    is_several = isinstance(case.expected, tuple)
    if len(taken.needed) != len(given) or names & _OF_OTHERS or is_several:
        return
    pairs = [*zip(given, taken.nodes, strict=True)]
    if not all(_may_be(taken, at, value) for at, (value, of) in enumerate(pairs) if of):
        return
    written = [
        taken.written(at, value or []) if is_node else repr(value)
        for at, (value, is_node) in enumerate(pairs)
    ]
    is_list = isinstance(case.expected, list)
    called = _CALLED.format(
        in_place=taken.is_in_place,
        is_list=is_list,
        of_lists=is_list and any(isinstance(each, list) for each in case.expected),
        name=taken.kind.name,
        value=taken.kind.value,
        links=", ".join(f"node.{link}" for link in taken.kind.links),
    )
    yield replace(
        case,
        function=taken.function.name,
        session=f"called({', '.join([name, *written])})",
        setup=f"{called}\n{taken.kind.makes}",
    )


def _may_be(taken: TakesNodes, at: int, value: Any) -> bool:
    """Whether these can be the values of nodes there."""
    if not isinstance(value, list):
        return value is None
    if taken.is_of_lists(at):
        return all(each is None or isinstance(each, list) for each in value)
    return not any(isinstance(each, list) for each in value)
