"""Which of a program's functions is the one under test. Pure."""

import ast
import re
from functools import lru_cache

from pipeline.analysis.python_syntax import Function, parse, top_level

Takes = tuple[int, int | None]
"""How many values a call gives at least, and at most; None where there is no most."""

DEFAULT_FUNCTION = "run_code"  # where the request names none
# Of JavaScript and Bash, at the beginning of a line.
_FUNCTIONS = re.compile(
    r"^(?:export\s+(?:default\s+)?)?(?:(?:async\s+)?function\*?\s+([A-Za-z_$][\w$]*)"
    r"|(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]{0,200})?=\s*(?:async\s*)?(?:function\b"
    r"|(?:<[^()\n]{0,200}>\s*)?\([^()\n]*\)(?:\s*:[^=\n]{0,200})?\s*=>|\w+\s*=>)"
    r"|([A-Za-z_]\w*)\s*\(\)\s*\{)",
    re.MULTILINE,
)

_MOST = 20  # functions of which it is looked up what they use
_BESIDE = re.compile(r"main|usage|(?:run_?)?(?:tests?|demo|examples?)(?:_\w*)?")


@lru_cache(maxsize=8)  # every test of a program asks
def entry_of(code: str, named: str, language: str = "python") -> str:
    """The name that the tests call: the one that the request names, whatever the code defines;
    else `run_code` if it is there, else the last of those that may be meant."""
    if named:
        return named
    names = defined(code) if language == "python" else _script_functions(code)
    if DEFAULT_FUNCTION in names or not names:
        return DEFAULT_FUNCTION
    return (entries_of(code) if language == "python" else _without_beside(names))[-1]


def entries_of(code: str) -> list[str]:
    """Python's public functions that may be meant, in order: those that take something, are not
    there to show or test the others, and that no other one uses."""
    by_name = _named(code)
    functions = {name: by_name.get(name) for name in defined(code)}
    taking = [name for name, function in functions.items() if _takes_something(function)]
    names = _without_beside(taking or [*functions])
    if not 1 < len(names) <= _MOST:
        return names
    used = {name: _names_in(functions[name]) - {name} for name in names}
    return [name for name in names if not any(name in each for each in used.values())] or names


def _without_beside(names: list[str]) -> list[str]:
    return [name for name in names if not _BESIDE.fullmatch(name)] or names


def _names_in(function: Function | None) -> set[str]:
    """What a function uses that is not its own: neither its variables nor methods of values."""
    nodes = [*ast.walk(function)] if function else []
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.name for node in nodes if isinstance(node, Function)}
    methods = {each.attr for each in nodes if isinstance(each, ast.Attribute) and _is_self(each)}
    return methods | {node.id for node in names} - own


def _is_self(attribute: ast.Attribute) -> bool:
    return isinstance(attribute.value, ast.Name) and attribute.value.id in ("self", "cls")


def takes_something(code: str, name: str) -> bool:
    """Whether a function of Python can be given arguments, as far as that is known."""
    return _takes_something(function_of(code, name))


def _takes_something(function: Function | None) -> bool:
    return function is None or any(p.arg not in ("self", "cls") for p in _parameters(function))


def _parameters(function: Function) -> list[ast.arg]:
    of = function.args
    return [*of.posonlyargs, *of.args, *of.kwonlyargs, *filter(None, (of.vararg, of.kwarg))]


def defined(code: str) -> list[str]:
    """The public functions that a program defines at its top level, in order, else the methods of
    its class `Solution`; [] where it does not parse."""
    body = top_level(code)
    solutions = (n.body for n in body if isinstance(n, ast.ClassDef) and n.name == "Solution")
    return _functions(body) or _functions(next(solutions, []))


def function_of(program: str, name: str) -> Function | None:
    """The first of that name, wherever it is defined; None where the program does not parse."""
    return _named(program).get(name)


def _named(program: str) -> dict[str, Function]:
    """All of a program's functions; of those with one name the first."""
    tree = parse(program)
    found: dict[str, Function] = {}
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, Function):
            found.setdefault(node.name, node)
    return found


def taken_by(function: Function) -> Takes:
    """How many values a call of it gives."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args)]
    bound = bool(names) and names[0] in ("self", "cls")
    most = len(names) - bound
    is_open = given.vararg or given.kwarg or given.kwonlyargs
    return max(0, most - len(given.defaults)), None if is_open else most


def gives_value(function: Function) -> bool:
    """Whether it returns one."""
    return any(isinstance(each, ast.Return) and each.value for each in ast.walk(function))


def needed_parameters(function: Function) -> list[ast.arg]:
    """Those that a call has to give; all where it need give none."""
    given = function.args
    needed = given.args[: len(given.args) - len(given.defaults) or None]
    return [each for each in needed if each.arg not in ("self", "cls")]


def _script_functions(code: str) -> list[str]:
    return [next(filter(None, names)) for names in _FUNCTIONS.findall(code)]


def _functions(body: list[ast.stmt]) -> list[str]:
    functions = [node for node in body if isinstance(node, Function)]
    return [node.name for node in functions if not node.name.startswith("_")]
