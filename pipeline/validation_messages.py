"""Validate a caller's object, with one sentence for what is wrong with it. Pure."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pipeline.errors import BadRequest

Asked = TypeVar("Asked", bound=BaseModel)

_SHOWN = 100  # characters of a caller's word; to compare megabytes takes half a second
_WANTED = {
    "string_type": "must be a string",
    "tuple_type": "must be a list of strings",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "missing": "is missing",
    "extra_forbidden": "is unknown",
    "bool_type": "must be true or false",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "finite_number": "must be a number",
    "string_unicode": "is not valid Unicode text",
    "string_too_short": "is empty",
    "too_short": "is empty",
}


def read_as(
    kind: type[Asked], value: Mapping[str, Any], choices: Mapping[str, Sequence[str]] | None = None
) -> Asked:
    """A caller's JSON object, read strictly; `choices` are the words that some fields take. Raises
    BadRequest, naming the field and what is wrong with it."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        raise BadRequest(explain(found, tuple(kind.model_fields), choices or {})) from None


def explain(error: Any, fields: Sequence[str], choices: Mapping[str, Sequence[str]]) -> str:
    """`error` is an item of `ValidationError.errors()`, `fields` are all that there are, `choices`
    the words that some of them take. What the fields say together is a sentence already."""
    said: str = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return said
    name, kind = str(error["loc"][0]), error["type"]
    if kind == "extra_forbidden" and len(error["loc"]) == 1:
        name = name[:_SHOWN]
        return f"Unknown field {name!r}. {nearest(name, fields)}Fields: {', '.join(fields)}."
    if name in choices:
        wrong, near = _not_chosen(error, choices[name])
        return f'The field "{name}" {wrong}. {near}{name} is one of: {", ".join(choices[name])}.'
    where = "".join(_place(step) for step in error["loc"][1:])
    return f'The field "{name}"{where} {_wrong(kind, error.get("ctx", {})) or said}.'


def _not_chosen(error: Any, known: Sequence[str]) -> tuple[str, str]:
    """What is wrong with a word that should be one of those known, and the nearest one."""
    if error["type"] == "missing":
        return _WANTED["missing"], ""
    if not isinstance(error["input"], str):
        return _WANTED["string_type"], ""
    given = error["input"][:_SHOWN]
    return f"cannot be {given!r}", nearest(given, known)


def _place(step: int | str) -> str:
    return f" (item {step})" if isinstance(step, int) else f' "{step[:_SHOWN]}"'


def _wrong(kind: str, limits: Mapping[str, Any]) -> str:
    if kind == "string_too_long":
        return f"is longer than {limits['max_length']:,} characters"
    if kind == "too_long":
        return f"has more than {limits['max_length']} items"
    if kind in ("greater_than_equal", "less_than_equal"):
        bound, word = (limits["ge"], "less") if "ge" in limits else (limits["le"], "more")
        return f"must not be {word} than {bound:g}"
    return _WANTED.get(kind, "")


def nearest(word: str, known: Sequence[str]) -> str:
    """`Did you mean 'x'? `, or ""."""
    near = difflib.get_close_matches(word[:_SHOWN].lower(), known, n=1)
    return f"Did you mean {near[0]!r}? " if near else ""
