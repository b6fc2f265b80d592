"""What a session may call something with, as it stands between the parentheses: values of the kinds
that parameters are annotated with or named after, and functions where they are called. Pure."""

import ast
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from types import MappingProxyType

from pipeline.analysis.python_syntax import Function, parse_expression
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.entry_point import needed_parameters
from pipeline.testcases.parameter_kinds import meant_kinds
from pipeline.testcases.sample_calls import calls_of_kinds

VALUES = 8  # lists of arguments for one function
MOST_PARAMETERS = 12  # of a function that is tried
ANYTHING = ["1", "2", "-3"]
_MOST_MORE = 4  # values for `*parameter`
NOTHING_KNOWN: Mapping[str, list[str]] = MappingProxyType({})
_OF_ONE = ("lambda n: n + 1", "lambda n: n > 2", "lambda n: n * 2", "str", "lambda n: n % 3")
_OF_TWO = ("lambda a, b: a + b", "max", "lambda a, b: a * 10 - b", "min")
_OF_NONE = ("lambda: 7", "list")
_OF_ANY = ("lambda *given: len(given)", "lambda *given: list(given)")
_OF: Mapping[int | None, Sequence[str]] = {0: _OF_NONE, 1: _OF_ONE, 2: _OF_TWO}
# What they are called that are kept, to be called later.
_NAMES = {
    *("f", "fn", "func", "funcs", "function", "functions", "callback", "callbacks", "callable"),
    *("handler", "handlers", "listener", "listeners", "predicate", "pred", "mapper", "transform"),
    *("key_func", "keyfunc", "condition", "factory", "action", "reducer", "validator"),
}
_EXCEPTIONS = ("ValueError", "KeyError", "ZeroDivisionError", "Exception")
_EXCEPTION_NAMES = {"exceptions", "exception", "exc", "excs", "errors", "error_types"}
_EXCEPTION_NAMES |= {"exception_types", "exception_type", "exc_types", "error_type"}
# Functions that call the first of what they are given, and with how much.
_CALLERS = {"map": 1, "filter": 1, "reduce": 2, "starmap": 2, "takewhile": 1, "dropwhile": 1}
_SORTERS = ("sorted", "sort", "min", "max", "groupby")


def values_of(
    needed: Sequence[ast.arg], fallback: str, known: Mapping[str, list[str]] = NOTHING_KNOWN
) -> list[str]:
    """At most VALUES lists of arguments for these parameters, each a text; [""] where none is
    needed, [] where no value can be made for one. `fallback`: the kind of what no name tells.
    `known`: what a parameter may be, by its name."""
    if not needed:
        return [""]
    calls = calls_of_kinds([_kind(each, fallback) for each in needed], VALUES)
    rows = [[repr(value) for value in case.arguments.args] for case in calls]
    for at, parameter in enumerate(needed):
        if values := known.get(parameter.arg):
            for row, value in zip(rows, cycle(values), strict=False):
                row[at] = value
    return list(dict.fromkeys(map(", ".join, rows)))


def more_of(function: Function, known: Mapping[str, list[str]] = NOTHING_KNOWN) -> list[str]:
    """What its `*parameter` may be given: several values, none of them; [] where it has none."""
    if not (more := function.args.vararg):
        return []
    some = known.get(more.arg) or ANYTHING
    return [", ".join(some[at:][:length]) for at, length in enumerate((1, 2, 0, _MOST_MORE))]


def _kind(parameter: ast.arg, fallback: str) -> ast.expr:
    """Its annotation, if values can be made for it; else what its name means."""
    if parameter.annotation and calls_of_kinds([parameter.annotation], 1):
        return parameter.annotation
    return parse_expression(next(iter(meant_kinds(parameter.arg)), fallback))


def as_cases(sessions: Iterable[str], n: int, setup: str = "") -> tuple[Case, ...]:
    """The first `n` of these sessions, none twice. `setup`: what stands before each."""
    return tuple(
        Case(Arguments(), ANY_VALUE, name=f"call {number}", session=each, setup=setup)
        for number, each in enumerate(islice(dict.fromkeys(sessions), n), 1)
    )


