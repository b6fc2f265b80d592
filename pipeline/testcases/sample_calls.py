"""Calls to try a function with where the request does not say what they return: their arguments are
made from its annotations, or written by a model. Pure.

Programs that do what was asked agree on such calls, wrong ones seldom agree with each other
(CodeT, arXiv 2207.10397; MBR-exec, 2204.11454)."""

import ast
import random
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice, product
from typing import Any

from pipeline.analysis.python_syntax import parse_expression
from pipeline.sandbox.testcase import ANY_VALUE, Arguments, Case
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.literals import calls_of, matching, read_arguments
from pipeline.testcases.seed_constants import Seeds

_TRIES = 4  # for each call that is wanted; small types soon repeat themselves
_DEPTH = 3  # lists of lists of lists
_MOST_PARAMETERS = 12
_MOST_READ = 1000  # calls in an answer
_MOST_KINDS = 20  # in one pair of brackets: `tuple[int, …]` with thousands took seconds
_NUMBERS = (0, 1, 2, 3, 4, 5, 7, 10, 12, 15, 20, 33, 100, -1, -5)
_FLOATS = (0.0, 1.0, 2.5, -1.5, 3.14, 10.0, 0.1, 100.25)
_TEXTS = (
    *("", "a", "abc", "Hello World", "racecar", "aab bcc", "12 5", "x1y2"),
    *("(()())", "AbC dEf", "one two three", "zzz", "a,b;c", "2024-02-29"),
)
_LETTERS = "abcdeABC 123"
_AGAIN = 0.25  # of a list's values
_SEEDED = 0.4  # of the values for which there are seeds
_OF_FORM = 0.5  # of the texts where forms are known, and of these as they are
_ONE_NUMBER = (["int"], ["float"])
_LARGE = 4  # one call in so many, where large numbers are known
UNSEEDED = Seeds()


class _Unknown(ValueError):
    """No value can be made for an annotation."""


def calls_by_annotation(
    programs: Iterable[str], function: str, n: int, seeds: Seeds = UNSEEDED
) -> tuple[Case, ...]:
    """At most `n` calls with arguments of the types that the first of the programs names which
    annotates all of the function's parameters; () where none does, or with types of its own. The
    same for the same annotations and seeds."""
    for program in programs:
        annotations = _annotations(program, function)
        if annotations:
            return calls_of_kinds(annotations, n, seeds)
    return ()


def calls_of_kinds(kinds: Sequence[ast.expr], n: int, seeds: Seeds = UNSEEDED) -> tuple[Case, ...]:
    """At most `n` calls with arguments of the types that these annotations name, some made of
    `seeds`; () where no value can be made for one. The same for the same annotations and seeds."""
    try:
        return _cases(_arguments(kinds, n, seeds))
    except (ValueError, TypeError, RecursionError):  # TypeError: a list as a dict's key
        return ()


def calls_of_values(
    values: Sequence[Any], mixed: Sequence[Any], parameters: int, n: int
) -> tuple[Case, ...]:
    """At most `n` calls: the same of these values for all parameters, then `mixed` ones."""
    alike = [(value,) * parameters for value in values]
    others = (each for each in product(mixed, repeat=parameters) if each not in alike)
    return _cases(map(Arguments, islice(chain(alike, others), n)))


def read_calls(text: str, function: str) -> tuple[Case, ...]:
    """The calls in a model's answer, in any surroundings; those whose arguments are no literals are
    left out."""
    found: dict[str, Arguments] = {}
    for name in islice(calls_of(function, text), _MOST_READ):
        end = matching(text, name.end() - 1)
        if end is None:
            continue
        try:
            arguments = read_arguments(text[name.end() : end - 1])
        except ValueError:
            continue
        found.setdefault(str(arguments), arguments)
    return _cases(found.values())


def _cases(all_arguments: Iterable[Arguments]) -> tuple[Case, ...]:
    return tuple(
        Case(arguments, ANY_VALUE, name=f"call {n}") for n, arguments in enumerate(all_arguments, 1)
    )


def _annotations(program: str, function: str) -> list[ast.expr]:
    """Of the parameters that a call has to give, in order; [] where one has none."""
    found = function_of(program, function)
    if found is None or found.args.posonlyargs:
        return []
    kinds = [each.annotation for each in needed_parameters(found)]
    if len(kinds) > _MOST_PARAMETERS or None in kinds:
        return []
    return [kind for kind in kinds if kind]


