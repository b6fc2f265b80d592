"""Text that UTF-8 can hold. Pure."""

from typing import Any


def without_surrogates(text: str) -> str:
    """The text with \N{REPLACEMENT CHARACTER} for each half of a surrogate pair, which models and
    broken backends write and no UTF-8 has; a whole pair is its character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def values_without_surrogates(value: Any) -> Any:
    """The same of every text in what JSON can hold."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, list):
        return [*map(values_without_surrogates, value)]
    if isinstance(value, dict):
        return {without_surrogates(key): values_without_surrogates(v) for key, v in value.items()}
    return value
