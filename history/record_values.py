"""Values out of records, whatever is in them: any line of JSON with an id is a record. Pure."""

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
