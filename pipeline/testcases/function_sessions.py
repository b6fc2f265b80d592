"""Sessions to try a function with that takes functions, or gives one: what it is given here are
small functions, and what it gives is called. Pure.

As calls of other functions (`sample_calls.py`): programs that do what was asked answer alike."""

import random
from collections.abc import Iterator
from itertools import islice

from pipeline.analysis.python_syntax import Function
from pipeline.sandbox.testcase import Case
from pipeline.testcases.decorator_sessions import Decorator
from pipeline.testcases.entry_point import function_of
from pipeline.testcases.session_arguments import (
    ANYTHING,
    as_cases,
    call_of,
    choices_for,
    function_parameters,
    given_by,
)

FALLBACKS = ("list[int]", "int", "str")  # kinds of what no name tells, beside functions
_CALLS = 4  # of a function that is given
_MOST_READ = 20_000  # characters of a request


def deals_in_functions(program: str, function: str) -> bool:
    """Whether a function takes functions or gives one, so that values alone say nothing of it."""
    found = function_of(program, function)
    return found is not None and bool(given_by(found) or function_parameters(found))


def sessions_of_function(
    program: str, function: str, request: str, n: int, fallback: str = FALLBACKS[0]
) -> tuple[Case, ...]:
    """At most `n` sessions with a function that takes functions or gives one; () for others, and
    where what it takes beside them cannot be made. The same for the same program and request."""
    found = function_of(program, function)
    if found is None or not deals_in_functions(program, function):
        return ()
    chance = random.Random(f"{function} {[each.arg for each in found.args.args]}")
    request = request[:_MOST_READ]
    if decorator := Decorator.of(found):
        setup = decorator.setup(program, request)
        sessions = decorator.sessions(program, request, fallback, chance)
    else:
        setup, sessions = "", _calling(found, fallback, chance)
    return as_cases(islice(sessions, 2 * n), n, setup)


def _calling(function: Function, fallback: str, chance: random.Random) -> Iterator[str]:
    """Calls it; what it gives is called several times, as it may remember something."""
    choices, made = choices_for(function, fallback), given_by(function)
    if not all(choices):
        return
    given = choices_for(made, fallback) if made else []
    given = given if all(given) else [ANYTHING]
    while True:
        call = call_of(function.name, choices, chance)
        calls = ", ".join(call_of("made", given, chance) for _ in range(_CALLS))
        yield f"made = {call}\n[{calls}]" if made else call
