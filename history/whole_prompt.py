"""Whether a record's prompt says all that was asked for. Pure, and safe on any record."""

from collections.abc import Mapping
from typing import Any

from history.record_values import as_table

_PLAIN = {"request_type": "generate", "language": "python"}  # what a prompt need not say
_BESIDE = {"code", "tests", "constraints", "language_version", "framework"}


def is_prompt_all(record: Mapping[str, Any]) -> bool:
    """Not where a program sent an object with more fields: the code to be mended or judged, another
    language, tests. Nor where a chat had earlier turns or images."""
    if record.get("source") == "judge" or record.get("prompt_is_part"):
        return False
    asked = as_table(as_table(record.get("artefact")).get("request"))
    plain = all(asked.get(name, value) == value for name, value in _PLAIN.items())
    return plain and not asked.keys() & _BESIDE
