"""What a message can carry: a model may write half a surrogate pair, which UTF-8 has not."""

from typing import Any

from pydantic import BaseModel


def plain_text(text: str) -> str:
    """The text with \N{REPLACEMENT CHARACTER} for each half of a pair."""
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
