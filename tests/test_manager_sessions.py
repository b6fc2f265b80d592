"""Context managers that nobody gave an example of are compared by what comes of blocks in them."""

import ast
import shutil

import pytest

from pipeline.testcases.behaviour import classes
from pipeline.testcases.manager_sessions import manages_context, sessions_with_manager
from tests.test_agreement import JUDGED, NO_TESTS, coder, comparing, models_asked
from tests.test_function_sessions import behaviours

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
IGNORING = """\
from contextlib import contextmanager


@contextmanager
def ignoring(*exceptions):
    try:
        yield
    except exceptions:
        pass
"""
AS_CLASS = """\
class ignoring:
    def __init__(self, *exceptions):
        self.exceptions = exceptions

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is not None and issubclass(kind, self.exceptions)
"""
ALL = AS_CLASS.replace("kind is not None and issubclass(kind, self.exceptions)", "True")
ENVIRONMENT = """\
import contextlib
import os


@contextlib.contextmanager
def environment(**values):
    old = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in old.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
"""
CAPTURED = """\
import io
import sys
from contextlib import contextmanager


@contextmanager
def captured():
    old, sys.stdout = sys.stdout, io.StringIO()
    try:
        yield sys.stdout
    finally:
        sys.stdout = old
"""
REQUEST = "Write a Python context manager ignoring(*exceptions) that swallows these."


def sessions(program, name, request="", n=20):
    return sessions_with_manager(program, name, request, n, "int")


@pytest.mark.parametrize(
    ("program", "name", "manages"),
    [
        (IGNORING, "ignoring", True),
        (AS_CLASS, "ignoring", True),
        (ENVIRONMENT, "environment", True),
        ("class A:\n    def __enter__(self): ...", "A", False),
        ("def ignoring(): yield", "ignoring", False),
        ("def ignoring(", "ignoring", False),
    ],
)
def test_what_is_a_context_manager(program, name, manages):
    """A decorated function, or a class with both methods."""
    assert manages_context(program, name) is manages
    assert bool(sessions(program, name)) is manages


def test_what_a_session_does():
    """A block in it, with exceptions where it is to get some; the same each time, none twice."""
    asked = sessions(IGNORING, "ignoring")
    assert asked == sessions(IGNORING, "ignoring") and len({e.session for e in asked}) == len(asked)
    assert any(each.session.startswith("within(fails, ignoring(ValueError") for each in asked)
    assert all(ast.parse(f"{each.setup}\n{each.session}") for each in asked)
    assert any("environment(SOME='1')" in e.session for e in sessions(ENVIRONMENT, "environment"))


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "programs", "found"),
    [
        ("ignoring", (IGNORING, AS_CLASS, ALL), [[0, 1], [2]]),
        (
            "environment",
            (
                ENVIRONMENT,
                ENVIRONMENT.replace("value is None", "value == None"),
                ENVIRONMENT.replace("os.environ.update(values)", "pass"),
                ENVIRONMENT.replace("del os.environ[name]", "pass"),
            ),
            [[0, 1], [2], [3]],
        ),
        (
            "captured",
            (CAPTURED, CAPTURED.replace("old", "saved"), CAPTURED.replace("= old", "= sys.stdout")),
            [[0, 1], [2]],
        ),
    ],
)
async def test_wrong_context_managers_do_something_else(name, programs, found):
    """In what they swallow, set and leave behind; the way in which they are written is no
    difference."""
    said = await behaviours(sessions(programs[0], name), *programs)
    assert classes(said) == found and not said[0].lack


@needs_sandbox
async def test_the_right_context_manager_is_chosen(pipeline_with):
    """Of drafts as a function or a class; no tests are asked for."""
    drafts = coder(ALL, IGNORING, AS_CLASS)
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(REQUEST) == IGNORING
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]
    assert "tests" not in models_asked(run.record)
