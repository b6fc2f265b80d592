"""Calls of a function that tell whether it changes what it is given: it is replaced by one that
looks at its arguments before and afterwards. Pure.

Nothing is told of a call that raises."""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from pipeline.analysis.python_syntax import parsed_statements, read_literal
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.typescript_driver import SHOWS

SHOWN = 120  # characters of a call, and of what it left
_KEYS, _MOST_READ = 3, 20_000
_RECORD = re.compile(r"\{[^{}\n]{1,300}\}")
_PYTHON = """\
from collections import abc as laios_abc
from itertools import islice as laios_some
from types import GeneratorType as laios_generator
laios_changes = []
def laios_seen(value, met=None):
    met = {} if met is None else met
    kind = type(value).__name__
    if value is None or isinstance(value, (str, bytes, int, float, complex)):
        return value
    if id(value) in met:
        return f"{kind} {met[id(value)]}"
    met[id(value)] = len(met)
    if isinstance(value, laios_abc.Mapping):
        return {key: laios_seen(each, met) for key, each in value.items()}
    if isinstance(value, laios_abc.Set):
        return set(value)
    if isinstance(value, laios_abc.Sequence) or kind == "deque":
        return [kind, *(laios_seen(each, met) for each in value)]
    fields = {}
    for key, each in getattr(value, "__dict__", {}).items():
        is_kept = type(getattr(type(value), key, None)).__name__ == "cached_property"
        if key[:1] != "_" and not is_kept:
            fields[key] = laios_seen(each, met)
    return [kind, fields]
def laios_said(value):
    if hasattr(value, "next") and hasattr(value, "__dict__"):
        values = []
        while hasattr(value, "next") and len(values) < 50:
            first = next((each for key, each in vars(value).items() if key != "next"), None)
            values.append(repr(first))
            value = value.next
        return " -> ".join(values)
    if type(value).__repr__ is object.__repr__:
        return f"{type(value).__name__} with {laios_seen(value)[1]!r}"
    return repr(value)
def laios_watched(called):
    def watched(*given, **named):
        all_given = [*given, *named.values()]
        before = laios_seen(all_given)
        came = called(*given, **named)
        if isinstance(came, laios_generator):
            came = iter(list(laios_some(came, 1000)))
        after = laios_seen(all_given)
        for value, was, is_now in zip(all_given, before[1:], after[1:]):
            if was != is_now:
                laios_changes.append(laios_said(value)[:SHOWN])
        return came
    return watched
""".replace("SHOWN", str(SHOWN))
_SCRIPT = """
  const laiosGiven = [];
  const laiosSeen = (given) => given.map((each) => laiosShow(each, 0));
  const laiosWatched = (...given) => {
    laiosGiven.push([given, laiosSeen(given)]);
    const came = laiosCalled(...given);
    if (!came || typeof came.next !== "function" || Array.isArray(came)) return came;
    const some = [];
    for (let next; some.length < 1000 && !(next = came.next()).done; ) some.push(next.value);
    return some.values();
  };
  const laiosLook = (n) => {
    for (const [given, before] of laiosGiven.splice(0)) {
      const left = laiosSeen(given).find((each, at) => each !== before[at]);
      if (left !== undefined)
        process.stdout.write(`\\n%s${JSON.stringify({ n, left: left.slice(0, %d) })}\\n`);
    }
  };
"""


def can_change(value: Any) -> bool:
    """Whether it has a list, a dictionary or a set."""
    if isinstance(value, tuple):
        return any(map(can_change, value))
    return isinstance(value, list | dict | set)


def telling(cases: Sequence[Case]) -> list[Case]:
    """Those that give something that can be changed, with most items out of their order first."""
    changing = [case for case in cases if any(map(can_change, case.arguments.values))]
    return sorted(changing, key=lambda case: -sum(map(_unsorted, case.arguments.values)))


