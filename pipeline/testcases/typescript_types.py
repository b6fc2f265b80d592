"""TypeScript's types, as a program writes them, and the plain values that they hold. Pure.

Objects are dictionaries of their fields, functions one of a few that take and give such types."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from pipeline.testcases.value_kinds import Kind

_PLAIN = {"number": "int", "string": "str", "boolean": "bool", "bigint": "int"}
_LISTS = ("Array", "ReadonlyArray", "Iterable")
_SETS, _MAPS = ("Set", "ReadonlySet"), ("Map", "ReadonlyMap")
_NOTHING = ("null", "undefined", "void")
_GENERIC = re.compile(r"([A-Za-z]\w*)\s*<(.*)>", re.DOTALL)
_KEYED = re.compile(r"\[\s*\w+\s*:\s*(\w+)\s*\]\s*:\s*(.+)", re.DOTALL)
_FIELD = re.compile(
    r"(?:readonly\s+)?([A-Za-z_$][\w$]*|'[^']+'|\"[^\"]+\")\s*(\?)?\s*:\s*(.+)", re.DOTALL
)
_FUNCTION = re.compile(r"\((.*)\)\s*=>\s*(.+)", re.DOTALL)
_TEXT = re.compile(r"'([^'\\]*)'|\"([^\"\\]*)\"")
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,6})?")
_OPENS, _CLOSES = "<([{", ">)]}"
_OF_UNIONS = ("int", "str", "bool", "object", "literal")
_MOST_CHOICES = 20
# What is given for a function, by what it takes and gives.
_FUNCTIONS = {
    "int>bool": ("(x) => x > 2", "(x) => x % 2 === 0", "(x) => x < 10"),
    "int>int": ("(x) => x * 2", "(x) => x + 1", "(x) => -x"),
    "int>str": ("(x) => `n${x}`", '(x) => x % 2 ? "odd" : "even"'),
    "str>bool": ("(x) => x.length > 2", '(x) => x.includes("a")'),
    "str>int": ("(x) => x.length", '(x) => x.indexOf("a")'),
    "str>str": ("(x) => x.toUpperCase()", "(x) => x + x", "(x) => x.slice(0, 1)"),
    "int,int>int": ("(a, b) => a + b", "(a, b) => a * 2 - b", "(a, b) => a - b"),
    "int,int>bool": ("(a, b) => a === b", "(a, b) => a < b", "(a, b) => a % 3 === b % 3"),
    "str,str>int": ("(a, b) => a.length - b.length", "(a, b) => a < b ? -1 : a > b ? 1 : 0"),
    "str,str>str": ("(a, b) => a + b", "(a, b) => b + a"),
    "str,str>bool": ("(a, b) => a === b", "(a, b) => a.length === b.length"),
}


def kind_of_typescript(text: str, within: Callable[[str], Kind | None]) -> Kind | None:
    """None for types of which no value can be made: classes, dates, any. `within` reads the types
    that stand in it."""
    text = re.sub(r"^readonly\s+", "", text.strip().lstrip("|&").strip())
    if text in _PLAIN:
        return Kind(_PLAIN[text], text)
    if _is_enclosed(text):
        return within(text[1:-1])
    if function := _FUNCTION.fullmatch(text):
        return _function(function[1], function[2], within)
    parts = [*split_at(text, "|")]
    if len(parts) > 1:
        return _union(text, parts, within)
    if text.endswith("[]"):
        return _many("list", text, [text[:-2]], within)
    if text.startswith("[") and text.endswith("]"):
        return _many("tuple", text, [_unnamed(each) for each in split_at(text[1:-1], ",")], within)
    if text.startswith("{") and text.endswith("}"):
        return _object(text, within)
    return _literal(text, [text]) or _generic(text, within)


def _is_enclosed(text: str) -> bool:
    """Whether its first parenthesis is closed by its last character."""
    depths = accumulate((each == "(") - (each == ")") for each in text)
    return text.startswith("(") and next((n for n, d in enumerate(depths, 1) if not d), 0) == len(
        text
    )


def split_at(text: str, marks: str) -> Iterator[str]:
    """At those of the marks that stand in no brackets and in no quotes."""
    depth, start, quote = 0, 0, ""
    for at, each in enumerate(text):
        if quote:
            quote = "" if each == quote else quote
        elif each in "'\"":
            quote = each
        elif each in _OPENS or (each in _CLOSES and text[at - 1 : at + 1] != "=>"):
            depth += 1 if each in _OPENS else -1
        elif each in marks and not depth:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def _many(
    name: str, text: str, inner: list[str], within: Callable[[str], Kind | None]
) -> Kind | None:
    items = [within(each) for each in inner]
    known = tuple(each for each in items if each)
    return Kind(name, text, known) if known and len(known) == len(items) else None


def _unnamed(text: str) -> str:
    """Of a tuple's item that has a name: `[x: number, y: number]`."""
    return re.sub(r"^\w+\??\s*:\s*", "", text)


