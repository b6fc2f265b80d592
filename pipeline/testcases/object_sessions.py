"""Sessions to try a class with where the request does not say what its objects answer: one is made,
some of its methods are called, and then it is asked something. Pure.

As calls of a function (`sample_calls.py`): programs that do what was asked answer alike.
"""

import ast
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from pipeline.analysis.python_syntax import top_level
from pipeline.analysis.undefined_names import names_of, words_in
from pipeline.sandbox.testcase import Case
from pipeline.testcases.entry_point import defined
from pipeline.testcases.file_sessions import is_path
from pipeline.testcases.object_operators import MADE, Operator, operators_of
from pipeline.testcases.sample_files import works_on_files
from pipeline.testcases.session_arguments import VALUES, as_cases, functions_for, more_of, values_of

FALLBACKS = ("int", "str", "list[int]")  # kinds of arguments that no name and no word tells
_CLASS = re.compile(r"\b[Cc]lass[ \t]{1,5}(?:(?:called|named)[ \t]{1,5})?[`'\"*]{0,3}([A-Z]\w*)")
_BETWEEN_WORDS = re.compile(r"[^a-z\d]+")
_MOST_READ = 20_000  # characters of a request
_MOST_STEPS, _MOST_WITH_KEYS = 5, 12
_KEYS = 3
_PATHS = ["'kept.json'", "'kept.txt'"]
# So small that a few calls fill what has room for so much.
_ROOM = {
    name: ["2", "1", "3", "0"] for name in ("capacity", "maxsize", "max_size", "maxlen", "limit")
}
_ITEMS = 50  # of what can be iterated over
_CHANGING = ("__setitem__", "__delitem__")  # done where there is nothing else to do
_TRIED = "tried(lambda: {})"
_TRYING = """\
def tried(call):
    try:
        return call()
    except (AttributeError, NameError, RecursionError, TypeError):
        raise
    except Exception as error:
        return type(error).__name__"""

Question = tuple[str, str] | Operator


def class_asked_for(request: str, program: str, function: str) -> str:
    """The class of the program's that the request names, in whatever words ("binary search tree"),
    or the only one that the program defines; "" for none, and where the program defines the
    function that the tests would call."""
    functions = defined(program)
    classes = [node.name for node in top_level(program) if isinstance(node, ast.ClassDef)]
    if function in functions:
        return ""
    request = request[:_MOST_READ]
    named: list[str] = [name for name in _CLASS.findall(request) if name in classes]
    if named or functions:
        return next(iter(named), "")
    said = _BETWEEN_WORDS.sub("", request.lower())
    spoken = [name for name in classes if name.lower() in said]
    return max(spoken, key=len, default=classes[0] if len(classes) == 1 else "")


def sessions_of_class(
    program: str,
    name: str,
    request: str,
    n: int,
    fallback: str = FALLBACKS[0],
    *,
    may_raise: bool = False,
) -> tuple[Case, ...]:
    """At most `n` sessions with objects of this class, whose last line asks them something; ()
    where they have nothing to answer, or take what no value can be made for. Methods that the
    request names are called, all of them where it names none. `may_raise`: a session goes on where
    a method raises, but for what is a mistake of its own. The same for the same program."""
    classes = (each for each in top_level(program) if isinstance(each, ast.ClassDef))
    found = next((each for each in classes if each.name == name), None)
    if found is None:
        return ()
    methods = {f.name: f for f in found.body if isinstance(f, ast.FunctionDef)}
    words = words_in(request)
    public = {n: f for n, f in methods.items() if not (n.startswith("_") or f.decorator_list)}
    public = {n: f for n, f in public.items() if n in words} or public
    on_files = works_on_files(program)
    new = _makings(found, fallback, on_files=on_files)
    known = _keys([f for n, f in methods.items() if n != "__init__"], fallback)
    known["other"] = [f"{name}({each})" for each in new[:VALUES]]
    arguments = partial(_arguments, fallback=fallback, known=known)
    values = {n: arguments(each) for n, each in public.items()}
    operators = operators_of(found, methods, request, arguments)
    asked: list[Question] = [*_questions(found, methods, public, words), *operators]
    if not (asked and new and all(values.values())):
        return ()
    changing = {n: some for n in _CHANGING if n in methods and (some := arguments(methods[n]))}
    steps = _MOST_WITH_KEYS if len(known) > 1 else _MOST_STEPS
    cases = _cases(name, new, values or changing, asked, n, steps, may_raise=may_raise)
    return tuple(replace(each, files=()) for each in cases) if on_files else cases