def _arguments(annotations: Sequence[ast.expr], n: int, seeds: Seeds) -> list[Arguments]:
    """Those with large numbers last: what is killed there has answered the others. Raises
    ValueError, and TypeError for keys that cannot be."""
    large = _large(seeds) if [ast.unparse(each) for each in annotations] in _ONE_NUMBER else []
    large = large[: n // _LARGE]
    values = _Values("; ".join(map(ast.unparse, annotations)), seeds)
    found: dict[str, Arguments] = {}
    for _ in range(n * _TRIES):
        values.begin_call()
        arguments = Arguments(tuple(values.of(each) for each in annotations))
        found.setdefault(str(arguments), arguments)
        if len(found) == n - len(large):
            break
    return [*found.values(), *large]


def _large(seeds: Seeds) -> list[Arguments]:
    """Each as it is, its neighbours, and what is half of it more."""
    ways: tuple[Callable[[int], int], ...] = (
        lambda n: n,
        lambda n: n * 3 // 2 + 1,
        lambda n: n - 1,
        lambda n: n + 1,
    )
    return [
        Arguments((number,)) for number in dict.fromkeys(w(n) for w in ways for n in seeds.large)
    ]


class _Values(random.Random):
    """Values of annotated types, small and with the usual edges; some of them made of seeds, and
    in half of the calls all texts of these and all lists of one size, as pairs of them mostly have
    to be."""

    def __init__(self, seed: str, seeds: Seeds) -> None:
        super().__init__(seed)
        self._seeds = seeds
        self._size: int | None = None

    def begin_call(self) -> None:
        self._size = self.randint(0, 6) if self.random() < 0.5 else None

    def of(self, annotation: ast.expr, depth: int = 0) -> Any:
        """Raises _Unknown."""
        match annotation:
            case ast.Constant(None):
                return None
            case ast.Constant(str(quoted)):
                return self.of(parse_expression(quoted), depth + 1)
            case ast.Name(name) | ast.Attribute(attr=name):
                return self._plain(name, depth)
            case ast.Subscript(ast.Name(name) | ast.Attribute(attr=name), inner):
                kinds = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                return self._generic(name.lower(), kinds, depth)
            case ast.BinOp(left, ast.BitOr(), right):
                return self.of(self.choice((left, right)), depth)
        raise _Unknown

    def _plain(self, name: str, depth: int) -> Any:
        makers: dict[str, Callable[[], Any]] = {
            "int": self._whole_number,
            "float": self._number,
            "bool": lambda: self.random() < 0.5,
            "str": self._text,
            "Any": lambda: self.choice((0, 1, "a", "b", None, 2.5)),
        }
        if name in makers:
            return makers[name]()
        return self._generic(name.lower(), [], depth)

    def _whole_number(self) -> int:
        """A seed's neighbours tell < from <=."""
        seeds = [each for each in self._seeds.numbers if isinstance(each, int)]
        if seeds and self.random() < _SEEDED:
            return self.choice(seeds) + self.choice((-1, 0, 1))
        return self.choice(_NUMBERS)

    def _number(self) -> float:
        if self._seeds.numbers and self.random() < _SEEDED:
            return float(self.choice(self._seeds.numbers))
        return self.choice(_FLOATS)

    def _text(self) -> str:
        if self._seeds.forms and self.random() < _OF_FORM:
            return self._form()
        if self._seeds.texts and self.random() < _SEEDED:
            pieces = self.randint(0, 6) if self._size is None else self._size
            return "".join(self.choice(self._seeds.texts) for _ in range(pieces))
        if self.random() < 0.6:
            return self.choice(_TEXTS)
        return "".join(self.choice(_LETTERS) for _ in range(self.randint(1, 8)))

    def _form(self) -> str:
        """Sometimes with one character less, or another one: it is hardly of the form then."""
        form: str = self.choice(self._seeds.forms)
        if self.random() < _OF_FORM:
            return form
        at, other = self.randrange(len(form)), str(self.choice(["", *form]))
        return form[:at] + other + form[at + 1 :]

    def _list(self, kind: ast.expr, size: int, depth: int) -> list[Any]:
        """Some values come several times: what counts or drops duplicates shows it there alone."""
        made: list[Any] = []
        for _ in range(size):
            again = made and self.random() < _AGAIN
            made.append(self.choice(made) if again else self.of(kind, depth + 1))
        return made

    def _one_of(self, kinds: list[ast.expr]) -> Any:
        """Of the values that a literal type names."""
        values = [kind.value for kind in kinds if isinstance(kind, ast.Constant)]
        if not values:
            raise _Unknown
        return self.choice(values)

    def _generic(self, name: str, kinds: list[ast.expr], depth: int) -> Any:
        if name == "literal":
            return self._one_of(kinds)
        if depth >= _DEPTH:
            raise _Unknown
        first = kinds[0] if kinds else ast.Name("int")
        if len(kinds) > _MOST_KINDS:
            raise _Unknown
        size = self.randint(0, 3 if depth else 6)
        if self._size is not None and not depth:
            size = self._size
        if name in ("list", "sequence", "iterable", "collection"):
            return self._list(first, size, depth)
        if name in ("dict", "mapping"):
            key, value = kinds if len(kinds) == 2 else (ast.Name("str"), ast.Name("int"))
            return {self.of(key, depth + 1): self.of(value, depth + 1) for _ in range(size)}
        if name in ("set", "frozenset"):
            return {self.of(first, depth + 1) for _ in range(size)}
        if name == "tuple" and len(kinds) == 2 and ast.unparse(kinds[1]) == "...":
            return tuple(self.of(first, depth + 1) for _ in range(size))
        if name == "tuple":
            return tuple(self.of(kind, depth + 1) for kind in kinds or [first] * size)
        if name == "optional":
            return None if self.random() < 0.15 else self.of(first, depth)
        if name == "union" and kinds:
            return self.of(self.choice(kinds), depth)
        raise _Unknown
