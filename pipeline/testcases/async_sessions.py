"""Sessions to try an async function with: it is given coroutines and functions that make some, on a
loop whose clock jumps to the next event, so that nobody waits. What it gives counts, how many of
them ran at the same time and in all, and which were cancelled. Pure."""

import ast
import random
from collections.abc import Iterator, Mapping

from pipeline.analysis.python_syntax import Function
from pipeline.sandbox.testcase import Case
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.session_arguments import (
    arguments_called_with,
    as_cases,
    call_of,
    choices_for,
)

FALLBACKS = ("list[int]", "int", "str")
_SETUP = """\
import asyncio
running, cancelled = [0, 0, 0], []
async def gives(value, seconds=1):
    running[0] += 1
    running[1] = max(running[:2])
    running[2] += 1
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        cancelled.append(value)
        raise
    finally:
        running[0] -= 1
    return value
async def fails(seconds=1):
    await gives("failing", seconds)
    raise ValueError("it fails")
def failing_first(times):
    left = [times]
    async def made(*given):
        await gives(given)
        left[0] -= 1
        if left[0] >= 0:
            raise ValueError(times - left[0])
        return [*given, 7]
    return made
async def doubled(n, *more):
    await gives(n, n % 5 + 1 if isinstance(n, int) else 1)
    if n == 3:
        raise ValueError("3")
    return n * 2
def queue_of(*items):
    queue = asyncio.Queue()
    for item in items:
        queue.put_nowait(item)
    return queue
def came_of(made):
    async def main():
        it = made()
        return [each async for each in it] if hasattr(it, "__aiter__") else await it
    loop, now = asyncio.new_event_loop(), [0.0]
    select = loop._selector.select
    def at_once(timeout=None):
        found = select(0.2 if timeout is None else 0)
        if timeout is None and not found:
            raise RuntimeError("it waits for ever")
        now[0] += 0 if found else timeout or 0
        return found
    loop._selector.select, loop.time = at_once, lambda: now[0]
    try:
        came = loop.run_until_complete(main())
    except (AttributeError, NameError, RuntimeError, TypeError):
        raise
    except Exception as error:
        came = type(error).__name__
    loop.run_until_complete(asyncio.sleep(0))
    return [came, *running[1:], sorted(map(str, cancelled))]"""
_COROUTINES = [
    *("gives(1, 3), gives(2, 1), gives(3, 2)", "gives(1)", "gives(4, 2), fails(1), gives(5, 3)"),
    *(", ".join(f"gives({n}, {n * 3 % 7 + 1})" for n in range(7)), "gives(1, 1), gives(2, 9)"),
]
_COROUTINE = ["gives(5)", "gives(6, 9)", "fails()", "gives(None, 2)"]
_FUNCTIONS: Mapping[int | None, list[str]] = {
    0: ["failing_first(0)", "failing_first(1)", "failing_first(2)", "failing_first(9)"],
    1: ["doubled", "failing_first(1)", "failing_first(0)"],
}
_QUEUES = ["queue_of(1, 2, None)", "queue_of(0, None)", "queue_of('a', 'b', 'c', None)"]
_LISTS = {"coros", "coroutines", "tasks", "awaitables", "aws", "futures", "jobs"}
_SINGLE = {"coro", "coroutine", "awaitable", "aw", "task", "future"}
_FUNCTION_NAMES = {"func", "fn", "f", "function", "worker", "handler", "callback", "factory"}
_PLAIN = {
    **{name: ["1", "2", "3"] for name in ("limit", "n", "concurrency", "workers", "size")},
    **{name: ["3", "1", "2"] for name in ("attempts", "retries", "times", "max_attempts")},
    **{name: ["2", "5", "0.5"] for name in ("seconds", "timeout", "delay", "interval")},
    **{name: ["[1, 2, 4]", "[3, 5]", "[]", "[2, 3, 1, 10]"] for name in ("items", "values")},
    "default": ["None", "'default'"],
}


def is_async(program: str, function: str) -> bool:
    """Whether it is a coroutine function or an async generator."""
    return isinstance(function_of(program, function), ast.AsyncFunctionDef)


def sessions_with_coroutines(
    program: str, function: str, n: int, fallback: str = FALLBACKS[0]
) -> tuple[Case, ...]:
    """At most `n` sessions with an async function; () for others, and where nothing can be made
    that it takes. The same for the same program."""
    found = function_of(program, function)
    if not isinstance(found, ast.AsyncFunctionDef):
        return ()
    known = dict(_known(found))
    choices = choices_for(found, fallback, known)
    if not all(choices):
        return ()
    chance = random.Random(f"{function} {[each.arg for each in found.args.args]}")
    calls = (call_of(function, choices, chance) for _ in range(3 * n))
    return as_cases((f"came_of(lambda: {call})" for call in calls), n, _SETUP)


def _known(function: Function) -> Iterator[tuple[str, list[str]]]:
    """What parameters may be given, by their names."""
    called = arguments_called_with(function)
    for name in (each.arg for each in needed_parameters(function)):
        if name in called or name in _FUNCTION_NAMES:
            yield name, _FUNCTIONS.get(called.get(name), _FUNCTIONS[1])
        elif name in _LISTS:
            yield name, [f"[{some}]" for some in _COROUTINES]
        elif name in _SINGLE:
            yield name, _COROUTINE
        elif "queue" in name:
            yield name, [f"[{', '.join(_QUEUES)}]"] if name.endswith("s") else _QUEUES
        elif name in _PLAIN:
            yield name, _PLAIN[name]
    if (more := function.args.vararg) and (more.arg in _LISTS or "queue" in more.arg):
        yield more.arg, _QUEUES if "queue" in more.arg else _COROUTINES
