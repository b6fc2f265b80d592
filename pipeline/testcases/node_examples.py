"""A request's examples of linked nodes, as a program can be asked them: `head = [1, 2]` is a list
of its own nodes, and what comes is written as the values that they hold. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.sandbox.testcase import Case
from pipeline.testcases.node_sessions import TakesNodes, callable_name

_CALLED = """\
def called(function, *given):
    came = function(*given)
    if came is None and {in_place}:
        came = given[0]
    return [] if came is None and {is_list} else plain(came)
def plain(came):
    if isinstance(came, list):
        return [[] if each is None and {of_lists} else plain(each) for each in came]
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


def examples_of_nodes(program: str, taken: TakesNodes, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases as sessions with this program; without those that it cannot be asked, as a node
    that is to be one of another tree's."""
    name = callable_name(program, taken.function.name)
    return tuple(each for case in cases for each in _session(case, name, taken))


def _session(case: Case, name: str, taken: TakesNodes) -> Iterator[Case]:
    given = case.arguments.values
    if len(taken.needed) != len(given):
        return
    pairs = [*zip(given, taken.nodes, strict=True)]
    if not all(value is None or isinstance(value, list) for value, is_node in pairs if is_node):
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