def _unsorted(value: Any) -> int:
    """How many lists and dictionaries of several items it has; a list that is in order is worth
    less."""
    items = [*value.values()] if isinstance(value, dict) else value
    if not isinstance(items, list | tuple | set):
        return 0
    several = len(items) > 1
    texts = [*map(repr, items)]
    is_mixed = several and isinstance(value, list) and texts != sorted(texts)
    return several + 2 * is_mixed + sum(map(_unsorted, items))


def calls_with_records(request: str, program: str, name: str) -> list[Case]:
    """Of a function of one or two parameters: with lists of dictionaries like one that the request
    shows ('{"name": "Ida", "age": 41}'), or with such a one, and one of its keys."""
    found = function_of(program, name)
    needed = len(needed_parameters(found)) if found else 0
    record = next(_records(request), None) if 0 < needed <= 2 else None
    if not record:
        return []
    rows = [_otherwise(record, n) for n in (3, -2, 1)]
    keys = [*record][:_KEYS] if needed == 2 else [None]
    given = [(value, key)[:needed] for key in keys for value in (rows, record)]
    return [Case(Arguments(each), ANY_VALUE) for each in given]


def _records(request: str) -> Iterator[dict[str, Any]]:
    for text in _RECORD.findall(request[:_MOST_READ]):
        with suppress(ValueError, RecursionError):
            value = read_literal(text)
            if isinstance(value, dict) and all(isinstance(key, str) for key in value):
                yield value


def _otherwise(record: dict[str, Any], n: int) -> dict[str, Any]:
    """With other numbers, and texts in another order."""
    return {key: _shifted(value, n) for key, value in record.items()}


def _shifted(value: Any, n: int) -> Any:
    if isinstance(value, str):
        return f"{'cab'[n % 3]}{value}"
    return value + n if isinstance(value, int | float) and not isinstance(value, bool) else value


def python_watches(cases: Sequence[Case], name: str) -> tuple[Case, ...]:
    """Sessions of which `[what it left, …]` comes, each a list or object that the call changed.
    They are named as the call is shown."""
    return tuple(_watch(case, name) for case in cases)


def _watch(case: Case, name: str) -> Case:
    given = case.arguments
    # A method of an exercise's class is called as a function.
    source = case.session.replace(f"Solution().{name}", name) or f"{name}({given})"
    *lines, last = parsed_statements(source)
    real = f"globals().get({name!r}) or getattr(globals()['Solution'](), {name!r})"
    setup = f"{_PYTHON}{case.setup}\n{name} = laios_watched({real})"
    said = ast.unparse(last)
    if case.session and given != Arguments():
        said = f"{name}({given})"
    said = said.replace(f"called({name}, ", f"{name}(")
    session = "\n".join([*map(ast.unparse, lines), said, "laios_changes"])
    return Case(case.arguments, ANY_VALUE, name=said, session=session, setup=setup)


def script_watches(
    sessions: Sequence[Sequence[tuple[str, bool]]], name: str, mark: str, nodes: str = ""
) -> str:
    """Lines of JavaScript below a program that run each session, and tell `{n, left}` behind the
    mark for the number of a line and what the function `name` changed there. A line goes with
    whether it is a mere expression. `nodes`: the functions that make linked nodes and show them."""
    bodies = "".join(_sessions(sessions, name))
    nodes = nodes or "  const laiosNodes = () => undefined;\n"
    head = f"\n;(async () => {{\n  const laiosCalled = {name};\n{nodes}"
    return f"{head}{SHOWS}{_SCRIPT % (mark, SHOWN)}{bodies}  process.exit(0);\n}})();\n"


def _sessions(sessions: Sequence[Sequence[tuple[str, bool]]], name: str) -> Iterator[str]:
    n = 0
    for lines in sessions:
        steps = list[str]()
        for line, is_value in lines:
            steps.append(f"{f'await ({line})' if is_value else line}; laiosLook({n});")
            n += 1
        body = "\n      ".join(steps)
        yield (
            f"  {{\n    const {name} = laiosWatched;\n    laiosGiven.length = 0;\n"
            f"    await (async () => {{\n      {body}\n    }})().catch(() => undefined);\n  }}\n"
        )
