"""What one message can carry: how much, and which texts."""

from typing import Any

from pydantic import BaseModel

from laios.errors import LaiosError
from pipeline.unicode_text import values_without_surrogates

MOST_BYTES = 900_000  # the SDK's own client refuses an event of more than a mebibyte


def check_size(result: BaseModel, see: str) -> None:
    """Raises LaiosError for a result that is too large: a part could be taken for the whole. `see`
    says where all of it is."""
    size = len(result.model_dump_json(by_alias=True).encode())
    if size > MOST_BYTES:
        raise LaiosError(f"That has {size:,} bytes, too many to hand over. {see}")


def plain_values(made: BaseModel) -> dict[str, Any]:
    """What JSON has of it."""
    values: dict[str, Any] = values_without_surrogates(made.model_dump(mode="json"))
    return values
