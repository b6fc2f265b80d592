"""A caller's JSON object → CodeRequest, or one sentence that says what is wrong with it. Pure."""

import difflib
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import ValidationError

from pipeline.codework.contract import CodeRequest, RequestType
from pipeline.errors import BadRequest

_FIELDS = tuple(CodeRequest.model_fields)
_TYPES: tuple[str, ...] = get_args(RequestType)
_WANTED = {
    "string_type": "must be a string",
    "tuple_type": "must be a list of strings",
    "bool_type": "must be true or false",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "finite_number": "must be a number",
    "string_unicode": "is not valid Unicode text",
    "string_too_short": "is empty",
    "too_short": "is empty",
}


def read_code_request(value: Mapping[str, Any]) -> CodeRequest:
    """Raises BadRequest, naming the field and what is wrong with it."""
    try:
        return CodeRequest.model_validate(value)
    except ValidationError as error:
        raise BadRequest(_explain(error.errors(include_url=False)[0])) from None


def _explain(error: Any) -> str:
    """One fault in a sentence. What the fields say together is a sentence already."""
    said = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return str(said)
    name, limits = str(error["loc"][0]), error.get("ctx", {})
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"Unknown field {name!r}. {_nearest(name, _FIELDS)}Fields: {', '.join(_FIELDS)}."
    if kind == "missing":
        return f'The field "{name}" is missing.'
    if name == "request_type":
        near = _nearest(str(error["input"]), _TYPES)
        return (
            f'The field "request_type" cannot be {str(error["input"])[:100]!r}. {near}'
            f"Types: {', '.join(_TYPES)}."
        )
    where = f" (item {error['loc'][1]})" if len(error["loc"]) > 1 else ""
    return f'The field "{name}"{where} {_wrong(kind, limits) or said}.'


def _wrong(kind: str, limits: Mapping[str, Any]) -> str:
    if kind == "string_too_long":
        return f"is longer than {limits['max_length']:,} characters"
    if kind == "too_long":
        return f"has more than {limits['max_length']} items"
    if kind in ("greater_than_equal", "less_than_equal"):
        bound, word = (limits["ge"], "less") if "ge" in limits else (limits["le"], "more")
        return f"must not be {word} than {bound:g}"
    return _WANTED.get(kind, "")


def _nearest(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}? " if near else ""
