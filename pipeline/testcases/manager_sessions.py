"""Sessions to try a context manager with: what ends, prints or raises is done within it, and what
came of that is asked: whether it went on, what was printed, which variables of the environment are
others. Pure."""

import ast
import random
import re
from collections.abc import Iterator

from pipeline.analysis.python_syntax import top_level
from pipeline.analysis.undefined_names import names_of
from pipeline.sandbox.testcase import Case
from pipeline.testcases.session_arguments import as_cases, call_of, choices_for

_ACTS = ("ends", "prints", "fails", "fails_otherwise")
_BY_NAME = ["SOME='1'", "SOME='2', OTHER='x'", ""]  # what `**values` may be given
_YIELDS = re.compile(r"\byield", re.IGNORECASE)
_MOST_READ = 20_000  # characters of a request
_PLAIN = "(bool, int, float, str, list, tuple, dict, type(None))"
_SETUP = """\
import contextlib, io, os, sys
def ends():
    return "done"
def prints():
    print("said")
def fails():
    raise KeyError("key")
def fails_otherwise():
    raise ValueError("value")
def within(act, manager):
    came, before, it = [], {{*os.environ.items()}}, None
    def changed():
        return sorted(before ^ {{*os.environ.items()}})
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            with manager as it:
                came += [{yielded}changed(), act()]
            came.append("went on")
        except (KeyError, ValueError) as error:
            came.append(type(error).__name__)
        came += [changed(), sys.stdout is printed]
    return [*came, printed.getvalue(), it.getvalue() if hasattr(it, "getvalue") else ""]"""


def manages_context(program: str, name: str) -> bool:
    """Whether the function or class of this name is a context manager."""
    return _maker_of(program, name) is not None


def sessions_with_manager(
    program: str, name: str, request: str, n: int, fallback: str
) -> tuple[Case, ...]:
    """At most `n` sessions with a context manager; () for anything else, and where nothing can be
    made that it takes. What it gives counts where the request speaks of that. The same for the same
    program and request."""
    maker = _maker_of(program, name)
    if maker is None:
        return ()
    choices = choices_for(maker, fallback)
    if maker.args.kwarg:
        choices = [*choices, _BY_NAME]
    if not all(choices):
        return ()
    yields = _YIELDS.search(request[:_MOST_READ])
    setup = _SETUP.format(yielded=f"it if isinstance(it, {_PLAIN}) else 0, " if yields else "")
    chance = random.Random(f"{name} {[each.arg for each in maker.args.args]}")
    sessions = (
        f"within({chance.choice(_ACTS)}, {call_of(name, choices, chance)})" for _ in range(3 * n)
    )
    return as_cases(sessions, n, setup)


def _maker_of(program: str, name: str) -> ast.FunctionDef | None:
    """What it is made with: a decorated function, or the `__init__` of a class, one without
    parameters where it has none."""
    for node in top_level(program):
        match node:
            case ast.FunctionDef(found, decorator_list=decorators) if found == name and any(
                "contextmanager" in names_of(each) for each in decorators
            ):
                return node
            case ast.ClassDef(found) if found == name:
                methods = {each.name: each for each in _methods(node)}
                if {"__enter__", "__exit__"} <= methods.keys():
                    return methods.get("__init__") or methods["__enter__"]
    return None


def _methods(found: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    return (each for each in found.body if isinstance(each, ast.FunctionDef))
