"""The windows that models are loaded with: few sizes, so that one is seldom loaded for another."""

from config import Settings

BUCKETS = tuple(4096 << n for n in range(9))  # 4k … 1M tokens


def smallest_window(tokens: int, most: int) -> int:
    """The smallest size that holds so many tokens, `most` at most."""
    return min(most, next((size for size in BUCKETS if size >= tokens), most))


def more_room(trained: int | None, settings: Settings) -> str:
    """What helps where a prompt does not fit: a setting helps only below the model's own window."""
    if trained is None:
        return "Shorten it, raise MAX_CONTEXT_TOKENS or use a model with a longer window."
    if trained > settings.MAX_CONTEXT_TOKENS:
        return f"Shorten it or raise MAX_CONTEXT_TOKENS: the model can take {trained}."
    return "Shorten it, or use a model with a longer window: this one was made for no more."