def functions_for(function: Function, *, named: bool = False) -> dict[str, list[str]]:
    """What its parameters that it calls may be given, by their names: small functions, and
    exceptions where they are named so. `named`: also those that it may keep, by their names, as
    `*functions` always."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    names += [given.vararg.arg] if given.vararg else []
    called = arguments_called_with(function)
    kept = _NAMES if named else _NAMES & ({given.vararg.arg} if given.vararg else set())
    found = {name: [*_EXCEPTIONS] for name in names if name in _EXCEPTION_NAMES}
    for name in names:
        if name in called or name in kept:
            found[name] = [*_OF.get(called.get(name, 1), _OF_ANY)]
    return found


def arguments_called_with(function: Function) -> dict[str, int | None]:
    """How many arguments the names that are called in it are given; None where that is open."""
    return dict(_called_in(function))


def _called_in(function: Function) -> Iterator[tuple[str, int | None]]:
    """The names that are called in it, with how many arguments; None where that is open."""
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Name(name), args, keywords):
                is_open = bool(keywords) or any(isinstance(each, ast.Starred) for each in args)
                yield name, None if is_open else len(args)
        match node:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), [ast.Name(first), *_]) if (
                name in _CALLERS
            ):
                yield first, _CALLERS[name]
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), _, keywords) if (
                name in _SORTERS
            ):
                yield from ((key, 1) for key in _keys_of(keywords))
            case ast.For(ast.Name(each), over):
                yield from _called_of(function, each, over)


def _keys_of(keywords: Iterable[ast.keyword]) -> Iterator[str]:
    return (k.value.id for k in keywords if k.arg == "key" and isinstance(k.value, ast.Name))


def _called_of(function: Function, each: str, over: ast.expr) -> Iterator[tuple[str, int | None]]:
    """Of `for f in reversed(functions): x = f(x)`, the functions."""
    names = {node.id for node in ast.walk(over) if isinstance(node, ast.Name)}
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Name(name), args) if name == each:
                yield from ((over_name, len(args)) for over_name in names)


def function_parameters(function: Function) -> dict[str, list[str]]:
    """The functions for those that a call has to give, and for `*functions`."""
    taken = {each.arg for each in needed_parameters(function)}
    taken |= {function.args.vararg.arg} if function.args.vararg else set()
    return {name: some for name, some in functions_for(function).items() if name in taken}


def choices_for(
    function: Function, fallback: str, known: Mapping[str, list[str]] = NOTHING_KNOWN
) -> list[list[str]]:
    """What each of its parameters may be given, as the session says it: values, functions, several
    of them for `*functions`. [[]] where nothing can be given for one, and of more than are
    tried."""
    functions = {**function_parameters(function), **known}
    given = function.args
    needed = needed_parameters(function) if given.args or given.posonlyargs else []
    if len(needed) > MOST_PARAMETERS:
        return [[]]
    found = [values_of([each], fallback, functions) for each in needed]
    if given.vararg:
        found.append(more_of(function, functions))
    return found if all(found) else [[]]


def call_of(function: str, choices: Sequence[Sequence[str]], chance: random.Random) -> str:
    """`function(1, 2)`, each argument one of its choices."""
    given = filter(None, (chance.choice(some) for some in choices))
    return f"{function}({', '.join(given)})"


def given_by(function: Function) -> ast.FunctionDef | None:
    """The function that it gives, one of its own; None where it gives something else."""
    own = {each.name: each for each in function.body if isinstance(each, ast.FunctionDef)}
    for node in function.body:
        match node:
            case ast.Return(ast.Name(name)) if name in own:
                return own[name]
            case ast.Return(ast.Lambda(args, body)):
                return ast.FunctionDef("given", args, [ast.Return(body)], [])
    return None
