"""What one message can carry: how much, and which texts."""

from typing import Any

from pydantic import BaseModel

from laios.errors import LaiosError

MOST_BYTES = 900_000  # the SDK's own client refuses an event of more than a mebibyte


def check_size(result: BaseModel, see: str) -> None:
    """Raises LaiosError for a result that is too large: a part could be taken for the whole. `see`
    says where all of it is."""
    size = len(result.model_dump_json(by_alias=True).encode())
    if size > MOST_BYTES:
        raise LaiosError(f"That has {size:,} bytes, too many to hand over. {see}")


def plain_text(text: str) -> str:
    """The text with \N{REPLACEMENT CHARACTER} for each half of a surrogate pair, which
    a model may write and UTF-8 has not."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain_values(made: BaseModel) -> dict[str, Any]:
    """What JSON has of it."""
    values: dict[str, Any] = _plain(made.model_dump(mode="json"))
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else plain_text(value)
    if isinstance(value, list):
        return [*map(_plain, value)]
    if isinstance(value, dict):
        return {plain_text(name): _plain(each) for name, each in value.items()}
    return value
