"""The windows that models are loaded with: few sizes, so that one is seldom loaded for another."""

BUCKETS = tuple(4096 << n for n in range(9))  # 4k … 1M tokens


def smallest_window(tokens: int, most: int) -> int:
    """The smallest size that holds so many tokens, `most` at most."""
    return min(most, next((size for size in BUCKETS if size >= tokens), most))
