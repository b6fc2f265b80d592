"""Code with its tests as JSON, as `///test` answers it as `json`, in records of runs. Pure."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any


def code_alone(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The record, whatever is in it; one whose answer is such a JSON with the code and its language
    in place of that."""
    match record:
        case {"language": "json", "final_output": str(output)}:
            with suppress(ValueError, RecursionError):
                match json.loads(output):
                    case {
                        "code": str(code),
                        "language": language,
                        "passed": bool(),
                        "tests": list(),
                    }:
                        return {**record, "final_output": code, "language": language}
    return record