def _object(text: str, within: Callable[[str], Kind | None]) -> Kind | None:
    """Fields that need not be there are not."""
    members = [each for each in split_at(text[1:-1], ";,\n") if each]
    if len(members) == 1 and (keyed := _KEYED.fullmatch(members[0])):
        return _many("dict", "Record", [keyed[1], keyed[2]], within)
    found = [_FIELD.fullmatch(each) for each in members]
    fields = [each for each in found if each and not each[2]]
    if None in found or not fields:
        return None
    kind = _many("object", text, [each[3] for each in fields], within)
    names = tuple(each[1].strip("'\"") for each in fields)
    return Kind("object", text, kind.items, fields=names) if kind else None


def _union(text: str, parts: list[str], within: Callable[[str], Kind | None]) -> Kind | None:
    """Of literal types one of these; with null or undefined that, sometimes."""
    some = [each for each in parts if each not in _NOTHING]
    if len(some) < len(parts):
        inner = within(" | ".join(some)) if some else None
        nothing = "null" if "null" in parts else "undefined"
        return Kind("optional", nothing, (inner,)) if inner else None
    if literal := _literal(text, parts):
        return literal
    kind = _many("union", text, parts, within)
    return kind if kind and all(each.name in _OF_UNIONS for each in kind.items) else None


def _literal(text: str, parts: list[str]) -> Kind | None:
    values = [value for each in parts for value in _literal_value(each)]
    if not values or len(values) != len(parts) or len(values) > _MOST_CHOICES:
        return None
    return Kind("literal", text, choices=tuple(values))


def _literal_value(text: str) -> Iterator[Any]:
    if found := _TEXT.fullmatch(text):
        yield found[1] or found[2] or ""
    elif _NUMBER.fullmatch(text):
        yield json.loads(text)
    elif text in ("true", "false"):
        yield text == "true"


def _generic(text: str, within: Callable[[str], Kind | None]) -> Kind | None:
    found = _GENERIC.fullmatch(text)
    if found is None:
        return None
    name, inner = found[1], [*split_at(found[2], ",")]
    if name in _LISTS or name in _SETS:
        return _many("list" if name in _LISTS else "set", text, inner[:1], within)
    if name in _MAPS or (name == "Record" and len(inner) == 2):
        kind = _many("dict", "Record" if name == "Record" else "Map", inner, within)
        return kind if kind and len(kind.items) == 2 else None
    if name in ("Readonly", "Required", "NonNullable") and len(inner) == 1:
        return within(inner[0])
    return None


def _function(takes: str, gives: str, within: Callable[[str], Kind | None]) -> Kind | None:
    """One of a few, as its source; None where none has these types."""
    taken = [within(_unnamed(each)) for each in split_at(takes, ",")]
    is_test = gives == "boolean" or " is " in gives
    given = Kind("bool", "boolean") if is_test else within(gives)
    if given is None or None in taken:
        return None
    some = [each for each in taken if each]
    forms = [",".join(each.name for each in some[:n]) for n in {1, len(some)} if some]
    known = [each for form in forms for each in _FUNCTIONS.get(f"{form}>{given.name}", ())]
    known += _of_fields(some[0], given) if some else ()
    return Kind("function", "function", choices=tuple(known)) if known else None


def _of_fields(taken: Kind, given: Kind) -> tuple[str, ...]:
    """Those of an object, and what they say of it."""
    fields = dict(zip(taken.fields, taken.items, strict=True))
    found = [f"(x) => x.{name}" for name, kind in fields.items() if kind.name == given.name]
    if given.name == "bool":
        found += [f"(x) => x.{name} > 2" for name, kind in fields.items() if kind.name == "int"]
    return tuple(found)
