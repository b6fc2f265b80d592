"""Async functions: drafts are compared by what they give for coroutines, how many of these ran at
the same time, and which were cancelled."""

import ast
import shutil

import pytest

from pipeline.testcases.async_sessions import is_async, sessions_with_coroutines
from pipeline.testcases.behaviour import classes
from tests.test_agreement import JUDGED, NO_TESTS, coder, comparing, models_asked
from tests.test_function_sessions import behaviours

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
LIMITED = """\
import asyncio


async def gather_limited(coros, limit):
    gate = asyncio.Semaphore(limit)

    async def one(coro):
        async with gate:
            return await coro

    return await asyncio.gather(*(one(coro) for coro in coros))
"""
ALSO_LIMITED = LIMITED.replace("*(one(coro) for coro in coros)", "*map(one, coros)")
UNLIMITED = LIMITED.replace("        async with gate:\n            return", "        return")
ONE_BY_ONE = "async def gather_limited(coros, limit):\n    return [await each for each in coros]\n"
FIRST = """\
import asyncio


async def first_done(coros):
    tasks = [asyncio.ensure_future(each) for each in coros]
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return done.pop().result()
"""
GOES_ON = FIRST.replace("        task.cancel()", "        pass")
TIMED = """\
import asyncio


async def with_timeout(coro, seconds, default):
    try:
        return await asyncio.wait_for(coro, seconds)
    except asyncio.TimeoutError:
        return default
"""
SWALLOWS = TIMED.replace("asyncio.TimeoutError", "Exception")
RETRY = """\
async def retry(func, attempts):
    for n in range(attempts):
        try:
            return await func()
        except Exception:
            if n == attempts - 1:
                raise
"""
ONCE_MORE = RETRY.replace("range(attempts)", "range(attempts + 1)").replace("- 1:", ":")
MERGE = """\
async def numbered(queue):
    n = 0
    while (item := await queue.get()) is not None:
        n += 1
        yield n, item
"""
NEVER = MERGE.replace(" is not None", " != 'never'")


@pytest.mark.parametrize(
    ("program", "name", "does"),
    [
        (LIMITED, "gather_limited", True),
        (MERGE, "numbered", True),
        ("def f(coro): return coro", "f", False),
        ("async def f(", "f", False),
    ],
)
def test_what_is_async(program, name, does):
    """Coroutine functions and async generators."""
    assert is_async(program, name) is does
    assert bool(sessions_with_coroutines(program, name, 20)) is does


def test_what_a_session_does():
    """It awaits a call with coroutines; the same each time, none twice."""
    asked = sessions_with_coroutines(RETRY, "retry", 20)
    assert asked == sessions_with_coroutines(RETRY, "retry", 20)
    assert len({each.session for each in asked}) == len(asked) > 5
    assert any("retry(failing_first(2), 3)" in each.session for each in asked)
    assert all(ast.parse(f"{each.setup}\n{each.session}") for each in asked)


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "programs", "found"),
    [
        (
            "gather_limited",
            (LIMITED, ALSO_LIMITED, UNLIMITED, ONE_BY_ONE),
            [[0, 1], [2], [3]],
        ),
        ("first_done", (FIRST, FIRST.replace("waiting", "others"), GOES_ON), [[0, 1], [2]]),
        ("with_timeout", (TIMED, TIMED.replace("coro", "it"), SWALLOWS), [[0, 1], [2]]),
        ("retry", (RETRY, RETRY.replace("attempts", "most"), ONCE_MORE), [[0, 1], [2]]),
    ],
)
async def test_wrong_functions_do_something_else(name, programs, found):
    """In how many they start, await at once and cancel; nobody waits for the seconds that they
    take, which are more than a sandbox has."""
    said = await behaviours(sessions_with_coroutines(programs[0], name, 20), *programs)
    assert classes(said) == found and not said[0].lack


@needs_sandbox
async def test_what_waits_for_ever_is_found_out():
    """It raises, and agrees with nobody."""
    said = await behaviours(sessions_with_coroutines(MERGE, "numbered", 20), MERGE, NEVER, NEVER)
    assert classes(said) == [[0], [1], [2]]
    assert set(said[1].outcomes) == {"raised RuntimeError"}


@needs_sandbox
async def test_the_right_function_is_chosen(pipeline_with):
    """Two drafts of three that do the same; no tests are asked for."""
    request = "Write an async function gather_limited(coros, limit): at most limit at a time."
    drafts = coder(UNLIMITED, LIMITED, ALSO_LIMITED)
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(request) == LIMITED
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]
    assert "tests" not in models_asked(run.record)
