"""Values out of records, whatever is in them: any line of JSON with an id is a record. Pure."""

from collections.abc import Mapping
from typing import Any


def as_text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def as_texts(value: object) -> list[str]:
    """The texts in a list; [] for anything else."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def as_table(value: object) -> dict[str, Any]:
    """{} for anything else."""
    return value if isinstance(value, dict) else {}


def as_tables(value: object) -> list[dict[str, Any]]:
    """The objects in a list; [] for anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def was_literal(record: Mapping[str, Any]) -> bool:
    """Whether nothing was taken out of the prompt: what looks like a tag in it is text."""
    came, asked = as_text(record.get("original_prompt")), record.get("normalized_prompt")
    return came is not None and asked in (came, came.strip())


def judged_valid(record: Mapping[str, Any]) -> bool | None:
    """Whether a judgement found its code valid; None for runs that are none."""
    judgement = as_table(as_table(record.get("artefact")).get("judgement"))
    return judgement["valid"] is True if "valid" in judgement else None