def _makings(made: ast.ClassDef, fallback: str, *, on_files: bool) -> list[str]:
    """What its objects may be made of: as `__init__` takes it, or a data class's fields are.
    `on_files`: a path is that of a file that is not there yet."""
    methods = (each for each in made.body if isinstance(each, ast.FunctionDef))
    if init := next((each for each in methods if each.name == "__init__"), None):
        paths = {each.arg: _PATHS for each in init.args.args if on_files and is_path(each.arg)}
        return _arguments(init, fallback, {**_ROOM, **paths})
    if not any("dataclass" in names_of(each) for each in made.decorator_list):
        return [""]
    kinds = [
        ast.arg(each.target.id, each.annotation)
        for each in made.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and not each.value
    ]
    return values_of(kinds, fallback)


def _keys(methods: Sequence[ast.FunctionDef], fallback: str) -> dict[str, list[str]]:
    """A few values for each parameter that one method takes alone and another beside others: what
    `put(key, value)` puts in, `get(key)` finds."""
    needed = [_needed(each) for each in methods]
    beside = {each.arg for some in needed if len(some) > 1 for each in some}
    keys = (some[0] for some in needed if len(some) == 1 and some[0].arg in beside)
    return {each.arg: values_of([each], fallback)[:_KEYS] for each in keys}


def _needed(method: ast.FunctionDef) -> list[ast.arg]:
    given = method.args
    return [*given.posonlyargs, *given.args][: -len(given.defaults) or None][1:]


def _arguments(method: ast.FunctionDef, fallback: str, known: Mapping[str, list[str]]) -> list[str]:
    """What it may be called with, as it stands between the parentheses; [] where no value can be
    made. `known`: what a parameter may be, by its name."""
    needed = _needed(method)
    if len(needed) == 1 and (values := known.get(needed[0].arg)):
        return values
    known = {**functions_for(method, named=True), **known}
    rows, more = values_of(needed, fallback, known), more_of(method, known)
    return [", ".join(filter(None, both)) for both in product(rows, more)] if more else rows


def _questions(
    found: ast.ClassDef,
    methods: Mapping[str, ast.FunctionDef],
    public: Mapping[str, ast.FunctionDef],
    words: set[str],
) -> Iterator[tuple[str, str]]:
    """What an object can be asked, with the name of the method whose arguments belong between the
    braces: methods that return something, properties and attributes that the request names, its
    length, and what comes of iterating over it."""
    for name, method in public.items():
        if any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(method)):
            source = f"it.{name}({{}})"
            yield MADE.format(source) if _gives_unwritten(found, method) else source, name
    own = {
        node.attr
        for node in ast.walk(found)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    own |= {name for name, method in methods.items() if method.decorator_list}
    made = methods.get("__init__")
    given = {each.arg for each in made.args.args} if made else set[str]()  # kept as they came
    yield from ((f"it.{name}", "") for name in sorted(own & words - given))
    if "__len__" in methods:
        yield "len(it)", ""
    if "__iter__" in methods:
        yield f"[each for each, _ in zip(it, range({_ITEMS}))]", ""


def _gives_unwritten(found: ast.ClassDef, method: ast.FunctionDef) -> bool:
    """Whether it makes objects of its class, which nothing writes out: all would be the same."""
    writes = any(isinstance(f, ast.FunctionDef) and f.name == "__repr__" for f in found.body)
    return not (writes or found.decorator_list or found.bases) and any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == found.name
        for n in ast.walk(method)
    )


def _cases(
    name: str,
    new: list[str],
    values: Mapping[str, list[str]],
    asked: Sequence[Question],
    n: int,
    most: int,
    *,
    may_raise: bool,
) -> tuple[Case, ...]:
    chance = random.Random(f"{name} {sorted(values)}")
    least = 0 if values.keys() <= {*_CHANGING} else 1  # they hardly have what is changed

    def session() -> str:
        first = chance.choice(new)
        lines = [f"it = {name}({first})"]
        for _ in range(chance.randint(least, most) if values else 0):
            method = chance.choice(sorted(values))
            called = f"it.{method}({chance.choice(values[method])})"
            lines.append(_TRIED.format(called) if may_raise else called)
        question = chance.choice(asked)
        if isinstance(question, Operator):
            asks = question.written(name, first, new, chance)
        else:
            source, method = question
            asks = source.format(chance.choice(values[method])) if method else source
        is_one = "\n" not in asks  # what is made is a line of its own
        lines.append(_TRIED.format(asks) if may_raise and is_one else asks)
        return "\n".join(lines)

    return as_cases((session() for _ in range(2 * n)), n, _TRYING if may_raise else "")
