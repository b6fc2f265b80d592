"""One line of a batch: a body of `POST /prompt` or `POST /code`, and the id of its answer."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.codegen.contract import CodeRequest, read_code_request
from pipeline.errors import BadRequest
from server.api.prompt_request import PromptRequest, read_request

# Without those that are the batch's own.
PROMPT_FIELDS = PromptRequest.model_fields.keys() - {"details", "stream"}
COLUMNS = PROMPT_FIELDS | CodeRequest.model_fields.keys() | {"id"}  # of a table of requests
MAX_ID = 256  # characters

Path = Literal["/prompt", "/code"]


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """`digest` is 16 hexadecimal digits of what is asked. It is the id where the line has none."""

    id: str
    path: Path
    body: Mapping[str, Any]
    digest: str

    @property
    def session(self) -> str | None:
        return self.body.get("session") or None


def read_row(row: Mapping[str, Any], mode: str | None = None) -> BatchRequest:
    """A line's object as a request; `mode` is that of prompts that name none. Raises BadRequest,
    naming the field and what is wrong with it."""
    body = {name: value for name, value in row.items() if value is not None and name != "id"}
    if "prompt" in body and "instruction" in body:
        raise BadRequest(
            'A line has a "prompt", or the "instruction" of a /code request, not both.'
        )
    path: Path = "/code" if "instruction" in body else "/prompt"
    if path == "/code":
        read_code_request(body)
    else:
        _refuse_what_is_ours(body)
        body |= {} if "mode" in body or mode is None else {"mode": mode}
        read_request(body, "")
    digest = _digest(path, body)
    return BatchRequest(_id(row.get("id"), digest), path, body, digest)


def _refuse_what_is_ours(body: Mapping[str, Any]) -> None:
    unknown = sorted(body.keys() - PROMPT_FIELDS)
    if unknown:
        known = ", ".join(sorted(PROMPT_FIELDS | {"id"}))
        raise BadRequest(f"Unknown field {unknown[0]!r}. Fields: {known}; or those of /code.")
    if "prompt" not in body:
        raise BadRequest('The field "prompt" is missing, or the "instruction" of a /code request.')


def _id(given: object, digest: str) -> str:
    if given is None:
        return digest
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    if isinstance(given, str) and 0 < len(given) <= MAX_ID:
        return given
    raise BadRequest(f'The field "id" must be a number or a string of 1 to {MAX_ID} characters.')


def _digest(path: str, body: Mapping[str, Any]) -> str:
    text = json.dumps([path, body], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
