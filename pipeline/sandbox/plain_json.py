"""Values of Python as JSON for programs in any language. Pure.

Lists and tuples are arrays, dicts whose keys are texts are objects. What JSON lacks has its type as
the only key, as it has on its way out of the sandbox: `{"set": [1, 2]}`, `{"float": "inf"}`.
"""

import json
from typing import Any

from pipeline.sandbox.sandbox_scripts.value_json import TAGS, Foreign, encode
from pipeline.sandbox.value_comparison import shown, written

_DEPTH = 100


def as_json(value: Any) -> Any:
    """JSON values for a value; what is nested too deep is there as Python writes it."""
    try:
        return _plain(value, _DEPTH)
    except ValueError:
        return shown(written(value))


def _plain(value: Any, depth: int) -> Any:
    if not depth:
        raise ValueError("the value is nested too deep")
    if isinstance(value, list | tuple):
        return [_plain(item, depth - 1) for item in value]
    if isinstance(value, dict) and _is_object(value):
        return {key: _plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, Foreign):
        return {"object": [value.kind, value.shown]}
    return json.loads(encode(value))


def _is_object(value: dict[Any, Any]) -> bool:
    """Whether JSON has it; an object with the name of a type as its only key is no dict."""
    return all(isinstance(key, str) for key in value) and not (len(value) == 1 and TAGS & {*value})
