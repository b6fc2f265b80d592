"""What a type holds, as far as plain values and linked nodes go. Pure."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.signatures.signature import NodeType
from pipeline.testcases.linked_values import MOST_NODES

LONGEST = 200  # characters: a buffer of C has 256
INT32 = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Kind:
    """`name`: int, float, bool, char, str, list, set, dict, tuple, or nodes and tree: linked ones;
    of TypeScript also object (with `fields`), optional, union, literal and function (one of
    `choices`, these as their sources), and unknown, of which any value may be. `text`: the type as
    the language writes it where a value is made. `size`: of an array that has always so many.
    `most`: the largest number, of an unsigned one the least is 0."""

    name: str
    text: str
    items: tuple["Kind", ...] = ()
    size: int | None = None
    most: int = INT32
    is_signed: bool = True
    node: NodeType | None = None
    fields: tuple[str, ...] = ()
    choices: tuple[Any, ...] = ()

    @property
    def annotation(self) -> str:
        """As Python says it. A set is made of a list, so that its order is always the same, nodes
        are made of their values, objects of those of their fields."""
        inner = ", ".join(map(repr, self.choices) if self.choices else self._items())
        name = _ANNOTATIONS.get(self.name, self.name)
        return f"{name}[{inner}]" if inner else name

    def _items(self) -> Iterator[str]:
        return (each.annotation for each in self.items)

    def fit(self, value: Any) -> Any:
        """The value, or one that is like it, as this type can hold it. Raises TypeError and
        ValueError for values of other kinds."""
        if self.node:
            if len(value) > MOST_NODES:
                raise ValueError("too many nodes")
            return [each if each is None else self.items[0].fit(each) for each in value]
        if self.name == "unknown":
            return value
        if self.choices or self.name in ("optional", "union"):
            return self._fit_one(value)
        if self.name == "object":
            values = [value[each] for each in self.fields] if isinstance(value, dict) else value
            pairs = zip(self.fields, self.items, values, strict=True)
            return {name: kind.fit(each) for name, kind, each in pairs}
        if self.name in ("list", "set"):
            return self._fit_all([self.items[0].fit(each) for each in value])
        if self.name == "tuple":
            return tuple(kind.fit(each) for kind, each in zip(self.items, value, strict=True))
        if self.name == "dict":
            key, held = self.items
            return {key.fit(each): held.fit(of) for each, of in value.items()}
        return self._fit_plain(value)

    def _fit_one(self, value: Any) -> Any:
        if self.name == "optional":
            return None if value is None else self.items[0].fit(value)
        if self.name == "union":
            return self.one_of(value).fit(value)
        if value not in self.choices:
            raise ValueError("it is none of these")
        return value

    def one_of(self, value: Any) -> "Kind":
        """The one of a union that a value is of. Raises TypeError."""
        for kind in self.items:
            plain = kind.name in ("int", "str", "bool")
            if plain and type(value).__name__ != kind.name:
                continue
            with suppress(TypeError, ValueError, KeyError, AttributeError):
                kind.fit(value)
                return kind
        raise TypeError("it is of none of these types")

    def _fit_all(self, values: list[Any]) -> list[Any]:
        if self.name == "set":
            return list(dict.fromkeys(values))
        if self.size is None:
            return values
        more = values or [self.items[0].fit(_LEAST[self.items[0].name])]
        return (values + more * self.size)[: self.size]

    def _fit_plain(self, value: Any) -> Any:
        if self.name in ("str", "char"):
            plain = value.encode("ascii", "ignore").decode()[:LONGEST].replace("\0", "")
            return plain if self.name == "str" else (plain or " ")[0]
        if self.name == "int":
            number = value if self.is_signed else abs(value)
            return number if abs(number) <= self.most else number % (self.most + 1)
        return float(value) if self.name == "float" else bool(value)


def as_written(fitted: Any, value: Any) -> Any:
    """What a type holds of an example's value, with the texts as they stand there. Raises
    ValueError where it holds another value: what is said to come is said of this one."""
    match fitted:
        case str() if value.encode("ascii", "ignore").decode() == fitted:
            return value
        case list() | tuple() if len(fitted) == len(value):
            return type(fitted)(map(as_written, fitted, value))
        case dict() if isinstance(value, dict):
            return {name: as_written(each, value[name]) for name, each in fitted.items()}
        case _ if fitted == value or isinstance(fitted, dict):
            return fitted
    raise ValueError("it takes other values")


_ANNOTATIONS = {"char": "str", "set": "list", "nodes": "list", "tree": "list", "object": "tuple"}
_ANNOTATIONS |= {"function": "literal"}
_LEAST: dict[str, Any] = {"int": 0, "float": 0, "bool": False, "str": "", "char": " ", "list": []}
_LEAST |= {"set": [], "dict": {}}
