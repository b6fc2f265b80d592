"""The exact test for two ways of doing the same things. Pure."""

from math import comb


def mcnemar(only_one: int, only_other: int) -> float:
    """The two-sided exact p of McNemar's test (1947): how likely discordant pairs split at least
    this unevenly if both arms are equally good."""
    pairs = only_one + only_other
    tail = sum(comb(pairs, k) for k in range(min(only_one, only_other) + 1))
    return min(1.0, float(2 * tail / 2**pairs))
