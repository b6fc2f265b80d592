"""A caller's JSON object → CodeRequest, or one sentence that says what is wrong with it. Pure."""

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import ValidationError

from laios.types.code_generation import RequestType
from pipeline.codegen.contract import CodeRequest
from pipeline.errors import BadRequest
from pipeline.validation_messages import explain, nearest

_FIELDS = tuple(CodeRequest.model_fields)
_TYPES: tuple[str, ...] = get_args(RequestType)


def read_code_request(value: Mapping[str, Any]) -> CodeRequest:
    """Raises BadRequest, naming the field and what is wrong with it."""
    try:
        return CodeRequest.model_validate(value)
    except ValidationError as error:
        raise BadRequest(_explain(error.errors(include_url=False)[0])) from None


def _explain(error: Any) -> str:
    """One fault in a sentence."""
    if error["loc"] != ("request_type",) or error["type"] == "missing":
        return explain(error, _FIELDS, {})
    given = str(error["input"])
    return (
        f'The field "request_type" cannot be {given[:100]!r}. {nearest(given, _TYPES)}'
        f"Types: {', '.join(_TYPES)}."
    )
