"""Sessions with objects: one is made, or two, and their methods are called. Written as Python would
write them, since any language's driver can be made of that. Pure."""

import ast
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

from pipeline.analysis.python_syntax import top_level

_OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "%": "mod", "[]": "getitem"}
_OPERATORS |= {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


@dataclass(frozen=True, slots=True)
class Named:
    """An object of the session, as another one's method takes it."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ObjectCall:
    """Of a method of the object `on`. `then`: what is called on the object that it gives."""

    on: str
    method: str
    arguments: tuple[Any, ...] = ()
    then: "ObjectCall | None" = None
    is_asked: bool = False

    def __str__(self) -> str:
        return f"print({self._text})" if self.is_asked else self._text

    @property
    def _text(self) -> str:
        called = f"{self.on}.{written_name(self.method)}({_joined(self.arguments)})"
        return f"{called}.{self.then._text.partition('.')[2]}" if self.then else called


@dataclass(frozen=True, slots=True)
class ObjectSession:
    """`kind`: the type's name. `made`: what each object is made of, by its name. Of the calls that
    are asked something, what they give counts."""

    kind: str
    made: dict[str, tuple[Any, ...]]
    calls: tuple[ObjectCall, ...]

    def __str__(self) -> str:
        made = (f"{name} = {self.kind}({_joined(given)})" for name, given in self.made.items())
        return "\n".join([*made, *map(str, self.calls)])


def written_name(method: str) -> str:
    """Python's own words are no names of methods, and operators of C++ are none either."""
    if operator := _OPERATORS.get(method.removeprefix("operator")):
        return f"operator_{operator}"
    return f"{method}_" if iskeyword(method) else method


def _joined(values: tuple[Any, ...]) -> str:
    return ", ".join(map(repr, values))


def read_session(text: str) -> ObjectSession:
    """What `str` of one has written. Raises ValueError for anything else."""
    made, kind, calls = {}, "", []
    for line in top_level(text):
        match line:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(kind), given)):
                made[name] = tuple(map(_value, given))
            case ast.Expr(ast.Call(ast.Name("print"), [call])):
                calls.append(_call(call, None, is_asked=True))
            case ast.Expr(call):
                calls.append(_call(call, None, is_asked=False))
    if not made:
        raise ValueError("no session with an object")
    return ObjectSession(kind, made, tuple(calls))


def _call(call: ast.expr, then: ObjectCall | None, *, is_asked: bool) -> ObjectCall:
    match call:
        case ast.Call(ast.Attribute(ast.Name(on), method), given):
            return ObjectCall(on, method, tuple(map(_value, given)), then, is_asked)
        case ast.Call(ast.Attribute(on, method), given):
            last = ObjectCall("", method, tuple(map(_value, given)), then, is_asked)
            return _call(on, last, is_asked=is_asked)
    raise ValueError("no call of a method")


def _value(value: ast.expr) -> Any:
    return Named(value.id) if isinstance(value, ast.Name) else ast.literal_eval(value)
