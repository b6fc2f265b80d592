"""The memory that a model file takes when it runs in the embedded engine."""

MARGIN = 500_000_000  # bytes: the process itself, and what it computes in


def footprint(size: int, cache_bytes: int | None, window: int) -> int:
    """Bytes in memory of a file of `size` bytes with a window of so many tokens, each of which
    takes `cache_bytes` (None: not known, and left out)."""
    return size + (cache_bytes or 0) * window + MARGIN
