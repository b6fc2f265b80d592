"""JSON Schemas that constrain a model's reply: every string and list has an end, because an
unbounded one never ends on small models. Pure."""

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]

INTEGER: Json = {"type": "integer"}
BOOLEAN: Json = {"type": "boolean"}


def text(longest: int) -> Json:
    return {"type": "string", "maxLength": longest}


def one_of(words: Sequence[str]) -> Json:
    return {"type": "string", "enum": [*words]}


def listed(item: Json, most: int, least: int = 0) -> Json:
    return {"type": "array", "maxItems": most, "items": item} | (
        {"minItems": least} if least else {}
    )


def table(**properties: Json) -> Json:
    """An object with all of these and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
