"""Functions that run in a process of their own, because what they call may take minutes.

tree-sitter's parsers look at the clock now and then, and between two looks may lie seconds. So each
function that needs a tree is called where it can be ended, and gives plain data.

Questions and answers are pickled: both ends are this program's, under the same user.
"""

import pickle
from collections import deque
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar, cast

from laios.answering_process import AnsweringProcess, answer_questions

MOST_S = 0.25  # of processor time, a call; the event loop has other callers
_DEADLINE_S = 10.0  # by the clock: a machine may be so busy that this is little processor time

P = ParamSpec("P")
T = TypeVar("T")

_PROCESS = AnsweringProcess(__name__)
_unread: deque[tuple[Any, ...]] = deque(maxlen=16)  # one text is asked about by several functions
_here = False  # whether this is that process


class Unread(Exception):
    """The text takes so long to parse that it was given up: nothing is known of it."""


def in_syntax_process(function: Callable[P, T]) -> Callable[P, T]:
    """The function of a module, run in that process. Raises Unread, and what the function does."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        if _here:
            return function(*args, **kwargs)
        if args in _unread:
            raise Unread
        question = pickle.dumps((function.__module__, function.__name__, args, kwargs))
        answer = _PROCESS.ask(question, _DEADLINE_S)
        given, error = _told(answer)
        if isinstance(error, Unread):
            _unread.append(args)
        if error:
            raise error
        return cast(T, given)

    return call


def _told(answer: bytes | None) -> tuple[object, Exception | None]:
    """What the function gave, and what it raised."""
    found: tuple[object, Exception | None] = pickle.loads(answer) if answer else (None, Unread())
    return found


def main() -> None:
    global _here
    _here = True
    answer_questions(_answer, MOST_S)


def _answer(question: bytes) -> bytes:
    module, name, args, kwargs = pickle.loads(question)
    try:
        return pickle.dumps((getattr(import_module(module), name)(*args, **kwargs), None))
    except Exception as error:
        return pickle.dumps((None, error))
