"""What objects are asked by the operators that their class defines: `it + Vec2(1, 2)`, `it == …`,
`3 in it`. Pure."""

import ast
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pipeline.analysis.python_syntax import parse_expression
from pipeline.analysis.undefined_names import names_of, words_in

_COMPARING = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_COMBINING = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "matmul": "@"}
_SCALING = {"mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}
_MAKING = {
    **{name: f"it {sign} {{}}" for name, sign in (_COMBINING | _SCALING).items()},
    "rmul": "{} * it",
    "neg": "-it",
    "abs": "abs(it)",
}
_ASKING = {"contains": "{} in it", "getitem": "it[{}]", "call": "it({})", "bool": "bool(it)"}
_SOURCES = {
    **{f"__{name}__": f"it {sign} {{}}" for name, sign in _COMPARING.items()},
    **{f"__{name}__": source for name, source in (_MAKING | _ASKING).items()},
}
_TEXTS = {"__repr__": "repr(it)", "__str__": "str(it)"}
_BY_DECORATOR = {"__repr__", *(f"__{name}__" for name in _COMPARING)}  # of data classes
_PLAIN, _PLAIN_NUMBERS = {"int", "float", "str"}, {"int", "float"}  # no object of a class
_NUMBERS = ["2", "3", "-1", "0.5", "10"]
# Where a request says nothing of it, each draft writes its objects as it likes.
_SPEAKS_OF_TEXT = re.compile(
    r"__(?:str|repr)__|\b(?:repr|str|prints?|printed|printable|display\w{0,3}|shown?"
    r"|represent\w{0,8})\b",
    re.IGNORECASE,
)
# By what it keeps, whatever that is called; a number keeps nothing.
MADE = "made = {}\n[*getattr(made, '__dict__', dict()).values()] or made"
_MOST_READ = 20_000  # characters of a request


class Operator(NamedTuple):
    """An expression with the object `it`, and what may stand between its braces: one of these
    operands, or another object of the class."""

    source: str
    operands: Sequence[str] = ()
    takes_own: bool = False

    def written(self, name: str, first: str, new: Sequence[str], chance: random.Random) -> str:
        """With an operand; `first` is what `it` was made of, `new` what objects may be made of."""
        if self.takes_own and not (self.operands and chance.random() < 0.5):
            other = _mixed(first, chance.choice(new), chance)
            return self.source.format(f"{name}({other})")
        return self.source.format(chance.choice(self.operands)) if self.operands else self.source


def operators_of(
    found: ast.ClassDef,
    methods: Mapping[str, ast.FunctionDef],
    request: str,
    arguments: Callable[[ast.FunctionDef], list[str]],
) -> Iterator[Operator]:
    """Those that the class defines, and comparisons that the request names where a decorator may
    define them. How objects are written is asked where the request speaks of it; what an operator
    makes is compared by that, else by its attributes. `arguments`: what a method may be given."""
    request = request[:_MOST_READ]
    has = set(methods) | (words_in(request) & _BY_DECORATOR if found.decorator_list else set())
    texts = {name for name in _TEXTS if name in has and _SPEAKS_OF_TEXT.search(request)}
    yield from (Operator(_TEXTS[name]) for name in sorted(texts))
    for name, source in _SOURCES.items():
        if name not in has:
            continue
        operands, takes_own = _operands(name, methods.get(name), arguments)
        if name.strip("_") in _MAKING:
            source = _compared(source, texts)
        if operands or takes_own or "{}" not in source:
            yield Operator(source, operands, takes_own)


def _operands(
    name: str,
    method: ast.FunctionDef | None,
    arguments: Callable[[ast.FunctionDef], list[str]],
) -> tuple[list[str], bool]:
    """What it may be given, and whether an object of the class may be. Without an annotation that
    says it, what scales an object is tried with both."""
    if "{}" not in _SOURCES[name]:
        return [], False
    if method is None or not method.args.args[1:]:
        return [], True
    kind, short = method.args.args[-1].annotation, name.strip("_")
    said = names_of(kind) if kind else set[str]()
    if short not in _COMPARING | _COMBINING | _SCALING or (said and said <= _PLAIN):
        return arguments(method), False
    by_number = short in _SCALING and (not said or said & _PLAIN_NUMBERS)
    return _NUMBERS if by_number else [], True


def _compared(source: str, texts: set[str]) -> str:
    """An object that leaves the sandbox is written by its `__repr__`."""
    if "__repr__" in texts:
        return source
    return f"str({source})" if texts else MADE.format(source)


def _mixed(one: str, other: str, chance: random.Random) -> str:
    """Some of the one's arguments, and the other's: objects are equal often enough, and some differ
    in what is compared last."""
    both = zip(*(_given(each) for each in (one, other)), strict=False)
    return ", ".join(chance.choice(pair) for pair in both)


def _given(arguments: str) -> list[str]:
    call = parse_expression(f"f({arguments})")
    return [ast.unparse(each) for each in call.args] if isinstance(call, ast.Call) else []
