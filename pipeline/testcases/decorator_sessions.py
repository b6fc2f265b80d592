"""Sessions to try a decorator with: it decorates a function that notes its calls, and that answers
always, at first not, or never. Pure."""

import ast
import builtins
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.analysis.python_syntax import Function, top_level
from pipeline.analysis.undefined_names import names_of, words_in
from pipeline.testcases.entry_point import needed_parameters
from pipeline.testcases.parameter_kinds import meant_kinds
from pipeline.testcases.session_arguments import call_of, choices_for, given_by

_SUBJECTS = ("counts", "gives_all", "gives_none", "fails_twice", "fails", "adds")
_SMALL = ("2", "3", "1")
_GIVEN = ("1", "1", "2, 3", "", "0", "-1, 2")
_KEYWORDS = ("2, b=3", "b=-3")  # in one session of so many, where it takes any
_ONE_IN = 4
_CALLS = 4  # of the decorated function
_CAUGHT = ("ValueError", "KeyError", "ZeroDivisionError")
_AT_ONCE = "import time\ntime.sleep = lambda seconds: None\n"
_ERROR = re.compile(r"\b[A-Z][A-Za-z]{0,40}(?:Error|Exception)\b")
_NAMED = r"[ \t]{1,4}(?:called[ \t]{1,4}|named[ \t]{1,4})?[`'\"*]{1,2}(?:\w+\.)?([a-z]\w*)"
_ATTRIBUTE = re.compile(
    rf"\b[Aa]ttributes?{_NAMED}|[`'\"*]{{1,2}}([a-z]\w*)[`'\"*]{{1,2}}[ \t]{{1,4}}attributes?\b"
)
_SPEAKS_OF_OUTPUT = re.compile(r"\b(?:print|log|trac|display|output|show)", re.IGNORECASE)
# Functions to be decorated, which note with what they were called.
_DECORATED = """\
calls = []
def subject(*args, **kwargs):
    calls.append((args, kwargs))
    return does(*args, **kwargs)
def counts(*args, **kwargs):
    return len(calls)
def gives_all(*args, **kwargs):
    return [list(args), kwargs]
def gives_none(*args, **kwargs):
    return None
def fails(*args, **kwargs):
    raise KeyError(len(calls))
def fails_twice(*args, **kwargs):
    if len(calls) < 3:
        raise ValueError(len(calls))
    return args
def adds(*args, **kwargs):
    if not all(args):
        raise ZeroDivisionError
    return sum(args)
def of_call(*args, **kwargs):
    try:
        return subject(*args, **kwargs)
    except ({caught}) as error:
        return type(error).__name__
came = of_call"""
_WITH_OUTPUT = """
import contextlib, io
def came(*args, **kwargs):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        value = of_call(*args, **kwargs)
    return [value, printed.getvalue()]"""


@dataclass(frozen=True, slots=True)
class Decorator:
    """`factory`: the function that makes it of its own parameters (`retry(times)`), None for one
    that takes the decorated function itself. `wrapper`: what it gives."""

    name: str
    wrapper: ast.FunctionDef
    factory: Function | None = None

    @classmethod
    def of(cls, function: Function) -> "Decorator | None":
        """None for a function that is none and makes none."""
        inner = given_by(function)
        if inner is None:
            return None
        if _wraps(function, inner):
            return cls(function.name, inner)
        deeper = given_by(inner)
        return cls(function.name, deeper, function) if deeper and _wraps(inner, deeper) else None

    def setup(self, program: str, request: str) -> str:
        """What stands before each session: nobody waits between two calls, and what is printed
        counts where the request speaks of it."""
        known = {*_classes_of(program), *dir(builtins)}
        named = (name for name in _ERROR.findall(request) if name in known)
        caught = dict.fromkeys([*_CAUGHT, *named])
        setup = _DECORATED.format(caught=", ".join(caught))
        setup += _WITH_OUTPUT if _SPEAKS_OF_OUTPUT.search(request) else ""
        return f"{_AT_ONCE}{setup}" if "sleep" in program else setup

    def sessions(
        self, program: str, request: str, fallback: str, chance: random.Random
    ) -> Iterator[str]:
        """Without an end; none where nothing can be made that the factory takes."""
        factory = self.factory
        choices = choices_for(factory, fallback, _small_numbers(factory)) if factory else []
        if not all(choices):
            return
        asked = "".join(f", subject.{each}" for each in _attributes(program, request))
        while True:
            by_name = self.wrapper.args.kwarg and chance.randrange(_ONE_IN) == 0
            given = [*_GIVEN, *_KEYWORDS] if by_name else _GIVEN
            called = ", ".join(f"came({chance.choice(given)})" for _ in range(_CALLS))
            does = chance.choice(_SUBJECTS)
            decorator = call_of(self.name, choices, chance) if factory else self.name
            yield f"does = {does}\nsubject = {decorator}(subject)\n[{called}, calls{asked}]"


def _wraps(function: Function, given: ast.FunctionDef) -> bool:
    """Whether it takes one function or class, which the one that it gives calls as it was called
    itself."""
    taken = function.args.args
    if len(taken) - len(function.args.defaults) != 1 or not given.args.vararg:
        return False
    name = taken[0].arg
    calls = (node for node in ast.walk(given) if isinstance(node, ast.Call))
    return any(
        isinstance(call.func, ast.Name)
        and call.func.id == name
        and any(isinstance(each, ast.Starred) for each in call.args)
        for call in calls
    )


def _small_numbers(function: Function) -> dict[str, list[str]]:
    """How often a decorator tries, or counts: what it does with less than one, nobody has said."""
    return {each.arg: [*_SMALL] for each in needed_parameters(function) if _is_whole(each)}


def _is_whole(parameter: ast.arg) -> bool:
    if parameter.annotation:
        return names_of(parameter.annotation) == {"int"}
    return meant_kinds(parameter.arg)[:1] == ["int"]


def _classes_of(program: str) -> Iterator[str]:
    """What it defines or imports."""
    for node in top_level(program):
        match node:
            case ast.ClassDef(name):
                yield name
            case ast.ImportFrom(names=names):
                yield from (each.asname or each.name for each in names)


def _attributes(program: str, request: str) -> list[str]:
    """Of the decorated function: those that the request calls so, and those of its words that the
    program sets (`wrapper.calls = 0`)."""
    named = {name for pair in _ATTRIBUTE.findall(request) for name in pair if name}
    nodes = (node for each in top_level(program) for node in ast.walk(each))
    stored = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    return sorted(named | stored & words_in(request))
