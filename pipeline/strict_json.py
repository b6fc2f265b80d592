"""A model's text → the one JSON object that it has to be. Pure and strict: nothing is repaired.

Tolerated around it: blanks, a BOM, a closed `<think>` block, one enclosing code fence.
"""

import json
import re
from typing import Any, TypeVar

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.errors import Unreadable

T = TypeVar("T")

_ONE_FENCE = re.compile(r"(`{3,}|~{3,})(?![`~])[^\n`]*\n(.*)\1", re.DOTALL)


def read_object(text: str) -> dict[str, Any]:
    """Raises Unreadable for anything but one object without duplicate keys."""
    body = _unwrap(text)
    if not body:
        raise Unreadable("the answer is empty")
    if not (body.startswith("{") and body.endswith("}")):
        raise Unreadable("the answer is not one JSON object")
    try:
        value: dict[str, Any] = json.loads(
            body, object_pairs_hook=_no_duplicates, parse_constant=_no_constant
        )
    except (ValueError, RecursionError):
        raise Unreadable("the answer is not valid JSON") from None
    return value


def text_of(value: dict[str, Any], key: str) -> str:
    """A string of the object. Raises Unreadable."""
    return _of_kind(str, "string", value, key)


def list_of(value: dict[str, Any], key: str) -> list[Any]:
    """A list of the object. Raises Unreadable."""
    return _of_kind(list, "list", value, key)


def _of_kind(kind: type[T], name: str, value: dict[str, Any], key: str) -> T:
    found = value.get(key)
    if not isinstance(found, kind):
        raise Unreadable(f"{key} is not a {name}" if key in value else f"{key} is missing")
    return found


def _unwrap(text: str) -> str:
    body = drop_thinking(text).strip().lstrip("\ufeff").strip()
    fenced = _ONE_FENCE.fullmatch(body)
    return fenced[2].strip() if fenced else body


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Unreadable("a key stands twice")
    return value


def _no_constant(name: str) -> Any:
    raise Unreadable(f"{name} is not a number")
